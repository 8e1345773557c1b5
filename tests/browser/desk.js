// What tests do and read in the page of an Explorer; one object, so that each is called by name.
const desk = {
  root: () => document.querySelector(".pg-bench-live"),

  /** Where a thing of some kind can be clicked: nothing else lies there. `kind` is a layer, "link" (a line to
   * a closed cluster), "sentence" or "closed" (a cluster as one node). */
  find(kind) {
    const { bench } = this.root(),
      box = document.querySelector(".pg-canvas").getBoundingClientRect();
    const isLink = (line) => /^[xl]/.test(line.id ?? "");
    const ofKind = (line) => (kind === "link" ? isLink(line) : line.layer === kind && !isLink(line));
    const things = ["sentence", "closed"].includes(kind)
      ? bench.scene.nodes.filter((node) => (node.cluster === undefined) === (kind === "sentence"))
      : bench.visible().filter(ofKind);
    for (const thing of things) {
      for (const t of thing.key ? [0] : [0.5, 0.4, 0.6, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8]) {
        const [x, y] = bench.spotOf(thing.key ?? thing.id ?? [thing.from, thing.to], t).map(Math.round);
        const inside = x > box.left + 3 && x < box.right - 110 && y > box.top + 3 && y < box.bottom - 3;
        if (inside && bench.thingAt({ x: x - box.left, y: y - box.top }) === thing) return { ...thing, x, y };
      }
    }
    return null;
  },

  /** The right-hand side, as it is read. */
  why() {
    const why = document.querySelector(".pg-why"),
      text = (found) => found?.textContent ?? null;
    const all = (selector, of = why) => [...of.querySelectorAll(selector)];
    const entries = (selector) =>
      all(selector).map((li) => ({
        sign: text(li.querySelector("b")),
        rows: text(li.querySelector("small")),
        texts: all(".pg-sentence", li).map(text)
      }));
    return {
      title: text(why.querySelector("h3")),
      badge: text(why.querySelector(".pg-badge")),
      said: text(why.querySelector("p")),
      whole: text(why.querySelector(".pg-whole")),
      pair: all(".pg-pair .pg-sentence").map(text),
      facts: Object.fromEntries(
        all(".pg-facts dt").map((dt) => [dt.textContent, text(dt.nextElementSibling)])
      ),
      steps: entries(".pg-steps li"),
      pairs: entries(".pg-pairs li"),
      rows: all("tbody tr").map((tr) => [...tr.children].map(text))
    };
  },

  /** Whether the desk of decisions says so. */
  says: (text) => document.querySelector(".pg-desk .pg-message").textContent.includes(text),

  /** The list of clusters, as it is read. */
  rows() {
    return [...document.querySelectorAll(".pg-item")].map((row) => {
      const [cluster, size, conflicts] = [...row.children].map(
        (cell) => +cell.textContent.replace(",", "") || 0
      );
      return {
        cluster,
        size,
        conflicts,
        current: row.getAttribute("aria-selected") === "true",
        marks: [...row.querySelectorAll("mark")].map((mark) => mark.textContent)
      };
    });
  },

  /** Has Python answered all that was asked? */
  settled() {
    const { asked, answered } = this.root().dataset;
    return Number(answered) >= Number(asked);
  },

  /** Wait until Python has heard what the page has set: it may hear models in a thread of its own, beside the
   * cell that a test runs. */
  async heard() {
    const models = await Promise.all(Object.values(this.root().bench.model.widget_manager?._models ?? {}));
    const isWaiting = ({ _pending_msgs }) => _pending_msgs;
    while (models.some(isWaiting)) await new Promise((done) => setTimeout(done, 10));
  },

  /** Has the page heard what Python has set? */
  follows(set) {
    const { model } = this.root().bench;
    const sorted = (value) =>
      value instanceof Object && !Array.isArray(value) ? Object.entries(value).sort() : value;
    const names = ["screen", "query", "selected", "layers"];
    return names.every(
      (name, i) => JSON.stringify(sorted(model.get(name))) === JSON.stringify(sorted(set[i]))
    );
  },

  /** Does the page show this conflict? */
  reviews(item) {
    return this.root().dataset.case === String(item) && this.settled();
  },

  painted: () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),

  /** Has the page put this where a person left it? */
  isPlaced(key) {
    return key in this.root().bench.model.get("placed");
  },

  stands([key, x, y]) {
    const spot = this.root().bench.spots()[key];
    return spot.x === x && spot.y === y;
  },

  /** Labels, nodes and lines as they are drawn, in pixels of the picture; a line as 41 points. */
  drawn() {
    const { bench } = this.root(),
      box = document.querySelector(".pg-canvas").getBoundingClientRect();
    const at = (...what) => {
      const [x, y] = bench.spotOf(...what);
      return [x - box.left, y - box.top];
    };
    const points = (id) => [...Array(41).keys()].map((i) => at(id, i / 40));
    return {
      width: box.width,
      height: box.height,
      nodes: Object.fromEntries(bench.scene.nodes.map(({ key }) => [key, at(key)])),
      labels: [...bench.labels()].map(([key, { left, top, w, h }]) => ({ key, left, top, w, h })),
      lines: bench.visible().map(({ id, from, to, tag }) => ({ from, to, tag, points: points(id) }))
    };
  },

  hits() {
    return [...this.root().bench.scene.hits];
  },

  /** Can an entry of the list of sentences be read? */
  isInView(key) {
    const [box, item] = [".pg-sentences", `.pg-sentences [data-key=${key}]`].map((one) =>
      document.querySelector(one).getBoundingClientRect()
    );
    return item.top >= box.top - 1 && item.bottom <= box.bottom + 1;
  },

  hasFocus() {
    return this.root().contains(document.activeElement);
  },

  isDrawn(key) {
    return this.root().bench.scene.nodes.some((node) => node.key === key);
  },

  searched(words) {
    return this.root().bench.model.get("listing").words === words;
  },

  isDark(dark) {
    return this.root().classList.contains("pg-dark") === dark;
  },

  cells: () =>
    [...window.jupyterapp.shell.currentWidget.content.model.cells].map((cell) => [
      cell.type,
      cell.sharedModel.getSource()
    ]),

  /** Elements that no sentence may become. */
  foreign: () =>
    [...document.querySelectorAll(".pg-bench-live *")].filter(({ tagName }) =>
      /^(img|script|a|svg|iframe|style|title)$/i.test(tagName)
    ).length,

  /** Parts wider than their frame. */
  wide: () =>
    [...document.querySelectorAll(".pg-bench-live, .pg-bench-live section, .pg-bar, .pg-case, .pg-case > *")]
      .filter((part) => part.scrollWidth > part.clientWidth + 1)
      .map((part) => part.className),

  /** Text with a contrast below 4.5 (WCAG 2, level AA), with what it stands on. */
  faint() {
    const pad = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const over = (colors) => {
      for (const color of colors) {
        pad.fillStyle = color;
        pad.fillRect(0, 0, 1, 1);
      }
      return [...pad.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = (rgb) =>
      rgb.map((v) => linear(v / 255)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const nameOf = ({ className, tagName, textContent }) =>
      `${className || tagName} "${textContent.slice(0, 30)}"`;
    const found = [];
    for (const element of document.querySelectorAll(".pg-bench-live *")) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!element.checkVisibility() || element.disabled || !hasText) continue;
      const behind = [];
      for (let e = element; e; e = e.parentElement) behind.unshift(getComputedStyle(e).backgroundColor);
      const ground = over(["#fff", ...behind]),
        ink = over([`rgb(${ground})`, getComputedStyle(element).color]);
      const [a, b] = [light(ground), light(ink)].sort((x, y) => x - y),
        ratio = (b + 0.05) / (a + 0.05);
      if (ratio < 4.5) found.push(`${nameOf(element)}: ${ink} on ${ground}, ${ratio.toFixed(2)}`);
    }
    return found;
  }
};
