"""A page in front of Python's model: what Python sets while the page still begins is shown, too."""

from paragraph.draw.page import source
from paragraph.widgets.pages import living

BEGIN = """
class Event { constructor(type) { this.type = type; } }
class EventTarget {
  calls = {};
  addEventListener(type, call) { (this.calls[type] ??= []).push(call); }
  dispatchEvent({ type }) { for (const call of this.calls[type] ?? []) call(); }
}
const queueMicrotask = (call) => Promise.resolve().then(call);
const held = { screen: 0 };
const python = new EventTarget();
const model = {
  get: (name) => held[name], set: (name, value) => { held[name] = value; }, save_changes() {},
  on: (event, call) => python.addEventListener(event, call)
};
let begin;
const adopted = [];
const kernelOf = (data, state) => new Promise((go) => {
  begin = () => go({ adopt: ({ names }) => adopted.push([names, state.screen]) });
});
"""
#: A cell makes the widget, sets its screen, and goes on; then the page has its first records.
CELL = """
livingModel({ traits: { screen: 0 }, data: {} }, { model, names: ["screen"] });
held.screen = 14;
python.dispatchEvent(new Event("change:screen"));
begin();
"""


def test_a_change_while_the_page_begins_is_taken_once_it_has_begun():
    from py_mini_racer import MiniRacer

    folder = living.__globals__["HERE"]
    engine = MiniRacer()
    engine.eval(f"{BEGIN}\n{source(folder / 'traits.js', folder / 'living.js')}\n{CELL}; 0")
    assert engine.eval("JSON.stringify(adopted)") == '[[["screen"],14]]'
