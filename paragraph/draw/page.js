// The whole page is text and numbers in three script elements: the data (JSON), the library (gzip, base64), this (below
// dom.js and sentences.js).
// Sentences enter the document through textContent alone.
(async () => {
  const find = (id) => document.getElementById(id);
  const { nodes, edges, options, sentences } = JSON.parse(find("data").textContent);

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

  const network = new vis.Network(find("canvas"), { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) }, options);
  window.network = network; // to try things in the console
  const fit = () => {
    network.fit({ maxZoomLevel: 1.25 });
    network.moveTo({ scale: network.getScale() * 0.94 }); // curves reach beyond the nodes it fits
  };
  let pointed = null; // the sentence of the list that the pointer is on, ringed in the picture
  network.on("afterDrawing", (context) => {
    if (pointed === null) return;
    const { x, y } = network.getPosition(pointed);
    context.beginPath();
    context.arc(x, y, 22, 0, 2 * Math.PI);
    context.lineWidth = 3;
    context.strokeStyle = "#009E73";
    context.stroke();
  });
  const say = (told) => find("labels").replaceChildren(...told.map((text) => element("div", text)));
  const show = () => {
    const { nodes: picked, edges: lines } = network.getSelection();
    const ends = lines.flatMap((id) => [edges[id].from, edges[id].to]);
    list.flag("chosen", picked.length ? picked : ends);
    list.show(picked.length ? picked : ends);
    const other = (edge, i) => (edge.from === i ? edge.to : edge.from);
    say(
      picked.length
        ? lines.map((id) => `${picked[0] + 1} – ${other(edges[id], picked[0]) + 1}: ${edges[id].title.textContent}`)
        : lines.map((id) => `${edges[id].from + 1} – ${edges[id].to + 1}: ${edges[id].title.textContent}`),
    );
  };
  const list = sentenceList(find("sentences"), { pick: (i) => { network.selectNodes([i]); show(); },
    point: (i) => { pointed = i; network.redraw(); } });
  list.fill(sentences.map((spans, i) => ({ key: i, number: i + 1, spans })));
  network.on("click", show);
  network.on("hoverNode", ({ node }) => { list.flag("pointed", [node]); list.show([node]); });
  network.on("blurNode", () => list.flag("pointed", []));
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
