const GONE_NOW =
  "Python was restarted or stopped: the Lab still works, but no longer saves anything. " +
  "Run this cell again to continue from the saved state.";

export default () =>
  inNotebook({
    shared: ["table", "changes", "work", "progress", "placed", "selected", "snapshot"],
    own: ["layers", "name", "height", "shortcuts"],
    blank: { why: {}, controls: [], listing: {} },
    gone: GONE_NOW
  });
