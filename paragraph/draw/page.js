"use strict";
// The whole page is text and numbers in three script elements: the data (JSON), the library (gzip, base64), this.
// Sentences enter the document through textContent alone.
(async () => {
  const find = (id) => document.getElementById(id);
  const { nodes, edges, options, texts } = JSON.parse(find("data").textContent);

  const packed = Uint8Array.from(atob(find("library").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const library = document.createElement("script");
  library.textContent = await new Response(stream).text();
  document.head.append(library);

  const element = (tag, text) => {
    const made = document.createElement(tag);
    made.dir = "auto";
    made.textContent = text;
    return made;
  };
  // A title that is an element is shown as it is; vis-network never gets to read one as HTML.
  for (const item of [...nodes, ...edges]) item.title = element("div", item.title);

  const items = texts.map((text) => element("li", text));
  const chosen = (numbers) => items.forEach((item, i) => item.classList.toggle("chosen", numbers.includes(i)));
  find("sentences").append(...items);

  const network = new vis.Network(find("canvas"), { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) }, options);
  window.network = network; // to try things in the console
  const fit = () => {
    network.fit({ maxZoomLevel: 1.25 });
    network.moveTo({ scale: network.getScale() * 0.94 }); // curves reach beyond the nodes it fits
  };
  const say = (list) => find("labels").replaceChildren(...list.map((text) => element("div", text)));
  const show = () => {
    const { nodes: picked, edges: lines } = network.getSelection();
    const ends = lines.flatMap((id) => [edges[id].from, edges[id].to]);
    chosen(picked.length ? picked : ends);
    const other = (edge, i) => (edge.from === i ? edge.to : edge.from);
    say(
      picked.length
        ? lines.map((id) => `${picked[0] + 1} – ${other(edges[id], picked[0]) + 1}: ${edges[id].title.textContent}`)
        : lines.map((id) => `${edges[id].from + 1} – ${edges[id].to + 1}: ${edges[id].title.textContent}`),
    );
  };
  items.forEach((item, i) => {
    item.tabIndex = 0;
    const pick = () => { network.selectNodes([i]); show(); };
    item.addEventListener("click", pick);
    item.addEventListener("keydown", (event) => event.key === "Enter" && pick());
  });
  network.on("click", () => {
    show();
    document.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  });
  network.on("showPopup", () => {
    const popup = document.querySelector(".vis-tooltip");
    popup.classList.toggle("long", popup.textContent.length > 400);
  });
  // The wheel scrolls the notebook, not the picture: zooming is by button.
  const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor });
  find("in").addEventListener("click", () => zoom(1.3));
  find("out").addEventListener("click", () => zoom(1 / 1.3));
  find("fit").addEventListener("click", fit);
  new ResizeObserver(() => { network.redraw(); fit(); }).observe(find("net"));
  // Last: had anything failed, the still picture would go on showing.
  network.once("afterDrawing", () => document.body.classList.add("live"));
  fit();
})();
