// Above the picture, in a review: the two sentences whole, side by side, with the words in which they differ.

function pairPane({ model, send, focus }) {
  const element = html`<div class="pg-sides"></div>`;
  let shown = ""; // which pair: it is drawn once, so that reading keeps its place

  const side = (key, spans) =>
    sentenceButton("pg-side", "Show its pairs", key, spans, () => {
      focus();
      send("select", { keys: [key] });
    });

  function draw() {
    const { item, pair, nodes } = model.get("case");
    element.hidden = item === null;
    const now = JSON.stringify([item, pair, nodes.length]);
    if (now === shown || element.hidden) return;
    shown = now;
    refill(
      element,
      wordDiff(...pair).map((spans, i) => side(`n${nodes[i]}`, spans))
    );
    element.scrollTop = 0;
  }

  return { element, draw, ACT: {} };
}
