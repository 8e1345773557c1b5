"""The line of a served page, as its script opens it, for requests from another process."""

import http.client
import json
import re
import urllib.parse

import websocket

from .growth import HUNG


def load(address, host=None, method="GET", path="/", body=None, context=None):
    """The status, headers and text of an answer over HTTP; with a `context` of SSL, encrypted."""
    there = urllib.parse.urlsplit(address).netloc
    connection = http.client.HTTPConnection(there, timeout=HUNG)
    if context:
        connection = http.client.HTTPSConnection(there, timeout=HUNG, context=context)
    connection.putrequest(method, path, skip_host=True)
    sent = body.encode() if body else b""
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    for name, value in ({"Host": host or there, "Content-Length": len(sent)} | kind).items():
        connection.putheader(name, str(value))
    connection.endheaders(sent)
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    assert answer.getheader("Set-Cookie") is None and "Traceback" not in said
    return answer.status, dict(answer.getheaders()), said


class Line:
    """A line that is open, with the proof checked; `said` holds what came unasked."""

    def __init__(self, address, first, given=None, who="", origin=None, host=None, context=None):
        scheme, there = urllib.parse.urlsplit(address)[:2]
        if given is None:
            given = json.loads(re.search('id="pass">(.*?)<', load(address, context=context)[2])[1])
        nonce, ask, proof = given
        self.said = []
        options = {"origin": origin or f"{scheme}://{there}", "timeout": HUNG} | ({"host": host} if host else {})
        if context:
            options["sslopt"] = {"context": context}
        self.socket = websocket.create_connection(f"{scheme.replace('http', 'ws')}://{there}/line", **options)
        found = self.tell({"who": who, "nonce": nonce, "ask": ask})
        if "refused" not in found:
            assert found["proof"] == proof
            found = self.tell(first)
        self.first = found

    def tell(self, content):
        """The answer to a request; a dict is said as JSON."""
        content = content if isinstance(content, bytes | str) else json.dumps(content | {"n": 7})
        self.socket.send(content)
        while True:
            if not (said := self.socket.recv()):
                raise ConnectionError("the line is closed")
            answer = json.loads(said)
            if answer.pop("n", None) == 7 or not isinstance(content, str) or "refused" in answer:
                return answer
            self.said.append(answer)

    def close(self):
        self.socket.close()
