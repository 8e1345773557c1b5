// The Triad Lab's second kernel: it answers the intents of the page as Python's Lab does (paragraph/widgets/lab), on graphs and
// exercises that Python drew. Progress stays in this browser, under a key of this lab; what is handed in is a file.

const BLANK = { tries: 0, hints: 0, solved: false, first_right: false, shown: false, seconds: 0 };

/** Texts kept in the browser under a key of this lab; where there is no storage, until the page is closed. */
function keptTexts(id) {
  const here = new Map(), key = (name) => `paragraph-lab ${id} ${name}`;
  return {
    get(name) { try { return here.get(name) ?? localStorage.getItem(key(name)); } catch { return null; } },
    set(name, text) { here.set(name, text); try { localStorage.setItem(key(name), text); } catch { /* none, or full */ } },
  };
}

/** Which of some sheets a name gets: the same on every machine, however it is spaced (FNV-1a). */
function sheetOf(name, many) {
  const letters = [...name.normalize("NFC").toLowerCase().trim().replace(/\s+/g, " ")];
  return (letters.reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0), 16777619) >>> 0, 2166136261) >>> 5) % many;
}

function kernelOf(data, state, give) {
  const { titles, bar } = data, last = titles.length, kept = keptTexts(data.id), since = {};
  let pupil = null, attempts = {}, place = 0, table = null, history = [], scene = 0;
  const exercise = () => (pupil && place > 0 && place <= last ? pupil.exercises[place - 1] : null), now = () => attempts[place], done = () => pupil.progress[place - 1];
  const draws = () => exercise()?.kind === "graph", picks = () => ["edges", "cycle"].includes(exercise()?.kind), isFree = () => place === 0;
  const key = (node) => `n${node}`, board = () => ({ n: table.nodes.length, edges: table.edges });
  const solved = () => pupil.progress.filter((one) => one.solved).length, keep = () => kept.set(pupil.student, record());

  // -- the table ------------------------------------------------------------------------------------------------------
  function lay({ name, note = "", nodes, edges }) {
    give({ placed: {}, selected: [] });
    [table, history] = [{ name, note, nodes, edges }, []];
    scene += 1;
  }
  /** Give an edge a sign; 0 takes it away. */
  function setSign([a, b], sign) {
    const others = table.edges.filter((edge) => !samePair(edge, [a, b])), turned = table.edges.map((edge) => (samePair(edge, [a, b]) ? [a, b, sign] : edge));
    history.push(table);
    table = { ...table, note: "", edges: graphOf(table.nodes.length, !sign ? others : others.length < table.edges.length ? turned : [...others, [a, b, sign]]).edges };
    if (exercise()) now().grade = null;
  }
  function undo() {
    if (!history.length) return;
    table = history.pop();
    if (exercise()) now().grade = null;
  }

  // -- the way through the sheet ----------------------------------------------------------------------------------------
  function go(number) {
    if (!Number.isInteger(number) || number < 0 || number > last + 1 || (number && !pupil)) return;
    if (exercise()) now().edges = table.edges;
    place = number;
    if (exercise()) resume();
    else lay(place ? { name: "summary", nodes: [], edges: [] } : data.starts[0]);
  }
  /** An exercise as it was left. */
  function resume() {
    const one = exercise();
    attempts[place] ??= { edges: one.edges, picked: [], camps: {}, typed: "", grade: null };
    since[place] ??= performance.now();
    lay({ name: one.title, nodes: one.nodes, edges: now().edges });
  }
  function clear() {
    delete attempts[place];
    resume();
  }
  /** A pupil begins, or goes on: the name chooses the sheet. */
  function start(name) {
    const student = name.trim().slice(0, 100), { seed, exercises } = data.sheets[sheetOf(student, data.sheets.length)];
    const fits = (one) => one && Object.entries(BLANK).every(([what, value]) => typeof one[what] === typeof value);
    let old = null;
    try { old = JSON.parse(kept.get(student)); } catch { /* damaged: begun anew */ }
    const progress = titles.map(({ number }) => ({ ...(old?.seed === seed && fits(old.progress?.[number]) ? old.progress[number] : BLANK) }));
    pupil = { student, seed, progress, exercises: exercises.map((one, i) => ({ ...titles[i], ...one, n: one.nodes.length })) };
    [attempts, place, save.hidden, begin.hidden] = [{}, 0, false, true];
    kept.set("", student);
    go(progress.findIndex((one) => !one.solved) + 1 || last + 1);
  }
  /** What is handed in: as `Sheet.to_json` writes it. */
  function record() {
    const { seed, student, progress } = pupil;
    return JSON.stringify({ seed, student, graph: data.graph, progress: Object.fromEntries(progress.map((one, i) => [i + 1, one])) });
  }
  function handIn() {
    const url = URL.createObjectURL(new Blob([record()], { type: "application/json" }));
    make("a", { href: url, download: `lab-${pupil.student.replace(/[^\p{L}\p{N}]+/gu, "-") || "pupil"}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  // -- answers ------------------------------------------------------------------------------------------------------
  function putInCamps(camps) {
    now().camps = camps;
    const rows = [...Array(data.camps).keys()].map((camp) => table.nodes.filter((_, node) => camps[node] === camp).map(({ text }) => text));
    now().typed = rows.filter((row) => row.length).map((row) => row.join(" ")).join(" | ");
  }
  function answer(typed) {
    const one = exercise(), own = now(), was = done(), seen = performance.now();
    if (typed !== undefined) own.typed = String(typed).slice(0, 2000);
    if (one.kind === "camps") {
      const camps = own.typed.split("|").map((part) => part.split(/\s+/)), of = ({ text }) => camps.findLastIndex((words) => words.includes(text));
      own.camps = Object.fromEntries(one.nodes.map((node, i) => [i, of(node)]).filter(([, camp]) => camp >= 0));
    }
    own.grade = grade();
    if (!was.solved && !was.shown) {
      Object.assign(was, { tries: was.tries + 1, solved: own.grade.correct, first_right: own.grade.correct && !was.tries, seconds: was.seconds + (seen - since[place]) / 1000 });
      since[place] = seen;
    }
    keep();
  }
  const grade = () => gradeAnswer(exercise(), picks() ? now().picked : draws() ? table.edges : now().typed);
  function hint() {
    done().hints = Math.min(done().hints + 1, exercise().hints.length);
    keep();
  }
  function solve() {
    if (!done().solved && done().tries < data.patience) return;
    done().shown ||= !done().solved;
    const { kind, solution } = exercise();
    clear();
    if (picks()) now().picked = solution;
    else if (kind === "camps") putInCamps(Object.fromEntries(solution.flatMap((nodes, camp) => nodes.map((node) => [node, camp]))));
    else if (draws()) lay({ ...table, edges: solution });
    else now().typed = solution;
    now().grade = grade();
    keep();
  }
  /** A node goes to the next camp, or two clicked one after the other are joined, where the exercise asks for that. */
  function clickNodes(before, chosen) {
    if (exercise()?.kind === "camps") {
      for (const node of chosen.slice(0, 1)) {
        const { camps } = now(), used = 1 + Math.max(-1, ...Object.entries(camps).filter(([other]) => Number(other) !== node).map(([, camp]) => camp));
        putInCamps({ ...camps, [node]: ((camps[node] ?? -1) + 1) % Math.min(used + 1, data.camps) });
        now().grade = null;
      }
      return true;
    }
    const pair = [...before, ...chosen];
    if (before.length !== 1 || chosen.length !== 1 || before[0] === chosen[0] || signOf(board(), pair) || !draws() || exercise().touch === "turn") return false;
    setSign(pair, signOf(exercise(), pair) ?? 1);
    return true;
  }

  // -- what is shown ------------------------------------------------------------------------------------------------
  const action = (text, intent, content = {}) => ({ text, intent, content }), control = (text, name, value = true) => action(text, "control", { name, value });
  const spoken = (verdict) => (verdict.balanced ? `✓ balanced, ${countCamps(verdict)} camp${countCamps(verdict) === 1 ? "" : "s"}` : "✗ not balanced");

  function verdictPanel() {
    const graph = board(), found = ["strong", "weak"].map((kind) => ({ ...judgeBalance(graph, kind), cycle: shortestUnbalanced(graph, kind) })), [strong, weak] = found;
    const product = ({ cycle }) => `${[...cycle, cycle[0]].map((node) => table.nodes[node].short).join(" – ")}: ${productOf(graph, cycle)}`;
    const cycles = found.filter((one) => one.cycle && (one === strong || String(one.cycle) !== String(strong.cycle)));
    const panel = { title: "Verdict", note: "Click a line to turn its sign.",
      facts: [...found.map((one) => [`${one.kind} balance`, spoken(one)]), ...cycles.map((one) => [`unbalanced (${one.kind})`, product(one)]),
        ["triads", countTriads(graph).map((count, kind) => `${KINDS[kind]}: ${count}`).join(", ").replaceAll("-", "−")]],
      text: strong.balanced ? `${countCamps(strong) === 1 ? "One camp" : "Two camps"}: every cycle has an even number of negatives.`
        : weak.balanced ? "More than two camps: friends of friends are friends, but enemies of enemies need not be."
          : "A path of positives is contradicted by one negative: no camps agree with every edge." };
    const cycle = weak.cycle ?? strong.cycle;
    return cycle ? { ...panel, highlight: { nodes: cycle.map(key), edges: stepsOf(cycle.map(key)), soft: true } } : panel;
  }

  function questionPanel() {
    const one = exercise(), { picked, camps, typed, grade } = now(), { tries, hints, shown, solved } = done(), sent = (text) => ({ ...action(text, "answer", { answer: text }), pressed: text === typed });
    const called = (node) => (one.nodes[node].sentence ? String(node + 1) : one.nodes[node].text);
    const changed = draws() && (table.edges.length !== one.edges.length || table.edges.some((edge) => signOf(one, edge) !== edge[2]));
    const edges = picked.map((pair) => pair.map(key)), halo = (grade?.marks ?? []).map(([a, b, sign]) => [key(a), key(b), sign]);
    return {
      title: `Exercise ${place}, level ${one.level}`, text: one.question, choices: one.choices.map(sent), how: data.how[one.touch || one.kind],
      actions: [(picks() || draws()) && action("Check", "answer"), (picked.length || Object.keys(camps).length || changed) && control("Start again", "clear"),
        hints < one.hints.length && action(`Hint ${hints + 1} of ${one.hints.length}`, "hint"), grade && !grade.correct && (solved || tries >= data.patience) && control("Show a solution", "solve"),
        (solved || shown) && control("Next ›", "next")].filter(Boolean),
      facts: picked.length ? [["chosen", picked.map((pair) => pair.map(called).sort().join("–")).join(", ")]] : [], hints_title: "Hints", hints: one.hints.slice(0, hints),
      ...((solved || shown) && { done: solved ? `✓ solved at try ${tries}` : "solution shown" }), ...(data.asked[one.kind] && { ask: { hint: data.asked[one.kind], value: typed } }),
      ...(grade && { grade: { badge: grade.correct ? "right" : "not yet", text: grade.message } }), ...(one.pairs.length && { pairs_title: "The sentences", pairs: one.pairs }),
      ...((edges.length || halo.length) && { highlight: { nodes: [...new Set([...edges, ...halo].flatMap(([a, b]) => [a, b]))], edges, soft: true, halo } }),
    };
  }

  /** The line of Python's report. */
  function reportLine() {
    const all = pupil.progress.map((one, i) => ({ ...one, number: i + 1 })), sum = (what) => all.reduce((total, one) => total + one[what], 0), count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
    const which = all.filter((one) => one.solved).map(({ number, tries }) => (tries > 1 ? `${number} (${tries} tries)` : number)).join(", "), tried = all.filter((one) => !one.solved && one.tries).map(({ number }) => number);
    return `${pupil.student.split(/\s+/).join(" ") || "(no name)"}, sheet ${pupil.seed}: ${solved()} of ${last} exercises solved: ${which || "none"}${tried.length ? `; tried: ${tried.join(", ")}` : ""}; `
      + `${count(sum("tries"), "try", "tries")} and ${count(sum("hints"), "hint", "hints")} in all${sum("shown") ? `, ${count(sum("shown"), "solution", "solutions")} shown` : ""}. (Own report, no proof.)`;
  }
  function summaryPanel() {
    const open = pupil.progress.findIndex((one) => !one.solved) + 1, mark = (one) => (one.solved ? "✓" : one.shown ? "shown" : one.tries ? "·" : "");
    return { title: "Summary", text: open ? `${last - solved()} are left, the first is ${open}.` : "All exercises are solved.",
      actions: [open && control(`To exercise ${open}`, "exercise", String(open)), control("Save the file to hand in", "hand in")].filter(Boolean),
      facts: [["solved", `${solved()} of ${last}`], ["at the first try", String(pupil.progress.filter((one) => one.first_right).length)]], copy: { title: "For your teacher: copy this line", text: reportLine() },
      table: { title: "Exercise by exercise", head: data.head, rows: titles.map(({ number, title }, i) => [String(number), title, mark(pupil.progress[i]), String(pupil.progress[i].tries || ""), String(pupil.progress[i].hints || "")]) } };
  }

  function picture() {
    const one = exercise(), graph = board(), weak = isFree() && judgeBalance(graph, "weak"), camps = one ? now().camps : weak?.balanced ? weak.camps : {};
    const touch = one ? one.touch : "turn", hinted = picks() ? "Click to choose it, or not to." : { away: "Click to take it away.", "": "" }[touch] ?? "Click to turn the sign.";
    const title = one ? `Exercise ${place}: ${one.title}` : place ? `Summary: ${solved()} of ${last} exercises solved`
      : `${table.name[0].toUpperCase()}${table.name.slice(1)}: ${graph.n} nodes, ${graph.edges.filter(isPositive).length} +, ${graph.edges.filter(isNegative).length} −`;
    return { scene, view: "lab", title, note: table.note, inferred: [], farthest: 1, nodes: table.nodes.map((node, i) => (camps[i] === undefined ? node : { ...node, camp: camps[i] })),
      edges: graph.edges.map(([a, b, sign]) => ({ id: `e${key(a)}-${key(b)}`, from: key(a), to: key(b), sign, layer: sign > 0 ? "positive" : "negative", count: 1, text: `${symbol(sign)} ${hinted}`.trim() })) };
  }
  function controls() {
    const off = (name, disabled) => ({ ...bar[name], disabled }), gap = { kind: "gap" };
    const options = () => [["0", "free play"], ...titles.map(({ number, title }, i) => [String(number), `${pupil.progress[i].solved ? "✓ " : ""}${number}. ${title}`]), [String(last + 1), "summary"]];
    const way = pupil && [off("before", place <= 1), { ...bar.exercise, value: String(place), options: options() }, off("next", place > last),
      { ...bar.place, text: `${exercise() ? `${place} / ${last} · ` : ""}${solved()} solved` }, isFree() && gap];
    return [...(way || []), isFree() && { ...bar.start, value: table.name, options: data.starts.map(({ name }) => [name, name]) },
      (isFree() || draws()) && off("undo", !history.length), ...(place > last ? [] : [gap, bar.legend])].filter(Boolean);
  }
  function show() {
    const all = controls(), there = all.map((one) => one.key);
    give({ picture: picture(), controls: all, shortcuts: { ...data.help, keys: data.help.keys.filter(([name, keys]) => data.always.includes(name) || keys.some((one) => there.includes(one))) },
      why: { ...(place > last ? summaryPanel() : exercise() ? questionPanel() : verdictPanel()), n: (state.why.n ?? 0) + 1 } });
  }

  // -- intents ------------------------------------------------------------------------------------------------------
  const CONTROLS = {
    exercise: (number) => go(Number(number)), before: () => go(Math.max(1, place - 1)), next: () => go(Math.min(last + 1, place + 1)),
    clear: () => exercise() && clear(), solve: () => exercise() && solve(), "hand in": () => pupil && handIn(), undo: () => (isFree() || draws()) && undo(),
    start: (name) => isFree() && lay(data.starts.find((one) => one.name === name)),
  };
  // Above the picture: the name that chooses the sheet, and the file to hand in.
  const begun = () => field.value.trim() && document.querySelector(".pg-bench-live").bench.model.send({ intent: "start", n: 0, name: field.value });
  const field = make("input", { name: "pupil", maxlength: 100, autocomplete: "off", value: kept.get("") ?? "",
    on: { keydown: ({ key: one }) => one === "Enter" && begun(), input: () => { begin.hidden = field.value.trim() === pupil?.student; } } });
  const begin = make("button", { text: "Start the exercises", on: { click: begun } });
  const save = make("button", { text: "Save the file to hand in", hidden: true, on: { click: handIn } });
  document.querySelector("header").append(make("label", {}, "Your name ", field), begin, save,
    make("details", {}, make("summary", { text: "On a phone" }), make("p", { text: data.phone })));

  lay(data.starts[0]);
  show();
  const thenShow = (act) => (content) => { act(content); show(); }, atWork = (act) => thenShow((content) => exercise() && act(content));
  const answers = {
    ready() {}, expand() {}, start: thenShow(({ name }) => start(name)), hint: atWork(hint), answer: atWork((content) => answer(content.answer)),
    control: thenShow(({ name, value }) => CONTROLS[name](value)), show: (content) => answers.select({ keys: [content.key] }),
    edge: thenShow(({ id }) => {
      const [a, b, sign] = table.edges.find((edge) => id === `e${key(edge[0])}-${key(edge[1])}`), pair = [a, b], touch = exercise()?.touch, rest = now()?.picked.filter((one) => !samePair(one, pair));
      if (picks()) Object.assign(now(), { grade: null, picked: rest.length < now().picked.length ? rest : [...rest, pair] });
      else if (isFree() || draws()) setSign(pair, touch === "away" || (touch === "draw" && sign < 0) ? 0 : -sign);
    }),
    select: thenShow(({ keys }) => {
      const nodes = (some) => some.map((one) => table.nodes.findIndex((node) => node.key === one)).filter((node) => node >= 0), chosen = nodes(keys);
      if (chosen.length || !keys.length) give({ selected: clickNodes(nodes(state.selected), chosen) ? [] : chosen.map(key) });
    }),
  };
  return answers;
}
