// A page with a map above an Explorer: a click on a dot opens its cluster, a lasso is a filter of the list.

const page = JSON.parse(document.getElementById("data").textContent);
const held = new Set(page.explorer.data.columns.ids);
const clusters = await livingModel(page.explorer);
const dots = await atlas.livingModel(page.map);
const place = html`<div class="pg-map-place"></div>`;
const message = html`<p class="pg-map-message" aria-live="polite"></p>`;
const tell = (intent, content) => clusters.send({ intent, n: clusters.get("ack") + 1, ...content });

dots.on("change:opened", () => {
  const { row } = dots.get("opened");
  const isHeld = held.has(row);
  message.textContent = isHeld ? "" : `Cluster ${row} is not on this page, which has no room for all.`;
  if (isHeld) tell("open", { cluster: row });
});

/** The chosen dots: the numbers of their clusters. */
function chosenDots() {
  const { buffer, byteOffset, byteLength } = dots.get("chosen");
  return [...new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength))];
}

dots.on("change:chosen", () => {
  const chosen = chosenDots();
  const only = chosen.length > 1 ? chosen.filter((row) => held.has(row)) : null; // a click hides none
  if (only || clusters.get("query").only) tell("query", { only });
});
// where the list's filter is cleared, nothing is chosen on the map
clusters.on("change:query", () => {
  if (!clusters.get("query").only && chosenDots().length > 1)
    dots.set("chosen", new DataView(new ArrayBuffer(0)));
});
showPage(clusters);
document.getElementById("page").prepend(place, message);
atlas.render({ model: dots, el: place });
