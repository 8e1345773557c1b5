// The picture as SVG, drawn by the same code as on the canvas: what a saved notebook shows, and files hold.

const ROW = 18; // pixels from one line of them to the next
const SHORT = { right: "end", center: "middle", top: "hanging", middle: "central" };
const tidy = (value) => Math.round(value * 10) / 10;
/** Text inside SVG; XML forbids most control characters and halves of surrogate pairs. */
const inXml = (text) =>
  String(text)
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Surrogate}]/gu, " ")
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** What a pen of a canvas fills or strokes, written as the way of an SVG path. */
function svgPath() {
  let way = "";
  const add = (letter, ...numbers) => {
    way += `${letter}${numbers.map(tidy).join(" ")}`;
  };
  return {
    moveTo: (x, y) => add("M", x, y),
    lineTo: (x, y) => add(way ? "L" : "M", x, y),
    quadraticCurveTo: (...numbers) => add("Q", ...numbers),
    closePath: () => add("Z"),
    arc(x, y, r) {
      add("M", x - r, y);
      for (const side of [1, -1]) add("A", r, r, 0, 1, 0, x + side * r, y);
      add("Z");
    },
    roundRect(x, y, w, h) {
      add("M", x, y);
      add("h", w);
      add("v", h);
      add("h", -w);
      add("Z");
    },
    toString: () => way
  };
}

/** A pen that writes SVG: as much of a canvas's as the picture uses. */
function svgPen() {
  const parts = [];
  const measuring = document.createElement("canvas").getContext("2d");
  const put = (element, attributes, content = "") => {
    const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${inXml(value)}"`);
    parts.push(`<${element}${written.join("")}>${content}</${element}>`);
  };
  const letters = (text, x, y, attributes) => {
    const { font, textAlign, textBaseline } = pen;
    const place = { x: tidy(x), y: tidy(y), "text-anchor": SHORT[textAlign] ?? "start" };
    const face = { style: `font: ${font}`, "dominant-baseline": SHORT[textBaseline] ?? "auto" };
    put("text", { ...place, ...face, ...attributes }, inXml(text));
  };
  const drawn = () => ({
    stroke: pen.strokeStyle,
    "stroke-width": tidy(pen.lineWidth),
    "stroke-linejoin": "round",
    "stroke-dasharray": pen.dash.map(tidy).join(" ") || "none",
    fill: "none"
  });
  const pen = {
    parts,
    globalAlpha: 1,
    dash: [],
    path: svgPath,
    save() {},
    restore() {},
    setLineDash: (dash) => Object.assign(pen, { dash }),
    measureText(text) {
      measuring.font = pen.font;
      return measuring.measureText(text);
    },
    fill: (path) => put("path", { d: path, fill: pen.fillStyle, opacity: pen.globalAlpha }),
    stroke: (path) => put("path", { d: path, ...drawn(), opacity: pen.globalAlpha }),
    fillRect: (x, y, width, height) => put("rect", { x, y, width, height, fill: pen.fillStyle }),
    fillText: (text, x, y) => letters(text, x, y, { fill: pen.fillStyle }),
    strokeText: (text, x, y) => letters(text, x, y, drawn())
  };
  return pen;
}

/** A text in lines of at most a width, as a pen measures them. */
function inLines(pen, text, width) {
  const lines = [""];
  for (const word of text.split(/(?<=\s)/)) {
    if (lines.at(-1) && pen.measureText(lines.at(-1) + word).width > width) lines.push("");
    lines[lines.length - 1] += word;
  }
  return lines;
}

/** The picture of a frame as SVG: its title, what `draw(pen)` draws in it, and its sentences by number. */
function snapshotOf({ title, nodes, ink, paper }, { width, height, scale, left, top }, draw) {
  const pen = svgPen();
  draw(pen);
  const picture = pen.parts.splice(0);
  Object.assign(pen, { font: "13px sans-serif", textAlign: "start", textBaseline: "auto", fillStyle: ink });
  let y = 24;
  const write = (text, x) => {
    for (const line of inLines(pen, text, width - x - 10)) {
      pen.fillText(line, x, y);
      y += ROW;
    }
  };
  write(title, 10);
  const above = y - 10;
  y += height;
  for (const { number, text } of nodes.slice(0, STILL)) {
    pen.fillText(number ?? "", 10, y);
    write(text, 44);
  }
  if (nodes.length > STILL) write(`and ${counting(nodes.length - STILL, "more", "more")}`, 44);
  const place = [scale, 0, 0, scale, left, top + above].map((one) => Math.round(one * 1e4) / 1e4);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" ` +
    `role="img"><title>${inXml(title)}</title><rect width="100%" height="100%" fill="${inXml(paper)}"/>` +
    `<g transform="matrix(${place.join(" ")})">${picture.join("")}</g>${pen.parts.join("")}</svg>`
  );
}
