const GONE_NOW =
  "Python was restarted or stopped: the Lab goes on, but nothing is kept any more. " +
  "Run this cell again to go on with what was kept.";

export default () =>
  inNotebook({
    shared: ["table", "changes", "work", "progress", "placed", "selected"],
    own: ["layers", "name", "height"],
    blank: { why: {}, controls: [], shortcuts: {}, listing: {}, dress: {} },
    gone: GONE_NOW
  });
