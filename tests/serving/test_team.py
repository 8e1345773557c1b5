"""A team from other processes: who gets in, who is asked about what, what a kill leaves, and what is applied."""

import asyncio
import os
import shutil
import signal
import ssl
import stat
import subprocess
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import psutil
import pytest
import websocket

import paragraph as pg

from ..line import Line, load
from ..process import as_nobody, needs_root
from ..refused import refused
from .crew import PEOPLE, Person, crew

pytestmark = pytest.mark.network
OUTSIDE = {"refused", "pass"}  # all that is told to whoever is not let in
PAIRS = [(f"Is quokka {i} hot?", f"Is quokka {i} warm?", int(i % 3 > 0)) for i in range(24)]
SUSPECTS = ("--suspects", "--judge", "none")


def in_thread(function, *args):
    """Call a function in a thread of its own: the main one has an event loop once a browser ran in it."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function, *args).result()


def write(folder, rows=PAIRS):
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), folder / "my.tsv")


@pytest.fixture(scope="module")
def shared():
    """A team in a folder that another user may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        write(Path(folder))
        with crew(Path(folder), *SUSPECTS) as given:
            yield given
            assert given.end().splitlines()[-1] == "paragraph: interrupted"


def test_an_address_lets_in_once_and_a_new_one_sends_out(shared):
    entry = shared.entry("Ada")
    for who, given in (("Ada", entry[:-1]), ("Bo", entry), ("Ada", ""), ("Dee", entry), ([], entry), ("*clean", "")):
        assert Line(shared.place, {"who": who, "entry": given}).first.keys() == OUTSIDE
    ada, lead = shared.enter("Ada"), shared.enter("lead")
    assert "used already" in Line(shared.place, {"who": "Ada", "entry": entry}).first["refused"]
    assert shared.come_back(ada).pair == ada.pair
    for who, secret in (
        ("Ada", "x"),
        ("Bo", ada.key["secret"]),
        ("lead", ada.key["secret"]),
        ("Dee", ""),
        ("Ada", None),
    ):
        assert Line(shared.place, {"who": who, "secret": secret}).first.keys() == OUTSIDE
    people = {row["name"]: row for row in lead.overview()["people"]}
    assert people["Ada"]["here"] and people["Ada"]["address"] == "" and not people["Bo"]["here"]
    assert people["Bo"]["address"] == shared.addresses["Bo"]
    people = {row["name"]: row for row in lead.wish(renew="Ada")["people"]}
    shared.addresses["Ada"] = people["Ada"]["address"]
    with pytest.raises((ConnectionError, KeyError)):
        ada.ask()
    assert "new address" in Line(shared.place, ada.key).first["refused"]
    again = shared.enter("Ada")
    assert again.key["secret"] != ada.key["secret"] and again.pair == ada.pair
    assert shared.answers().empty


def test_what_a_person_may_not_do(shared):
    """The wishes of the lead are not those of a person; what is no request changes nothing."""
    bo = shared.enter("Bo")
    for said in ({"stop": True}, {"renew": "Ada"}, {"seen": 0, "intent": "decide"}, {"seen": []}):
        assert "refused" in bo.line.tell(said)
    assert bo.ask().case["item"] is not None and shared.answers().empty


def test_strangers(shared):
    status, headers, page = load(shared.place)
    assert status == 200 and "default-src 'none'" in headers["Content-Security-Policy"]
    assert not [word for word in ("quokka", *PEOPLE[:1]) if word in page.replace("Adapt", "")]
    port = shared.place.split(":")[2].strip("/")
    for host in (f"[::1]:{port}", f"localhost:{port}", f"evil.test:{port}", "127.0.0.1"):
        assert load(shared.place, host)[0] == 403
    for origin in ("null", "http://evil.test", f"http://localhost:{port}", f"http://[::1]:{port}"):
        with pytest.raises(websocket.WebSocketBadStatusException):
            Line(shared.place, {"who": "Cy", "entry": shared.entry("Cy")}, origin=origin)
    listening = [
        one.laddr for one in psutil.Process(shared.process.pid).net_connections("all") if one.status == "LISTEN"
    ]
    assert listening == [("127.0.0.1", int(port))]


@needs_root
def test_another_user_of_the_machine(shared):
    secrets = [shared.entry("Cy"), shared.enter("lead") if shared.addresses.pop("again", None) else "no such secret"]

    def attack():
        found = []
        for place in [
            *Path("/proc").glob("[0-9]*/cmdline"),
            *Path("/proc").glob("[0-9]*/environ"),
            *shared.folder.rglob("*"),
        ]:
            with suppress(OSError):
                found += [str(place) for secret in secrets if secret.encode() in place.read_bytes()]
        return found, Line(shared.place, {"who": "Cy", "secret": ""}).first

    found, told = as_nobody(attack)
    assert found == [] and told.keys() == OUTSIDE
    assert stat.S_IMODE(Path(f"{shared.log}.team").stat().st_mode) == 0o600


def test_nobody_gets_what_another_has_and_a_list_learns_from_all(tmp_path):
    write(tmp_path)
    with crew(tmp_path, *SUSPECTS) as given:
        lead, people = given.enter("lead"), [given.enter(name) for name in PEOPLE]
        for _ in range(4):
            assert len({person.pair for person in people}) == 3
            for person in people:
                person.decide("keep")
        answers = given.answers()
        asked = [frozenset(pair) for pair in answers[["text_a", "text_b"]].values.tolist()]
        assert len(set(asked)) == len(asked) == 12 and Counter(answers["reviewer"]) == dict.fromkeys(PEOPLE, 4)
        seen = lead.overview(lambda seen: seen["done"] == 12)
        assert [row["decided"] for row in seen["people"]] == [4, 4, 4] and "0 of 12 read" in seen["estimate"][0]
        random = [person.case["stated"] for person in people]
        assert sum("drawn at random" in text for text in random) == 0  # six were, of all people's together
        ada, bo, cy = people
        taken = bo.item
        for number in (taken, cy.item):  # a greedy person
            ada.ask("open", item=number)
            assert "somebody else" in ada.case["message"]
            before = len(given.answers())
            ada.decide("flip", number)
            assert ada.item not in (bo.item, cy.item) and len(given.answers()) == before
        assert bo.ask().item == taken
        skipped = ada.item
        ada.decide("skip")
        bo.ask("open", item=skipped)
        ada.ask("undo")  # and sees what is on another's screen
        assert ada.item == bo.item == skipped
        bo.decide("keep", skipped)  # who was there first
        assert len(given.answers()) == before + 1 and ada.ask().item != skipped
        taken = bo.item
        bo.close()
        time.sleep(0.5)
        ada.ask("open", item=taken)
        assert ada.item == taken  # the lease has ended with the line
        assert given.come_back(bo).item not in (taken, cy.item)
        lead.wish(stop=True)
        assert ada.hear("look") and ada.ask().item is None and "stopped" in ada.case["title"]
        lead.wish(stop=False)
        assert ada.ask().item is not None


def test_who_waits_is_left_in_peace(tmp_path):
    write(tmp_path, PAIRS[:2])
    with crew(tmp_path, *SUSPECTS, people=["Ada", "Bo"]) as given:
        ada, bo = given.enter("Ada"), given.enter("Bo")
        skipped = ada.item
        ada.decide("skip")
        bo.decide("keep")
        assert ada.ask().item == skipped and bo.ask().item is None  # what came back is on one screen
        for _ in range(2):  # at most the news of what was done before
            time.sleep(0.5)
            bo.ask()
        before = len(bo.line.said)
        for _ in range(3):
            time.sleep(0.5)
            bo.ask()
        assert len(bo.line.said) == before
        ada.decide("keep")
        assert len(given.answers()) == 2


def test_who_hurries_is_slowed(tmp_path, monkeypatch):
    """So that the server has time for the others."""
    write(tmp_path, PAIRS[:2])
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(tmp_path / "my.tsv"))
    review = pg.PairReview(graph, tmp_path / "team.db", reviewer="Dee")

    async def asked_at_once(times):
        team = pg.review_team(review, ["Ada"])
        line = SimpleNamespace(who="Ada", role="")
        refused = 0
        with monkeypatch.context() as still:
            still.setattr(time, "monotonic", lambda: 1000.0)
            for _ in range(times):
                try:
                    team.answer(line, {"seen": 0, "intent": "look"})
                except pg.PairsError:
                    refused += 1
        return refused

    assert 35 < in_thread(asyncio.run, asked_at_once(100)) < 45


def test_two_answer_each_and_a_third_settles_and_logs_apply_as_the_team_does(tmp_path):
    rows = [(f"{a} {i}", f"{b} {i}", int(b != "c" or a == "b")) for i in range(4) for a, b in ("ab", "bc", "ac")]
    write(tmp_path, rows)
    with crew(tmp_path, "--each", "2", people=[*PEOPLE, f"D. Ö/'{'é' * 50}"]) as given:
        lead = given.enter("lead")
        people = {name: given.enter(name) for name in given.addresses if name != "lead"}
        ways = dict(zip(people, ("flip", "keep", "flip", "ambiguous"), strict=True))
        asked = Counter()
        for _ in range(40):
            for name, person in people.items():
                if person.ask().item is not None:
                    asked[name, person.pair] += 1
                    person.decide(ways[name])
            if not any(person.item for person in people.values()):
                break
            time.sleep(0.4)
        assert set(asked.values()) == {1}  # nothing is asked twice of one person
        seen = lead.overview(lambda seen: seen["done"] == 4 and not seen["disputes"])  # a third has answered
        assert seen["agreement"][0][0] == "agreement"
        by_pair = Counter(pair for _, pair in asked)
        assert set(by_pair.values()) <= {2, 3} and sum(by_pair.values()) > 8
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(tmp_path / "my.tsv"))
    logs = []
    for i, name in enumerate(people):
        logs.append(tmp_path / f"{i}.db")
        pg.DecisionLog(logs[-1]).merge(pg.DecisionLog(given.log).records(name))
    for i, source in enumerate((given.log, logs)):
        pg.replay(source, graph).write(tmp_path / f"clean{i}.tsv")
    for ending in ("tsv", "decisions.tsv"):
        assert (tmp_path / f"clean0.{ending}").read_bytes() == (tmp_path / f"clean1.{ending}").read_bytes()


def test_the_lead_settles_what_two_people_cannot(tmp_path):
    write(tmp_path, PAIRS[:2])
    with crew(tmp_path, "--each", "2", *SUSPECTS, people=["Ada", "Bo"]) as given:
        lead, ada, bo = (given.enter(name) for name in ("lead", "Ada", "Bo"))
        for person, way in ((ada, "flip"), (bo, "keep"), (ada, "flip"), (bo, "keep")):
            assert person.ask().item is not None
            person.decide(way)
            time.sleep(0.4)
        seen = lead.overview(lambda seen: len(seen["disputes"]) == 2)
        number = seen["disputes"][0]["number"]
        assert "Ada: " in seen["disputes"][0]["why"] and ada.ask().item is None
        page = Person(Line(given.place, lead.key | {"at": number}))
        assert page.item == number
        page.decide("flip")
        lead.overview(lambda seen: len(seen["disputes"]) == 1)
        assert page.ask().item not in (None, number)
    assert len(pg.agreement(given.log).disputes) == 1


@pytest.mark.slow
def test_a_killed_team_goes_on_and_another_process_writes_into_the_log(tmp_path):
    write(tmp_path)
    acknowledged, people = [], {}
    for turn in range(3):
        with crew(tmp_path, *SUSPECTS) as given:
            if not people:
                place = given.place
                people = {name: given.enter(name) for name in PEOPLE}
            else:
                assert given.place == place and given.addresses.keys() == {"lead"}  # the others are known
                before = {name: person.pair for name, person in people.items()}
                people = {name: given.come_back(person) for name, person in people.items()}
                assert {name: person.pair for name, person in people.items()} == before  # each where they were
            for name, person in people.items():
                for _ in range(2):
                    acknowledged.append((name, person.pair))
                    person.decide("keep")
            if turn == 1:  # Ada answers in a notebook as well
                graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(tmp_path / "my.tsv"))
                elsewhere = next(pair for pair in map(frozenset, (row[:2] for row in PAIRS))
                                 if pair not in {pair for _, pair in acknowledged}
                                 and pair not in [person.pair for person in people.values()])  # fmt: skip
                a, b = sorted(elsewhere)
                stated = next(label for one, other, label in PAIRS if {one, other} == elsewhere)
                pg.DecisionLog(given.log, "Ada").add(a, b, stated, stated=stated)
                acknowledged.append(("Ada", elsewhere))
                time.sleep(0.1)
                assert graph.n
            given.end(signal.SIGKILL)
    answers = given.answers()
    found = zip(answers["reviewer"], map(frozenset, answers[["text_a", "text_b"]].values.tolist()), strict=True)
    assert sorted(map(str, found)) == sorted(map(str, acknowledged)) and len(acknowledged) == 19
    assert len({pair for _, pair in acknowledged}) == 19  # nothing was asked of two


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_certificate_encrypts(tmp_path):
    write(tmp_path)
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "both.pem").write_bytes((tmp_path / "cert.pem").read_bytes() + (tmp_path / "key.pem").read_bytes())
    with crew(tmp_path, *SUSPECTS, "--certificate", "both.pem") as given:
        assert given.place.startswith("https://127.0.0.1:") and "readable" not in given.said
        context = ssl.create_default_context(cafile=tmp_path / "cert.pem")
        ada = Person(Line(given.place, {"who": "Ada", "entry": given.entry("Ada")}, context=context))
        ada.decide("keep")
        assert len(given.answers()) == 1


def test_a_team_that_cannot_be(tmp_path):
    write(tmp_path)
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(tmp_path / "my.tsv"))
    review = pg.PairReview(pg.suspects(graph, progress=False), graph, tmp_path / "team.db", reviewer="Dee")
    refused("a team needs a notebook", in_thread, pg.review_team, review, ["Ada"])

    async def tried(*args, **options):
        pg.review_team(review, *args, **options)

    for why, people, options in [
        ("different names", ["Ada", "Ada"], {}), ("different names", ["Ada", "Dee"], {}),
        ("different names", [""], {}), ("list of names", "Ada", {}), ("each 0", ["Ada"], {"each": 0}),
        ("each pair goes to 3", ["Ada", "Bo"], {"each": 3}),
        ("not the address", ["Ada"], {"host": "0.0.0.0"}), ("not the address", ["Ada"], {"host": "localhost"}),
        ("nothing can listen", ["Ada"], {"host": "192.0.2.1"}),
        ("PEM file", ["Ada"], {"certificate": tmp_path / "my.tsv"}),
    ]:  # fmt: skip
        refused(why, in_thread, asyncio.run, tried(people, **options))
