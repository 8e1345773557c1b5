const GONE_NOW =
  "Python was restarted or stopped: clusters that the page holds can be read on, others not, and Python " +
  "does not hear of what is chosen. Run this cell again to go on.";

export default () =>
  inNotebook({
    shared: ["screen", "asked", "looks", "layers", "placed", "selected", "given", "decided"],
    own: ["shortcuts", "name", "height"],
    blank: { picture: {}, listing: {}, why: {}, dress: {}, bins: {}, desk: {}, controls: [] },
    gone: GONE_NOW
  });
