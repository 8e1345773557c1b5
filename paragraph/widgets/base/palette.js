// Colours mixed, and text that can be read on them; the colours are in `draw/shared.json`.

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
const inkOn = (color) => (isDark(color) ? DARK.ink : LIGHT.ink);
