// The whole page is text and numbers in three script elements: the data (JSON), the library (gzip, base64),
// this (below dom.js and sentences.js).
(async () => {
  const find = (id) => document.getElementById(id);
  const { nodes, edges, options, sentences } = JSON.parse(find("data").textContent);

  const packed = Uint8Array.from(atob(find("library").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const library = document.createElement("script");
  library.text = await new Response(stream).text();
  document.head.append(library);

  const element = (text) => html`<div dir="auto">${text}</div>`;
  // A title that is an element is shown as it is; vis-network never gets to read one as HTML.
  for (const item of [...nodes, ...edges]) item.title = element(item.title);

  const drawn = { nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges) };
  const network = new vis.Network(find("canvas"), drawn, options);
  window.network = network; // to try things in the console
  const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor });
  const fit = () => {
    network.fit({ maxZoomLevel: 1.25 });
    zoom(0.94); // curves reach beyond the nodes it fits
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
  const show = () => {
    const selection = network.getSelection();
    const [picked] = selection.nodes;
    const lines = selection.edges.map((id) => edges[id]);
    const chosen = picked === undefined ? lines.flatMap(({ from, to }) => [from, to]) : [picked];
    list.flag("chosen", chosen);
    list.show(chosen);
    const said = ({ from, to, title }) => {
      const [one, other] = to === picked ? [to, from] : [from, to]; // seen from the sentence that was picked
      return element(`${one + 1} – ${other + 1}: ${title.textContent}`);
    };
    find("labels").replaceChildren(...lines.map(said));
  };
  const list = sentenceList(find("sentences"), {
    pick: (i) => {
      network.selectNodes([i]);
      show();
    },
    point: (i) => {
      pointed = i;
      network.redraw();
    }
  });
  list.fill(sentences.map((spans, i) => ({ key: i, number: i + 1, spans })));
  network.on("click", show);
  network.on("hoverNode", ({ node }) => {
    list.flag("pointed", [node]);
    list.show([node]);
  });
  network.on("blurNode", () => list.flag("pointed", []));
  network.on("showPopup", () => {
    const popup = document.querySelector(".vis-tooltip");
    popup.classList.toggle("long", popup.textContent.length > 400);
  });
  // The wheel scrolls the notebook, not the picture: zooming is by button.
  find("in").onclick = () => zoom(1.3);
  find("out").onclick = () => zoom(1 / 1.3);
  find("fit").onclick = fit;
  new ResizeObserver(() => {
    network.redraw();
    fit();
  }).observe(find("net"));
  // Last: had anything failed, the still picture would go on showing.
  network.once("afterDrawing", () => document.body.classList.add("live"));
  fit();
})();
