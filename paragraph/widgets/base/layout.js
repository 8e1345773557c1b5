// Where the sentences of a cluster stand: near each other where few positive labels lead from one to the
// other, never on one another. The same cluster always gets the same picture.

const APART = 1.2; // more steps between two communities
const SHAPE = 1.35; // width over height that a picture tends to
const SWEEPS = 60;

/** Steps over positive labels between all of some sentences, in rows; where no path leads, one more than the
 * longest. */
function stepsBetween(nodes, group) {
  const place = new Map(nodes.map((node, i) => [node, i]));
  const near = nodes.map((node) =>
    node.edges
      .filter(({ sign }) => sign > 0)
      .map(({ a, b }) => place.get(a === node ? b : a))
      .filter((i) => i !== undefined)
  );
  const rows = nodes.map((_, start) => {
    const row = new Float64Array(nodes.length).fill(-1);
    const wave = [start];
    row[start] = 0;
    for (const i of wave)
      for (const j of near[i])
        if (row[j] < 0) {
          row[j] = row[i] + 1;
          wave.push(j);
        }
    return row;
  });
  const far = 1 + rows.reduce((most, row) => row.reduce((one, other) => Math.max(one, other), most), 0);
  for (const [i, row] of rows.entries())
    for (const j of row.keys()) row[j] = (row[j] < 0 ? far : row[j]) + (group[i] === group[j] ? 0 : APART);
  return rows;
}

/** A start that is nearly right: two axes between sentences far apart (Harel and Koren 2002). */
function axesOf(rows) {
  const farthest = (row) => row.indexOf(Math.max(...row));
  const one = farthest(rows[0]);
  const other = farthest(rows[one]);
  const aside = farthest(rows[one].map((steps, i) => Math.min(steps, rows[other][i])));
  const ends = [
    [one, other],
    [aside, farthest(rows[aside])]
  ];
  const apart = (i, axis) => 0.1 * Math.cos((i + 1) * (axis + 1)); // none on another
  return ends.map(([from, to], axis) =>
    rows[from].map((steps, i) => (steps - rows[to][i]) / 2 + apart(i, axis))
  );
}

/** Move each point in turn to where its steps to the others put it on average (Gansner et al. 2004).
 * @param {Float64Array[]} places  x and y of each */
function relax([xs, ys], rows) {
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (const [i, row] of rows.entries()) {
      let x = 0;
      let y = 0;
      let all = 0;
      for (const [j, far] of row.entries()) {
        if (i === j) continue;
        const dx = xs[i] - xs[j];
        const dy = ys[i] - ys[j];
        const by = far / Math.max(Math.hypot(dx, dy), 1e-6);
        const weight = 1 / (far * far);
        x += weight * (xs[j] + dx * by);
        y += weight * (ys[j] + dy * by);
        all += weight;
      }
      xs[i] = x / all;
      ys[i] = y / all;
    }
}

/** Push points that are less than 1 apart away from each other. @param {Float64Array[]} places */
function spread([xs, ys]) {
  for (let sweep = 0, isMoved = true; isMoved && sweep < SWEEPS; sweep += 1) {
    isMoved = false;
    for (const i of xs.keys())
      for (let j = 0; j < i; j += 1) {
        const dx = xs[i] - xs[j];
        const dy = ys[i] - ys[j];
        if (Math.abs(dx) >= 1 || Math.abs(dy) >= 1) continue;
        const far = Math.hypot(dx, dy);
        if (far >= 0.99) continue;
        const by = (0.5 * (1 - far)) / Math.max(far, 1e-6);
        const [x, y] = far ? [dx * by, dy * by] : [0.01 * (i + 1), 0.01 * (j + 1)];
        xs[i] += x;
        ys[i] += y;
        xs[j] -= x;
        ys[j] -= y;
        isMoved = true;
      }
  }
}

/** The places of the sentences that are drawn of a cluster, `[x, y]` in units of `SPACING`, upwards. */
function layoutOf({ members, drawn, group = [] }) {
  if (drawn.length === 1) return [[0, 0]];
  const rows = stepsBetween(
    drawn.map((place) => members[place]),
    drawn.map((_, i) => group[i] ?? 0)
  );
  const places = axesOf(rows);
  relax(places, rows);
  const reach = (axis) => Math.max(...axis) - Math.min(...axis);
  places.sort((one, other) => reach(other) - reach(one)); // wider than high
  const [wide, high] = places.map(reach);
  const isFlat = Math.min(wide, high) < 0.5; // all in a row
  const stretch = isFlat ? 1 : Math.min(1.7, Math.max(1, (SHAPE * high) / wide));
  places[0] = places[0].map((x) => 1.25 * stretch * x);
  places[1] = places[1].map((y) => 1.25 * y);
  spread(places);
  return drawn.map((_, i) => [places[0][i], places[1][i]]);
}
