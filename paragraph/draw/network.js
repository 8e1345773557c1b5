// The page is text and numbers in two script elements: the data (JSON) and the library (gzip, base64).
(async () => {
  const text = (id) => document.getElementById(id).textContent;
  const packed = Uint8Array.from(atob(text("library")), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const library = document.createElement("script");
  library.text = await new Response(stream).text();
  document.head.append(library);
  const { options, ...data } = JSON.parse(text("data"));
  window.network = new vis.Network(document.getElementById("net"), data, options);
  // Last: had anything failed, the still picture would go on showing.
  network.once("afterDrawing", () => document.body.classList.add("live"));
})();
