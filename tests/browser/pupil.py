"""Someone at the Lab, in a page or in a notebook: clicks, types, and reads what is shown."""

import itertools
import json

import networkx as nx


class Pupil:
    def __init__(self, seen):
        self.seen, self.page = seen, seen.page
        self.page.wait_for_selector(".pg-bench[data-why]")

    def begin(self, name):
        self.page.fill("[name=pupil]", name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("[data-control=exercise]")

    def trait(self, name):
        return self.page.evaluate("(name) => document.querySelector('.pg-bench').bench.model.get(name)", name)

    @property
    def nodes(self):
        return self.trait("picture")["nodes"]

    @property
    def edges(self):
        return self.trait("picture")["edges"]

    def texts(self):
        return [node["text"] for node in self.nodes]

    def signs(self, key):
        return [edge["sign"] for edge in self.edges if edge["from"] == key]

    def facts(self):
        """What is said of the graph, without what keeps a line from breaking."""
        return {name: text.replace("\u2060", "").replace("\u00a0", " ") for name, text in self.trait("why")["facts"]}

    def go(self, number):
        self.page.select_option("[data-control=exercise]", str(number))
        self.settle()

    def start(self, name):
        self.page.select_option("[data-control=start]", name)
        self.settle()

    def press(self, *keys):
        self.page.locator(".pg-bench").focus()
        for key in keys:
            self.page.keyboard.press(key)

    def settle(self):
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def click(self, what):
        """Click a node or a line of the picture, by its key or id."""
        bench = self.page.locator(".pg-bench")
        bench.evaluate("root => root.querySelector('.pg-stage').scrollIntoView({ block: 'center' })")
        # Near an end of a line that others cross, another may be hit: a place is looked for where it is this one.
        spot = bench.evaluate(
            """(root, what) => {
                const { left, top } = root.querySelector(".pg-canvas").getBoundingClientRect();
                const hit = (spot) => root.bench.thingAt({ x: spot[0] - left, y: spot[1] - top });
                const spots = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].map((share) => root.bench.spotOf(what, share));
                return spots.find((spot) => [hit(spot)?.key, hit(spot)?.id].includes(what)) ?? null;
            }""",
            what,
        )
        assert spot, f"{what} cannot be clicked"
        self.page.mouse.click(*spot)
        self.settle()

    def line(self, a, b):
        lines = {frozenset((one["from"], one["to"])): one["id"] for one in self.edges}
        return lines.get(frozenset((a, b)))

    def camp(self, key):
        return next(node.get("camp") for node in self.nodes if node["key"] == key)

    def restart(self):
        again = self.page.get_by_role("button", name="Start again")
        if again.count():
            again.click()
            self.settle()

    def answer(self, one, answer):
        """Answer an exercise as `solutions` writes answers: by a button, by typing, or by clicks and Check."""
        key = {node: f"n{i}" for i, node in enumerate(one.graph)}
        if one.kind == "choice":
            self.page.locator(".pg-action").get_by_text(answer, exact=True).click()
        elif one.kind == "number":
            self.page.locator(".pg-why input").fill(str(answer))
            self.page.keyboard.press("Enter")
        else:
            self.restart()
            if one.kind == "camps":
                for camp, nodes in enumerate(answer):
                    for node in nodes:
                        while self.camp(key[node]) != camp:
                            self.click(key[node])
            elif one.kind in ("draw", "turn"):
                self._draw({frozenset((key[a], key[b])): sign for a, b, sign in answer.edges(data="sign")})
            else:
                for a, b in around(answer) if one.kind == "cycle" else answer:
                    self.click(self.line(key[a], key[b]))
            self.page.locator(".pg-why").get_by_text("Check", exact=True).click()
        self.settle()

    def _draw(self, wanted):
        there = {frozenset((one["from"], one["to"])): one["sign"] for one in self.edges}
        for pair in sorted(there.keys() | wanted.keys(), key=sorted):
            a, b = sorted(pair)
            if pair not in there:
                self.click(a)
                self.click(b)
            if pair not in wanted or wanted[pair] != there.get(pair, 1):
                self.click(self.line(a, b))
        self.page.keyboard.press("Escape")

    def hand_in(self, folder):
        """Save the file to hand in; return its path, and what it holds."""
        make = "URL.createObjectURL = (blob) => { window.handedIn = blob.type; return make(blob); }"
        self.page.evaluate(f"() => {{ const make = URL.createObjectURL; {make} }}")
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Save the file to hand in").first.click()
        assert self.page.evaluate("window.handedIn") == "application/json"
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path, json.loads(path.read_text(encoding="utf-8"))


def around(nodes):
    nodes = list(nodes)
    return list(zip(nodes, nodes[1:] + nodes[:1], strict=True))


def wrong_and_right(one):
    right = next(one.solutions())
    if one.kind == "choice":
        return next(choice for choice in one.choices if choice != right), right
    if one.kind == "number":
        return right + 1, right
    if one.kind == "camps":
        return [set(one.graph)], right
    if one.kind == "cycle":
        wrong = next(cycle for cycle in nx.simple_cycles(one.graph) if set(cycle) not in map(set, one.solutions()))
        return wrong, right
    if one.kind == "edges":
        every = [set(map(frozenset, answer)) for answer in one.solutions()]
        some = map(list, itertools.combinations(one.graph.edges, len(right)))
        return next(edges for edges in some if set(map(frozenset, edges)) not in every), right
    wrong = nx.Graph(right)
    a, b, sign = next(iter(wrong.edges(data="sign")))
    if one.kind == "draw":
        wrong.remove_edge(a, b)
    else:
        wrong.edges[a, b]["sign"] = -sign
    return wrong, right
