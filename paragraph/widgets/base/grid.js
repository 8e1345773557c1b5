// A picture as a grid of cells, each free, of one line, or taken: where is there room for a text?

const CELL = 4; // pixels
const TAKEN = -1;
const AT_NODE = 25_000; // what a spot may hide where it must: no more than an edge of a node

/** A grid of what is drawn: `line` and `block` fill it, `place` finds room beside a node and fills that
 * too. */
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

  /** Calls `look` with each cell of a box until it answers false; whether it never did. */
  function every({ left, top, w, h }, look) {
    const right = Math.floor((left + w) / CELL);
    const bottom = Math.floor((top + h) / CELL);
    for (let row = Math.floor(top / CELL); row <= bottom; row += 1) {
      for (let column = Math.floor(left / CELL); column <= right; column += 1)
        if (isInside(column, row) && look(row * columns + column) === false) return false;
    }
    return true;
  }

  function block(box) {
    every(box, (at) => {
      cells[at] = TAKEN;
    });
  }

  /** Where a box fits beside a node at x, y: below and above, right and left, at the corners. */
  function spotsBeside({ x, y }, box) {
    const { w, h, gap } = box;
    const beside = [0.5, 0.15, 0.85].flatMap((share) => [
      [x - share * w, y + gap],
      [x - share * w, y - gap - h]
    ]);
    for (const share of [0.5, 0, 1]) beside.push([x + gap, y - share * h], [x - gap - w, y - share * h]);
    const up = 0.7 * gap + h;
    for (const left of [x + 0.7 * gap, x - 0.7 * gap - w]) beside.push([left, y - up], [left, y + up - h]);
    return beside
      .filter(([left, top]) => left >= 1 && top >= 1 && left + w <= width - 1 && top + h <= height - 1)
      .map(([left, top]) => ({ ...box, left, top, free: true }));
  }

  /** Room beside a node at x, y with radius r for the first of some boxes `{ w, h }` that fits: that box with
   * `left`, `top` and `free`, or null. Nothing may lie there; else only lines of the node itself; else `few`
   * cells of other lines, which are seen through the text; and where it `must`, what hides fewest lines (not
   * `free`), or "always". */
  function place({ key, x, y, r }, boxes, must, few) {
    const gaps = must ? [r + 6, r + 26] : [r + 6];
    const spots = gaps.flatMap((gap) => boxes.flatMap((box) => spotsBeside({ x, y }, { ...box, gap })));
    const isMine = (at) => cells[at] > 0 && ends[cells[at]].includes(key);
    const cost = (spot) => {
      let hidden = 0;
      every(spot, (at) => {
        if (cells[at] === TAKEN) hidden += 1000;
        else if (cells[at] && !isMine(at)) hidden += 1;
      });
      return hidden;
    };
    const isFree = (spot) => every(spot, (at) => cells[at] === 0);
    const isOwn = (spot) => every(spot, (at) => cells[at] === 0 || isMine(at));
    const room = spots.find(isFree) ?? spots.find(isOwn) ?? leastHidden();
    if (room) block(room);
    return room;

    function leastHidden() {
      if (!spots.length || !(must || few)) return null;
      const costs = spots.map(cost);
      const least = Math.min(...costs);
      if (must !== "always" && least > (must ? AT_NODE : few)) return null;
      return { ...spots[costs.indexOf(least)], free: !must };
    }
  }

  return { line, block, place };
}
