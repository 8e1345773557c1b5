// The picture of the Explorer: a screen is drawn once the records of its clusters are here.

/** @param {Page} page */
function screenOf(page) {
  const { data, state, give, graph, keeper, decisions } = page;
  let number = 0; // of the scene
  let drawn = ""; // the nodes of the scene
  let turn = 0; // screens asked for: where one comes late, another is shown already

  /** @param {Wanted} wanted */
  const hold = async (wanted) => graph.add(await keeper.clusters(wanted));

  /** Ask how probably labels are right, of those not yet known. */
  async function learn(pairs) {
    const unknown = pairs.filter((pair) => !graph.right.has(graph.pairOf(...pair)));
    if (!graph.isTrusted || !unknown.length) return;
    const values = await keeper.right(unknown);
    unknown.forEach((pair, i) => graph.right.set(graph.pairOf(...pair), values[i]));
  }

  async function draw() {
    const { scene } = page;
    const shown = inferredOf(graph, state.screen, scene, state.layers);
    await learn(shown.labels.map(([a, b]) => [a, b]));
    if (scene !== page.scene) return;
    const picture = pictureOf(graph, state.screen, scene, shown);
    give({ picture: { ...picture, ...decisions.marks(scene, picture), scene: number } });
  }

  function dress() {
    if (page.list) give({ dress: dressOf(graph, page.list, page.scene, state.look, data) });
  }

  /** Show a screen: false where another was asked for meanwhile. @param {Shown} screen */
  async function show(screen) {
    turn += 1;
    const mine = turn;
    const { cluster, opened, wanted, view } = screen;
    await hold({ open: unique(cluster === null ? opened : [cluster, ...opened]), wanted });
    const closed = view === "clusters" && cluster !== null ? [cluster] : [];
    const beside = aroundOf(graph, opened, closed, page.neighboursMost);
    await hold({ near: beside.around });
    if (mine !== turn) return false;
    page.scene = makeScene(graph, screen, beside, page.marked);
    const nodes = [...page.scene.at].join(" ");
    if (nodes !== drawn) number += 1; // else the picture stays where it is
    drawn = nodes;
    give({ screen });
    await draw();
    dress();
    return true;
  }

  return { hold, learn, draw, dress, show };
}
