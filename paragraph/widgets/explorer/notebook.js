const GONE_NOW =
  "Python was restarted or stopped: you can still read the clusters on this page but no others, and Python " +
  "does not see what you select. Run this cell again to continue.";

const SHARED = ["screen", "query", "layers", "placed", "selected"]; // set by both
const HEARD = ["prefetched", "decided", "shown", "snapshot"];

export default () =>
  inNotebook({
    shared: [...SHARED, ...HEARD],
    own: ["shortcuts", "name", "height"],
    blank: { picture: {}, listing: {}, why: {}, desk: {}, controls: [] },
    gone: GONE_NOW
  });
