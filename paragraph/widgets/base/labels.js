// Where the texts of nodes fit, once the nodes and lines stand: never on one another, on a node, or on a line that does
// not end at theirs. What does not fit is left out; the number in the node stands for it.

const CELL = 4; // pixels; the picture is a grid of such cells, each free, of one line, or taken
const TAKEN = -1;

/** A grid of what is drawn: `line` and `block` fill it, `place` finds room beside a node and fills that too. */
function labelGrid(width, height) {
  const columns = Math.ceil(width / CELL), rows = Math.ceil(height / CELL), cells = new Int32Array(columns * rows);
  const ends = [null]; // of the lines, from 1

  function put(x, y, number) {
    const i = Math.floor(x / CELL), j = Math.floor(y / CELL);
    if (i < 0 || j < 0 || i >= columns || j >= rows) return;
    const at = j * columns + i;
    cells[at] = cells[at] && cells[at] !== number ? TAKEN : number;
  }

  function line(from, to, points) {
    const number = ends.push([from, to]) - 1;
    for (let k = 1; k < points.length; k += 1) {
      const [a, b] = [points[k - 1], points[k]], steps = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / (CELL - 1)));
      for (let s = 0; s <= steps; s += 1) put(a.x + ((b.x - a.x) * s) / steps, a.y + ((b.y - a.y) * s) / steps, number);
    }
  }

  /** Calls `look` with each cell of a box until it answers false; whether it never did. */
  function every(x, y, w, h, look) {
    const [left, right] = [Math.floor(x / CELL), Math.floor((x + w) / CELL)], bottom = Math.floor((y + h) / CELL);
    for (let j = Math.floor(y / CELL); j <= bottom; j += 1) {
      for (let i = left; i <= right; i += 1) if (i >= 0 && j >= 0 && i < columns && j < rows && !look(j * columns + i)) return false;
    }
    return true;
  }

  const block = (x, y, w, h) => every(x, y, w, h, (at) => { cells[at] = TAKEN; return true; });

  /** Room beside a node at x, y with radius r for the first of some boxes `{ w, h }` that fits: `{ box, left, top, free }`, or
   * null. Nothing may lie there; else only lines of the node itself; and where it `must`, what hides fewest lines
   * (not `free`), or "always". */
  function place(key, x, y, r, boxes, must = false) {
    const spots = [];
    for (const { w, h, gap = r + 6 } of must ? [...boxes, ...boxes.map((box) => ({ ...box, gap: r + 26 }))] : boxes) {
      const beside = [0.5, 0.15, 0.85].flatMap((share) => [[x - share * w, y + gap], [x - share * w, y - gap - h]]);
      beside.push(...[0.5, 0, 1].flatMap((share) => [[x + gap, y - share * h], [x - gap - w, y - share * h]]));
      const [across, up] = [0.7 * gap, 0.7 * gap + h]; // at the corners
      beside.push([x + across, y - up], [x + across, y + up - h], [x - across - w, y - up], [x - across - w, y + up - h]);
      spots.push(...beside.filter(([a, b]) => a >= 1 && b >= 1 && a + w <= width - 1 && b + h <= height - 1)
        .map(([left, top]) => ({ box: { w, h }, left, top, free: true })));
    }
    const whole = ({ box, left, top }, look) => every(left, top, box.w, box.h, look);
    const mine = (at) => cells[at] > 0 && ends[cells[at]].includes(key);
    let found = spots.find((spot) => whole(spot, (at) => cells[at] === 0)) ?? spots.find((spot) => whole(spot, (at) => cells[at] === 0 || mine(at)));
    if (!found && must && spots.length) {
      const hidden = (spot) => { let cost = 0; whole(spot, (at) => { cost += cells[at] === TAKEN ? 1000 : cells[at] ? 1 : 0; return true; }); return cost; };
      const least = spots.map((spot) => ({ ...spot, free: false, cost: hidden(spot) })).reduce((a, b) => (b.cost < a.cost ? b : a));
      if (must === "always" || least.cost < 25_000) found = least; // that is, no more than an edge of a node
    }
    if (found) block(found.left, found.top, found.box.w, found.box.h);
    return found ?? null;
  }

  return { line, block, place };
}
