// The picture of the Explorer: a screen is drawn once the records of its clusters are here.

/** @param {Page} page */
function screenOf(page) {
  const { data, state, give, graph, keeper, decisions } = page;
  let number = 0; // of the scene
  let turn = 0; // screens asked for: where one comes late, another is shown already
  let weighed = 0; // the trust for which it is known what falls apart
  let fall = null; // that, where there is a trust

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
    const mine = number;
    const shown = inferredOf(graph, state.screen, page.scene, state.layers);
    await learn(shown.labels.map(([a, b]) => [a, b]));
    if (mine !== number) return;
    const picture = pictureOf(graph, state.screen, page.scene, shown, state.layers, fall);
    give({ picture: { ...picture, ...decisions.marks(page.scene), scene: number } });
  }

  const dress = () => give({ dress: dressOf(graph, data, page.scene, state.looks) });

  /** Show a screen: false where another was asked for meanwhile. @param {Shown} screen */
  async function show(screen) {
    turn += 1;
    const mine = turn;
    const { cluster, opened, wanted, view } = screen;
    await hold({ open: [...new Set(cluster === null ? opened : [cluster, ...opened])], wanted });
    const beside = aroundOf(graph, opened, view === "clusters" && cluster !== null ? [cluster] : []);
    await hold({ near: beside.around });
    if (mine !== turn) return false;
    const { trust } = state.layers;
    page.scene = makeScene(graph, screen, beside, undefined, trust && ((edge) => isOut(edge, trust)));
    number += 1;
    give({ screen });
    await draw();
    dress();
    return true;
  }

  /** Find out what falls apart at the trust of the layers; false where that is known. */
  async function weigh() {
    const { trust = 0 } = state.layers;
    if (trust === weighed) return false;
    weighed = trust;
    const found = trust ? fallOf(await keeper.apart(0), await keeper.apart(trust)) : null;
    if (trust !== weighed) return false; // another was asked for meanwhile
    fall = found;
    return true;
  }

  return { hold, learn, draw, dress, show, weigh, fall: () => fall };
}
