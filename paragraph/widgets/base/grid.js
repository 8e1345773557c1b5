// A picture as a grid of cells, each free, of one line, or taken: where is there room for a text?

const CELL = 4; // pixels
const TAKEN = -1;

/** A grid of what is drawn: `line` and `block` fill it, `best` finds room. */
function labelGrid(width, height) {
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  const cells = new Int32Array(columns * rows);
  const ends = [null]; // of the lines, from 1
  const isInside = (column, row) => column >= 0 && row >= 0 && column < columns && row < rows;

  function put(x, y, number) {
    const column = Math.floor(x / CELL);
    const row = Math.floor(y / CELL);
    if (!isInside(column, row)) return;
    const at = row * columns + column;
    cells[at] = cells[at] && cells[at] !== number ? TAKEN : number;
  }

  function line(from, to, points) {
    const number = ends.push([from, to]) - 1;
    for (const [i, b] of points.slice(1).entries()) {
      const a = points[i];
      const steps = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / (CELL - 1)));
      for (let s = 0; s <= steps; s += 1)
        put(a.x + ((b.x - a.x) * s) / steps, a.y + ((b.y - a.y) * s) / steps, number);
    }
  }

  /** The cells of a box. */
  function* cellsOf({ left, top, w, h }) {
    for (let row = Math.floor(top / CELL); row <= Math.floor((top + h) / CELL); row += 1)
      for (let column = Math.floor(left / CELL); column <= Math.floor((left + w) / CELL); column += 1)
        if (isInside(column, row)) yield row * columns + column;
  }

  function block(box) {
    for (const at of cellsOf(box)) cells[at] = TAKEN;
  }

  /** Of some boxes inside the picture the one that hides least, the first of equals, and what it `hides`:
   * 1000 for a cell that is taken, 1 for one of a line, and next to nothing for one that ends at the node. */
  function best(boxes, key) {
    const costOf = (box) => {
      let hides = 0;
      for (const at of cellsOf(box)) {
        if (cells[at] === TAKEN) hides += 1000;
        else if (cells[at]) hides += ends[cells[at]].includes(key) ? 0.001 : 1;
      }
      return hides;
    };
    const isWhole = ({ left, top, w, h }) =>
      left >= 1 && top >= 1 && left + w <= width - 1 && top + h <= height - 1;
    return boxes
      .filter(isWhole)
      .map((box) => ({ ...box, hides: costOf(box) }))
      .reduce((least, box) => (box.hides < least.hides ? box : least), { hides: Infinity });
  }

  return { line, block, best };
}
