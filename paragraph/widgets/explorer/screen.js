// The picture of the Explorer: a screen is drawn once the records of its clusters are here.

/** @param {Page} page */
function screenOf(page) {
  const { state, give, graph, keeper, decisions } = page;
  let number = 0; // of the scene
  let drawn = ""; // the nodes of the scene
  let turn = 0; // screens asked for: where one comes late, another is shown already

  /** @param {Wanted} wanted */
  const hold = async (wanted) => graph.add(await keeper.clusters(wanted));

  function draw() {
    const { scene } = page;
    const labels = inferredOf(graph, state.screen, scene, state.layers);
    const picture = pictureOf(graph, state.screen, scene, labels);
    give({ picture: { ...picture, ...decisions.marks(scene, picture), scene: number } });
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
    draw();
    return true;
  }

  return { hold, draw, show };
}
