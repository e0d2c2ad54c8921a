"""A day of two tills in other languages at one simulated provider after another: sale, decline, lost replies, repeats, refund,
cancel, question. What the tills handed over and refunded has to be what the provider's ledger has.

    Scripts/ClientDay/day.py PAYCTL FOLDER TILL...

FOLDER has the generated client; TILL is `python`, `node` or `typescript`. Ends with 1 when something differs.
"""

import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from decimal import Decimal

EXAMPLES = pathlib.Path("Examples/tills").resolve()
DAY = 86_400_000

# A good amount, one that is declined, what begins a sale there, and what the provider asks on the way.
WALLET = {"source": "wallet", "wallet": "applePay", "token": "wallet-payload"}
FAULTS = ("reply.lost", "status.500-after", "body.html")
PROVIDERS = {
    "adyen": {"currency": "EUR", "declined": "51.24", "sale": {}, "path": "*/sync"},
    "arise": {"currency": "USD", "declined": "0.21", "sale": {}, "path": "/pay-api/v1/transactions/tap-to-pay",
              "settles": True},
    "ecommpay": {
        "currency": "EUR", "declined": "50.51", "sale": WALLET, "path": "/msdk/v1/pay",
        "question": ("50.32", {"RequestedFields": {"email": "shopper@example.com"}}),
    },
    "halo": {"currency": "ZAR", "declined": "50.51", "sale": {}, "path": "/transactions/apple"},
    "ni": {"currency": "AED", "declined": "50.51", "sale": {}, "path": "/softpos/payment/card/purchase",
           "settles": True, "faults": ("reply.lost",)},  # what it answers wrongly is found minutes later
}


def call(method, url, body=None):
    """A request to the simulated provider's control address."""
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        text = reply.read()
        return json.loads(text) if text else None


class Program:
    """A program whose first line says where it is."""

    def __init__(self, words, **more):
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **more)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"clients: {words[1]} did not begin: try it by hand: {' '.join(map(str, words))}")
        self.line = json.loads(line)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def until(is_so):
    """Waits until something is so, at most 30 seconds."""
    for _ in range(300):
        if is_so():
            return
        time.sleep(0.1)


class Line(http.server.BaseHTTPRequestHandler):
    """The line from a till to the service. The first answer to a question is lost on it."""

    address, has_lost = "", False

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/answers") and not Line.has_lost:
            Line.has_lost = True
            return  # the connection ends without a reply
        fields = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        request = urllib.request.Request(Line.address + self.path, data=body or None, method=self.command, headers=fields)
        try:
            reply = urllib.request.urlopen(request, timeout=90)
        except urllib.error.HTTPError as problem:
            reply = problem
        with reply:
            text = reply.read()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                if name.lower() not in ("connection", "date", "server", "transfer-encoding"):
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, *_):
        """It writes no log."""


class World:
    """A simulated provider with a service over it, in a folder of their own."""

    def __init__(self, program, name, folder):
        self.name, self.facts = name, PROVIDERS[name]
        config = folder / "providers.json"
        self.sandbox = Program([program, "sandbox", "--provider", name, "--write-config", config])
        self.control = self.sandbox.line["control"]
        self.made, self.other = (json.loads(subprocess.run(
            [program, "key", "new", "--shop", "berlin", "--role", "office", "--name", of, "--format", "json"],
            check=True, capture_output=True, text=True).stdout) for of in ("till", "day"))
        self.keys = folder / "keys.json"
        self.keys.write_text(json.dumps({"keys": [self.made["entry"], self.other["entry"]]}))
        self.keys.chmod(0o600)
        subprocess.run([program, "journal", "init", "--config", config], check=True, capture_output=True)
        self.service = Program([
            program, "serve", "--listen", "127.0.0.1:0", "--format", "json", "--config", config, "--keys", self.keys,
            "--state", folder / "state"])
        self.key, self.address = self.made["key"], self.service.line["address"]
        Line.address, Line.has_lost = self.address, False
        self.line = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Line)
        threading.Thread(target=self.line.serve_forever, daemon=True).start()
        self.listen(True)

    def merchant(self):
        """What the merchant has, by the provider's own book."""
        ledger = call("GET", f"{self.control}/ledger/{self.name}")
        assert ledger["isBalanced"], ledger
        return Decimal(sum(ledger["balances"]["merchant"].values())) / 100

    def lose(self, fault, times=1, milliseconds=1_500):
        """The provider misbehaves at the next sales."""
        call("DELETE", f"{self.control}/faults")
        call("POST", f"{self.control}/faults", {
            "fault": fault, "times": times, "method": "POST", "path": self.facts["path"],
            "delayMilliseconds": milliseconds})

    def listen(self, is_on):
        """Whether the provider's messages come; what it has to say before comes afterwards."""
        url = f"{self.address}/v1/webhooks/{self.name}" if is_on else None
        call("PUT", f"{self.control}/outbox/{self.name}/receiver", {"url": url})

    def asked(self, path, made=None):
        """What the service has at a path now, by the day's own key unless another one is named; None for a problem."""
        fields = {"Authorization": f"Bearer {(made or self.other)['key']}", "Prefer": "wait=0"}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, headers=fields), timeout=30) as reply:
                return json.load(reply)
        except urllib.error.HTTPError:
            return None

    def admit(self, *made):
        """From now on these keys alone are known."""
        self.keys.write_text(json.dumps({"keys": [one["entry"] for one in made]}))
        self.service.process.send_signal(signal.SIGHUP)

    def take_key(self, attempt):
        """Takes the till's key away as soon as an attempt is under way."""
        until(lambda: self.asked(f"/v1/attempts/{attempt}"))
        self.admit(self.other)

    def return_key(self):
        """The till's key is known again."""
        self.admit(self.made, self.other)
        until(lambda: self.asked("/v1/self", self.made))

    def stop(self):
        self.line.shutdown()
        self.line.server_close()
        self.service.stop()
        self.sandbox.stop()


class Till:
    """A till as a program: orders in, ends out."""

    def __init__(self, kind, world, folder):
        words = {
            "python": [folder / "bin/python", EXAMPLES / "till.py"], "node": ["node", EXAMPLES / "till.mjs"],
            "typescript": ["node", folder / "till/till.js"],
        }[kind]
        environment = dict(os.environ, PAYMENTS_KEY=world.key, PYTHONPATH=str(folder))
        self.process = subprocess.Popen(
            [*words, f"http://127.0.0.1:{world.line.server_port}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment)
        self.world = world

    def order(self, **members):
        self.process.stdin.write(json.dumps(members) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"clients: the till ended at {members['do']}")
        return json.loads(line)

    def sale(self, value, key=None, of=None, **more):
        """A sale of an order of its own, or of the one that another key began."""
        facts = self.world.facts
        key = key or str(uuid.uuid4())
        reference = f"order-{(of or key)[:8]}"
        body = {"amount": {"value": value, "currency": facts["currency"]}, "reference": reference, **facts["sale"]}
        return key, self.order(do="sale", key=key, body=body, **more)

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


def day(world, till):
    """Plays the day; how many goods were handed over, less what was refunded, and what went wrong."""
    wrong, handed = [], Decimal(0)

    def check(what, is_right, got):
        if not is_right:
            wrong.append(f"{what}: {got}")

    def sold(what, key, end):
        nonlocal handed
        check(what, end["end"] == "executed", end)
        handed += Decimal(end["amount"]) if end["end"] == "executed" else 0
        return key

    first = sold("sale", *till.sale("12.50"))
    _, again = till.sale("12.50", first)
    check("repeat", again["end"] == "executed" and again["isReplayed"], again)
    _, reused = till.sale("13.00", first)
    check("key of another content", reused == {
        "end": "conflict", "status": 422, "code": "keyReused", "outcome": "executed", "payment": first}, reused)
    _, paid = till.sale("12.50", of=first)  # as a till that lost the key
    check("order that is paid", (paid["end"], paid["code"], paid["payment"]) == (
        "conflict", "referenceInUse", first), paid)
    _, declined = till.sale(world.facts["declined"])
    check("decline", declined["end"] == "notExecuted" and declined["reason"] == "insufficientFunds", declined)
    sold("answer of the service lost", *till.sale("20.00", loses=2))
    for fault in world.facts.get("faults", FAULTS):
        world.lose(fault)
        sold(f"provider: {fault}", *till.sale("7.00"))
    # Its key is taken away under a sale: that is no proof that nothing was charged.
    key = str(uuid.uuid4())
    world.lose("reply.late", milliseconds=6_000)
    world.listen(False)  # a message of the provider would decide it before
    taking = threading.Thread(target=world.take_key, args=[key])
    taking.start()
    _, end = till.sale("7.00", key)
    taking.join()
    check("key taken away", (end["end"], end.get("status")) == ("unknown", 401), end)
    world.return_key()
    world.listen(True)
    sold("key that came back", *till.sale("7.00", key))
    key = str(uuid.uuid4())
    check("cancel", till.order(do="cancel", key=key)["result"] == "nothingToCancel", key)
    _, cancelled = till.sale("8.00", key)
    check("sale after its cancel", cancelled["end"] == "notExecuted" and cancelled["status"] == "cancelled", cancelled)
    # A cancel beside its sale: whatever it comes to, it is decided, and the ledger agrees.
    for _ in range(3):
        world.lose("reply.late")
        _, end = till.sale("9.00", cancels=True)
        check("cancel beside its sale", end["end"] in ("executed", "notExecuted"), end)
        check("word of the cancel", end["cancel"] != "cancelled" or end["end"] == "notExecuted", end)
        handed += Decimal(end["amount"]) if end["end"] == "executed" else 0
    call("DELETE", f"{world.control}/faults")
    question = world.facts.get("question")
    if question:
        began = time.monotonic()
        key, end = till.sale(question[0], answers=question[1])
        sold("question", key, end)
        check("answer that was lost", Line.has_lost, end)
        took = time.monotonic() - began
        check("an answer that was lost is sent again soon", took < 15, took)  # a wait takes 20 s
    asked = till.order(do="ask", key=first)
    check("ask", asked["status"] == "approved" and asked["question"] is None, asked)
    taken = world.merchant()
    check("ledger before refunds", taken == handed, f"{taken}, and {handed} were handed over")
    handed -= refund(world, till, first, check)
    _, again = till.sale("12.50", first)
    check("repeat of what was refunded", again["end"] == "undone", again)
    return handed, wrong


def refund(world, till, payment, check):
    """Gives a part back, then the rest; how much in all."""
    if world.facts.get("settles"):  # a refund waits for the settlement
        call("POST", f"{world.control}/clock/advance", {"milliseconds": 2 * DAY})
    given = Decimal(0)
    is_later = world.name == "adyen"  # its back office decides later, and reports by a webhook
    for value, loses in (("5.00", 0), ("7.50", 1)):
        key = str(uuid.uuid4())
        body = {"amount": {"value": value, "currency": world.facts["currency"]}, "reference": f"back-{key[:8]}"}
        # What repeats a lost request waits for the decision.
        deciding = threading.Thread(target=decide, args=[world, key])
        if is_later and loses:
            deciding.start()
        end = till.order(do="refund", key=key, payment=payment, body=body, loses=loses)
        if is_later and loses:
            deciding.join()
        elif is_later:
            check("refund that is decided later", end["end"] == "pending", end)
            # The till looks for ten seconds; once the refund is decided, a part is back.
            _, again = till.sale("12.50", payment)
            check("repeat beside an open refund", again["end"] in ("unknown", "executedForLess", "undone"), again)
            decide(world, key)
            end = till.order(do="refund", key=key, payment=payment, body=body)
        check("refund", end["end"] == "executed" and end["amount"] == value, end)
        given += Decimal(value) if end["end"] == "executed" else 0
        if given == Decimal("5.00"):
            _, again = till.sale("12.50", payment)
            check("repeat of what was refunded in part", again["end"] == "executedForLess", again)
    return given


def decide(world, attempt):
    """Decides a refund as soon as the service has it, if the provider did not after its 20 seconds."""
    until(lambda: (world.asked(f"/v1/attempts/{attempt}") or {}).get("status") in ("pending", "approved"))
    try:
        call("POST", f"{world.control}/decisions/{world.name}", {"attempt": attempt, "outcome": "succeeds"})
    except urllib.error.HTTPError as problem:
        if problem.code != 404:
            raise


def play(program, name, kind, folder):
    """A day of one till at a provider of its own; how much was wrong."""
    with tempfile.TemporaryDirectory() as place:
        world = World(program, name, pathlib.Path(place))
        try:
            till = Till(kind, world, folder)
            handed, wrong = day(world, till)
            till.stop()
            ledger = world.merchant()
        finally:
            world.stop()
    if ledger != handed:
        wrong.append(f"the ledger has {ledger}, and {handed} were handed over")
    print(f"{name:9} {kind:10} ledger {ledger}: {'; '.join(wrong) or 'agrees'}", flush=True)
    return len(wrong)


def main():
    program, folder, kinds = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    failures = 0
    for name in PROVIDERS:
        for kind in kinds:
            failures += play(program, name, kind, folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
