"""A team that the command serves, and the people in it, each at a line of their own."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from itertools import takewhile
from urllib.parse import unquote

import paragraph as pg

from ..growth import HUNG
from ..line import Line

PEOPLE = ["Ada", "Bo", "Cy"]


class Crew:
    """A process that serves a team, and the addresses that it prints."""

    def __init__(self, folder, *options, people=PEOPLE):
        self.folder, self.log = folder, folder / "team.db"
        command = [sys.executable, "-m", "paragraph", "review", "my.tsv", "--reviewer", "lead", "--log", "team.db"]
        command.append("--no-browser")
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": folder}
        environment = os.environ | {"TMPDIR": str(folder)}
        self.process = subprocess.Popen([*command, "--people", ",".join(people), *options], env=environment, **pipes)
        self.said = "".join(
            takewhile(lambda line: line and "Ctrl-C" not in line, iter(self.process.stdout.readline, ""))
        )
        assert self.process.poll() is None, self.process.stderr.read()
        self.addresses = dict(re.findall(r"^(\S.*): (http\S+)$", self.said, re.MULTILINE))
        self.place = next(iter(self.addresses.values())).split("#")[0]

    def entry(self, name):
        """The secret at the end of somebody's address."""
        who, _, entry = self.addresses[name].split("#")[1].split("/")
        assert unquote(who) == name
        return entry

    def enter(self, name, **more):
        return Person(Line(self.place, {"who": name, "entry": self.entry(name)} | more))

    def come_back(self, person):
        """The page of somebody whose line was lost."""
        first = person.key | {"at": person.item}
        return Person(Line(self.place, first, given=person.passes.pop(), who=person.key["who"]))

    def answers(self):
        return pg.DecisionLog(self.log).answers()

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        return self.process.communicate(timeout=HUNG)[1].strip()


@contextmanager
def crew(folder, *options, **more):
    given = Crew(folder, *options, **more)
    try:
        yield given
    finally:
        given.process.kill()
        given.process.communicate()


class Person:
    """Somebody at a page: `case` is what it shows."""

    def __init__(self, line):
        self.line, first = line, line.first
        assert "refused" not in first, first
        self.key = {"who": first["who"], "secret": first["secret"]}
        self.passes = first["passes"]
        self.seen, self.traits = first.get("now", 0), first.get("traits", {})
        self.lead = first.get("lead")

    @property
    def case(self):
        return self.traits["case"]

    @property
    def item(self):
        """The number of the item on screen."""
        return self.case["item"] if self.traits else None

    @property
    def pair(self):
        return frozenset(
            side if isinstance(side, str) else "".join(text for text, _ in side) for side in self.case["pair"]
        )

    def ask(self, intent="look", **content):
        answer = self.line.tell({"seen": self.seen, "intent": intent, **content})
        self.seen = answer["now"]
        self.traits |= answer["traits"]
        return self

    def decide(self, decision, item=None):
        return self.ask("decide", item=item or self.item, decision=decision)

    def wish(self, **content):
        """What the lead wants done; the overview once it is."""
        self.line.socket.send(json.dumps(content | {"n": "wish"}))
        while self.hear("n")["n"] != "wish":
            pass
        return self.overview()

    def hear(self, name):
        """News of a kind that come by themselves."""
        while name not in (news := json.loads(self.line.socket.recv())):
            pass
        return news

    def overview(self, holds=lambda seen: True):
        """What the lead sees, once something holds of it."""
        while not holds(seen := self.hear("lead")["lead"]):
            pass
        return seen

    def close(self):
        self.line.close()
