"""The Explorer's page in V8, without a browser: what it shows after each intent, in front of a kernel or saved."""

import json
import re

from paragraph.widgets.explorer.saved import KERNEL
from paragraph.widgets.explorer.widget import Explorer
from paragraph.widgets.pages.living import living

TRAITS = ("picture", "listing", "why", "dress", "selected")
START = """
const asks = [], errors = [], heard = [];
const model = { on: (_, call) => heard.push(call), send: (message) => asks.push(message) };
let state, answers;
const give = (changes) => Object.assign(state, changes);
const begin = (text, isSaved) => {
  const { traits, data } = JSON.parse(text);
  state = traits;
  kernelOf(data, state, give, isSaved ? undefined : model).then((own) => { answers = own; }, (error) => errors.push(error.stack));
};
const tell = ({ intent, ...content }) => { answers[intent](content)?.catch?.((error) => errors.push(String(error))); };
const adopt = (changes) => { give(changes); tell({ intent: "adopt", names: Object.keys(changes) }); };
"""


def in_v8():
    """An engine with the script of the Explorer."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(f"{Explorer._script}\n{living(KERNEL)}\n{START}")
    return engine


class Shown:
    """A page that shows an Explorer of a kernel, or one that was saved; `tell` says what a person does."""

    def __init__(self, explorer, saved=None):
        self.explorer, self.engine, self.asked = explorer, in_v8(), []
        if saved is not None:
            text = re.search(r'<script type="application/json" id="data">(.*?)</script>', saved, re.S)[1]
        else:
            names = ("screen", "asked", "looks", "layers", "placed", "selected", "given")
            traits = {name: getattr(explorer, name) for name in names}
            data = explorer.data | {"columns": explorer.data["columns"] | {
                name: column.tolist() for name, column in explorer._list.counts.items()}}  # fmt: skip
            text = json.dumps({"traits": traits | {"why": {}, "listing": {}, "picture": {}}, "data": data})
        self._run(f"begin({json.dumps(text)}, {json.dumps(saved is not None)})")

    def _run(self, code):
        """Run a script, and what the kernel answers, until nothing is asked any more."""
        self.engine.eval(f"{code}; 0")
        while asks := json.loads(self.engine.eval("JSON.stringify(asks.splice(0))")):
            for ask in asks:
                self.asked.append(ask["question"])
                parts = []
                self.explorer.send = lambda part, buffers=None, parts=parts: parts.append(part)
                self.explorer.on_ask(ask["key"], ask["question"], ask["content"])
                for part in parts:
                    self.engine.eval(f"for (const call of heard) call({json.dumps(part)}); 0")

    def tell(self, intent, **content):
        """Do something; returns what the page holds then."""
        if intent == "layers" and "layers" in content:
            self.engine.eval(f"give({json.dumps({'layers': content.pop('layers')})}); 0")
        self._run(f"tell({json.dumps({'intent': intent} | content)})")
        return self.held()

    def adopt(self, **traits):
        """Follow what Python sets."""
        self._run(f"adopt({json.dumps(traits)})")
        return self.held()

    def held(self):
        return json.loads(self.engine.eval(f"JSON.stringify(Object.fromEntries({json.dumps(TRAITS)}"
                                           ".map((name) => [name, state[name]])))"))  # fmt: skip

    @property
    def errors(self):
        return json.loads(self.engine.eval("JSON.stringify(errors.splice(0))"))
