"""Fetching datasets, against a real server on this machine that misbehaves on request."""

import hashlib
import io
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import paragraph as pg
from paragraph.files.errors import as_pairs_error
from paragraph.pairs.datasets import DATASETS
from paragraph.pairs.fetch import _unpack, fetch
from paragraph.pairs.layouts import Download, Release

from ..refused import refused

pytestmark = pytest.mark.network

BODY = b"".join(b"line %d of a file that takes a while\n" % i for i in range(20_000))
CHANGED = BODY.replace(b"while", b"WHILE")


class Server(ThreadingHTTPServer):
    """Serves `body`; the attributes say how badly. `asked` counts requests."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.breaks, self.status, self.headers, self.asked = BODY, None, 200, {}, 0

    def handle_error(self, request, client_address):
        """A client that hangs up early is part of the tests."""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/files/data.tsv?download=1"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        server = self.server
        server.asked += 1
        if server.status not in (200, 302):
            return self.send_error(server.status)
        self.send_response(server.status)
        for name, value in ({"Content-Length": str(len(server.body))} | server.headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(server.body[: server.breaks])


@pytest.fixture
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def small(server, sha256=None, members=()):
    sources = [Download(server.url, sha256, members)]
    return Release("small", title="A small file", terms="Do as you like.", link="about:blank", sources=sources)


def sha(data):
    return hashlib.sha256(data).hexdigest()


def names(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_whole_file(server, tmp_path, capsys):
    (path,) = fetch(small(server), tmp_path, accept=True)
    assert path == tmp_path / "small" / "data.tsv" and path.read_bytes() == BODY
    assert names(tmp_path) == ["data.tsv"]
    shown = capsys.readouterr()
    assert "Do as you like." in shown.err and "data.tsv: 100%" in shown.err and shown.out == ""
    assert fetch(small(server), tmp_path) == [path] and server.asked == 1  # not even for the terms


@pytest.mark.parametrize("server_is, said", [
    ({"breaks": 81_920}, "81920 bytes read"), ({"status": 404}, "HTTPError: 404"),
    ({"status": 302, "headers": {"Location": "/again"}}, "TooManyRedirects"),
    ({"status": 302, "headers": {"Location": "ftp://nowhere.example/x"}}, "InvalidSchema"),
    ({"status": 302, "headers": {"Location": "http://127.0.0.1:9/x"}}, "Connection"),
])  # fmt: skip
def test_what_goes_wrong_on_the_way_leaves_nothing(server, tmp_path, server_is, said):
    vars(server).update(server_is)
    assert "or put data.tsv into" in refused(said, fetch, small(server), tmp_path, accept=True)
    assert names(tmp_path) == []


def test_other_bytes_than_the_known_hash(server, tmp_path):
    server.body, said = CHANGED, f"SHA-256 {sha(CHANGED)}, not {sha(BODY)}"
    refused(said, fetch, small(server, sha(BODY)), tmp_path, accept=True)
    assert names(tmp_path) == []


def test_a_file_put_there_by_hand_is_taken(tmp_path):
    (tmp_path / "mqp").mkdir()
    (tmp_path / "mqp" / "mqp.csv").write_text("mine")
    assert fetch("mqp", tmp_path) == [tmp_path / "mqp" / "mqp.csv"] and names(tmp_path) == ["mqp.csv"]


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in files.items():
            pack.writestr(name, text)
    return data.getvalue()


def tarred(files, link=None):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as pack:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            if link:
                info.type, info.linkname = tarfile.SYMTYPE, link
            pack.addfile(info, io.BytesIO(text))
    return data.getvalue()


FILES = {"final/train.tsv": b"a\tb\t1\n" * 999, "final/dev.tsv": b"c\td\t0\n", "../../evil.tsv": b"evil"}


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_members_of_an_archive_and_none_written_outside(server, tmp_path, pack):
    server.body, members = pack(FILES), ("final/train.tsv", "final/dev.tsv", "../../evil.tsv")
    folder = tmp_path / "deep" / "down"
    train, dev, evil = fetch(small(server, members=members), folder, accept=True)
    assert [path.read_bytes() for path in (train, dev, evil)] == [*FILES.values()]
    assert names(tmp_path) == ["dev.tsv", "evil.tsv", "train.tsv"]
    assert {p.parent for p in tmp_path.rglob("*") if p.is_file()} == {folder / "small"}
    dev.unlink()
    fetch(small(server, members=members), folder, accept=True)
    assert dev.exists()


@pytest.mark.parametrize("body, member, said", [
    (zipped(FILES), "final/test.tsv", "no item named 'final/test.tsv'"),
    (tarred(FILES), "final/test.tsv", "'final/test.tsv' not found"),
    (tarred({"train.tsv": b""}, link="/etc/hostname"), "train.tsv", "cannot be used"),  # a link is no member
    (zipped(FILES)[:-30], "final/train.tsv", "cannot be used"), (tarred(FILES)[:-30], "final/train.tsv", "EOFError"),
    (b"not an archive", "final/train.tsv", "ReadError"), (b"", "final/train.tsv", "ReadError"),
])  # fmt: skip
def test_an_archive_without_the_member(server, tmp_path, body, member, said):
    server.body = body
    refused(said, fetch, small(server, members=(member,)), tmp_path, accept=True)
    assert names(tmp_path) == []


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_any_byte_of_an_archive_damaged(tmp_path, pack):
    good, text = pack(FILES), FILES["final/dev.tsv"]
    outcomes = set()
    for at in range(0, len(good), 3):
        (tmp_path / "archive").write_bytes(good[:at] + bytes([good[at] ^ 0x5A]) + good[at + 1 :])
        try:
            with as_pairs_error("archive", "fetch it again"):
                _unpack(tmp_path / "archive", ["final/dev.tsv"])
            outcomes.add("unpacked")
            assert (tmp_path / "dev.tsv").read_bytes() == text
        except pg.PairsError:
            outcomes.add("refused")
    assert outcomes == {"unpacked", "refused"}


def test_own_files_are_not_overwritten(server, tmp_path):
    server.body, mine = zipped(FILES), tmp_path / "small" / "train.tsv"
    mine.parent.mkdir()
    mine.write_text("mine")
    dataset = small(server, members=("final/train.tsv", "final/dev.tsv"))
    fetch(dataset, tmp_path, accept=True)
    assert mine.read_text() == "mine" and names(tmp_path) == ["dev.tsv", "train.tsv"]


def test_terms_are_shown_and_must_be_accepted(server, tmp_path, capsys):
    refused("accept=True, or --yes", fetch, small(server), tmp_path)
    assert "Do as you like." in capsys.readouterr().err and not server.asked


def test_an_unknown_name_and_a_folder_that_cannot_be_written(server, tmp_path):
    refused("unknown dataset 'qpq'; there are: qqp, ", fetch, "qpq")
    (tmp_path / "file").write_text("")
    refused("name another folder", fetch, small(server), tmp_path / "file", accept=True)


def test_what_comes_over_http_has_a_hash_and_each_dataset_has_terms():
    for dataset in DATASETS.values():
        assert dataset.title and dataset.terms and dataset.link.startswith("https://")
        assert all(source.sha256 or source.url.startswith("https:") for source in dataset.sources)
