// Colours: of signs and states in a light and a dark theme, of attributes, and text that can be read on them.

const LIGHT = {
  positive: "#0072B2",
  negative: "#D55E00",
  halo: "#F0E442",
  ink: "#1D2329",
  quiet: "#59626B",
  node: "#FFFFFF",
  conflict: "#FFF6A8",
  chosen: "#9ED0EE",
  cluster: "#EEF1F4",
  hit: "#009E73",
  pointed: "#CC79A7"
};
const DARK = {
  positive: "#56B4E9",
  negative: "#E69F00",
  halo: "#6A611A",
  ink: "#E8EBEE",
  quiet: "#A6AFB8",
  node: "#2B3138",
  conflict: "#6A611A",
  chosen: "#1F6C9C",
  cluster: "#22282E",
  hit: "#2BC79A",
  pointed: "#E5A3C8"
};

// Okabe and Ito's other colours, for camps, parts and names; one beyond the last begins again.
const CAMPS = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#0072B2", "#D55E00", "#999999"];

/** Red, green and blue of a colour written as "#RRGGBB" or "rgb(…)". */
function parse(color) {
  if (color[0] === "#") return color.match(/\w\w/g).map((part) => parseInt(part, 16));
  return (color.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);
}

/** A share of one colour over another. */
function mix(one, other, share) {
  const below = parse(other);
  const mixed = parse(one).map((value, i) => Math.round(share * value + (1 - share) * below[i]));
  return `rgb(${mixed})`;
}

const isDark = (color) => {
  const [red, green, blue] = parse(color);
  return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
};
const inkOn = (color) => (isDark(color) ? "#FFFFFF" : "#1D2329");

/** The colour of a share between 0 and 1; `RAMP` is Python's. */
function ramp(share) {
  const at = share * (RAMP.length - 1);
  const i = Math.min(RAMP.length - 2, Math.floor(at));
  return mix(RAMP[i + 1], RAMP[i], at - i);
}

/** The colour of a node by an attribute, a number from 0 to 1, or null. */
function shadeOf(attribute, key) {
  const value = attribute?.of[key];
  return value === undefined ? null : ramp(value);
}
