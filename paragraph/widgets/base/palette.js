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
  halo: "#7A7220",
  ink: "#E8EBEE",
  quiet: "#A6AFB8",
  node: "#2B3138",
  conflict: "#6A611A",
  chosen: "#1F6C9C",
  cluster: "#22282E",
  hit: "#2BC79A",
  pointed: "#E5A3C8"
};

// Okabe and Ito's other colours, for camps and categories; one beyond the last begins again.
const CAMPS = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#0072B2", "#D55E00", "#999999"];

const parse = (color) =>
  color[0] === "#"
    ? [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16))
    : (color.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);

/** A share of one colour over another. */
function mix(one, other, share) {
  const [a, b] = [parse(one), parse(other)];
  return `rgb(${a.map((v, i) => Math.round(share * v + (1 - share) * b[i])).join(",")})`;
}

const isDark = (color) => {
  const [r, g, b] = parse(color);
  return 0.3 * r + 0.6 * g + 0.1 * b < 128;
};
const inkOn = (color) => (isDark(color) ? "#FFFFFF" : "#1D2329");

/** The colour of a share between 0 and 1; `RAMP` is Python's. */
function ramp(share) {
  const at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1),
    i = Math.min(RAMP.length - 2, Math.floor(at));
  return mix(RAMP[i + 1], RAMP[i], at - i);
}

/** The colour that an attribute (`kind` "number": from `low` to `high`; else numbers of categories) gives a
 * node, or null. */
function shadeOf(attribute, key) {
  const value = attribute?.of?.[key];
  if (value === undefined || value === null) return null;
  return attribute.kind === "number" ? ramp(shareOf(attribute, value)) : CAMPS[value % CAMPS.length];
}

const shareOf = ({ low, high }, value) => (high > low ? (value - low) / (high - low) : 0.5);
