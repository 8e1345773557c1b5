"""Pages in V8, without a browser: what an Explorer shows after each intent, and what a review makes of records."""

import json
import re
from functools import cache
from pathlib import Path

from paragraph.draw.page import source
from paragraph.widgets import base
from paragraph.widgets.base.records import about, clusters
from paragraph.widgets.explorer.saved import KERNEL
from paragraph.widgets.explorer.widget import Explorer
from paragraph.widgets.pages.living import living
from paragraph.widgets.review.desk import Review

TRAITS = ("picture", "listing", "why", "selected")
SHARED = ("screen", "query", "layers", "placed", "selected", "prefetched")
START = """
const asks = [], errors = [], heard = [];
const model = { on: (_, call) => heard.push(call), send: (message) => asks.push(message) };
let state, answers;
const give = (changes) => Object.assign(state, changes);
const begin = (text, isSaved) => {
  const { traits, data } = JSON.parse(text);
  state = traits;
  kernelOf(data, state, give, isSaved ? undefined : model).then(
    (own) => { answers = own; },
    (error) => errors.push(error.stack)
  );
};
const tell = ({ intent, ...content }) => {
  answers[intent](content)?.catch?.((error) => errors.push(String(error)));
};
const adopt = (changes) => { give(changes); tell({ intent: "adopt", names: Object.keys(changes) }); };
"""


def in_v8():
    """An engine with the script of the Explorer."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(f"{Explorer._script}\n{living(KERNEL)}\n{START}")
    return engine


class Shown:
    """A page that shows an Explorer of a kernel, or one that was saved.

    `tell` says what a person does, `follow` what Python has set; both return what the page holds then, and Python
    hears of what the page has changed.
    """

    def __init__(self, explorer, saved=None):
        self.explorer, self.engine, self.asked = explorer, in_v8(), []
        if saved is not None:
            text = re.search(r'<script type="application/json" id="data">(.*?)</script>', saved, re.S)[1]
        else:
            data = explorer.data | {"columns": explorer.data["columns"] | {
                name: column.tolist() for name, column in explorer._list.counts.items()}}  # fmt: skip
            self._known = self._shared()
            traits = self._known | {"why": {}, "listing": {}, "picture": {}}
            text = json.dumps({"traits": traits, "data": data})
        self._run(f"begin({json.dumps(text)}, {json.dumps(saved is not None)})")

    def _shared(self):
        return json.loads(json.dumps({name: getattr(self.explorer, name) for name in (*SHARED, "decided", "shown")}))

    def _run(self, code):
        """Run a script, and what the kernel answers, until nothing is asked any more."""
        self.engine.eval(f"{code}; 0")
        self.asked += answered(self.engine, self.explorer)

    def read(self, *names):
        names = json.dumps(names)
        return json.loads(
            self.engine.eval(f"JSON.stringify(Object.fromEntries({names}.map((name) => [name, state[name]])))")
        )

    def tell(self, intent, **content):
        if intent == "layers" and "layers" in content:
            self.engine.eval(f"give({json.dumps({'layers': content.pop('layers')})}); 0")
        self._run(f"tell({json.dumps({'intent': intent} | content)})")
        return self.held()

    def told(self, intent, **content):
        """`tell`, and Python hears of it."""
        held = self.tell(intent, **content)
        with self.explorer.hold_sync():
            for name, value in self.read(*SHARED).items():
                setattr(self.explorer, name, value)
        self._known = self._shared()
        return held

    def follow(self):
        now = self._shared()
        changed = {name: value for name, value in now.items() if value != self._known[name]}
        self._known = now
        if changed:
            self._run(f"adopt({json.dumps(changed)})")
        return self.held()

    def held(self):
        return self.read(*TRAITS)

    @property
    def errors(self):
        """What made no sense, since it was asked last."""
        return json.loads(self.engine.eval("JSON.stringify(errors.splice(0))"))


REVIEWED = """
class Event {}
class EventTarget { dispatchEvent() {} }
const asks = [], heard = [];
let page;
const begin = (traits) => {
  page = reviewModel({
    get: (name) => traits[name],
    on: (event, call) => event === "msg:custom" && heard.push(call),
    send: (message) => asks.push(message)
  });
};
"""
EXPLAINED = """
const explained = (about, records, chosen) => {
  const graph = signedGraph(about);
  graph.add(records);
  return chosen.map((keys) => reasonsOf(graph).of(keys, null));
};
"""


@cache
def _engine(script):
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(script)
    return engine


def _value(engine, code):
    return json.loads(engine.eval(f"JSON.stringify({code})"))


def answered(engine, widget):
    """Have Python answer all that a page asks; the questions."""
    questions = []
    while asks := _value(engine, "asks.splice(0)"):
        for ask in asks:
            questions.append(ask["question"])
            parts = []
            widget.send = parts.append
            widget.on_ask(ask["key"], ask["question"], ask["content"])
            for part in parts:
                engine.eval(f"for (const call of heard) call({json.dumps(part)}); 0")
    return questions


def reviewed(review, *acts):
    """What the page of a review makes, `picture`, `why`, `selected` and `desk`, after intents ``(name, content)``."""
    engine = _engine(f"{Review._script}\n{REVIEWED}")
    traits = {name: getattr(review, name) for name in ("data", "words", "case", "layers", "shortcuts")}
    intents = [f"page.here({json.dumps(name)}, {json.dumps(content)})" for name, content in acts]
    for act in (f"begin({json.dumps(traits)})", *intents):
        engine.eval(f"{act}; 0")
        answered(engine, review)
    return {name: _value(engine, f"page.get({name!r})") for name in ("picture", "why", "selected", "desk")}


def differing(left, right):
    """Two sentences as spans, those that the other lacks marked."""
    return _value(_engine(Review._script), f"wordDiff({json.dumps(left)}, {json.dumps(right)})")


def explained(graph, chosen):
    """What a page that holds all of a graph says of sentences that are chosen, some numbers each."""
    parts = [Path(base.__file__).with_name(f"{name}.js") for name in ("signed", "reasons")]
    engine = _engine(f"{Review._script}\n{source(*parts)}\n{EXPLAINED}")
    told = clusters(graph, range(len(graph.cluster_sizes)), [], [], [])
    keys = [[f"n{node}" for node in nodes] for nodes in chosen]
    return _value(engine, f"explained({', '.join(map(json.dumps, (about(graph), told, keys)))})")
