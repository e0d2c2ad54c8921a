"""A sale whose reply is lost, and its recovery by the next process, as one trace at a collector.

    Scripts/Collector/trace.py PAYCTL [FILE.svg]

Ends with 1 when something differs.
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from picture import draw  # noqa: E402
from receiver import FIELD, KEY, Collector, attributes  # noqa: E402

# A sale by a tap at the simulated ARISE: its request, and the list in which a look finds what became of it.
PROVIDER, CURRENCY = "arise", "USD"
SALE, LIST = "/pay-api/v1/transactions/tap-to-pay", "/pay-api/v1/transactions"


def call(method, url, body=None, **fields):
    """A request; its status, header fields and JSON."""
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data=data, method=method, headers={"Content-Type": "application/json", **fields})
    try:
        reply = urllib.request.urlopen(request, timeout=120)
    except urllib.error.HTTPError as error:
        reply = error
    text = reply.read()
    return reply.status, json.loads(text) if text else None


class Program:
    """A program whose first line says where it is."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"telemetry: {words[1]} did not begin: try it by hand: {' '.join(map(str, words))}")
        self.line = json.loads(line)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)


class Shop:
    """A simulated provider, and services over it that report to a collector, one after another."""

    def __init__(self, program, collector, folder):
        self.program, self.collector, self.folder = program, collector, folder
        self.config, self.keys = folder / "providers.json", folder / "keys.json"
        self.sandbox = Program([program, "sandbox", "--provider", PROVIDER, "--write-config", self.config])
        self.control = self.sandbox.line["control"]
        made = subprocess.run(
            [program, "key", "new", "--shop", "berlin", "--role", "office", "--format", "json"],
            check=True, capture_output=True, text=True)
        made = json.loads(made.stdout)
        self.key = made["key"]
        self.keys.write_text(json.dumps({"keys": [made["entry"]]}))
        self.keys.chmod(0o600)
        self.headers = folder / "collector.headers"
        self.headers.write_text(f"{FIELD}: {KEY}\n")
        self.headers.chmod(0o600)
        subprocess.run([program, "journal", "init", "--config", self.config], check=True, capture_output=True)
        self.open()

    def open(self):
        """Starts the service."""
        self.service = Program([
            self.program, "serve", "--listen", "127.0.0.1:0", "--format", "json", "--config", self.config, "--keys",
            self.keys, "--state", self.folder / "state", "--otlp", self.collector.url, "--otlp-headers",
            self.headers, "--trace-context"])
        self.address = self.service.line["address"]

    def fault(self, method, path, times):
        call("POST", f"{self.control}/faults", {"fault": "reply.lost", "times": times, "method": method, "path": path})

    def sale(self, value, key, reference, **more):
        body = {"amount": {"value": value, "currency": CURRENCY}, "reference": reference, **more}
        return call(
            "POST", f"{self.address}/v1/sales", body,
            **{"Authorization": f"Bearer {self.key}", "Idempotency-Key": key, "Prefer": "wait=1"})

    def attempt(self, key):
        return call("GET", f"{self.address}/v1/attempts/{key}", **{"Authorization": f"Bearer {self.key}"})

    def close(self):
        self.service.stop()
        self.sandbox.stop()


def secrets():
    """What may not be seen: cards, keys, tokens and references, with their encodings."""
    planted = []
    for number in range(40):
        digits = f"4{number:02d}" + f"{uuid.uuid4().int % 10**12:012d}"
        total = sum(sum(divmod(int(d) * (2 if place % 2 == 0 else 1), 10)) for place, d in enumerate(digits))
        planted.append(digits + str(-total % 10))
        planted.append("sk_live_" + uuid.uuid4().hex)
        planted.append("Bearer " + uuid.uuid4().hex + uuid.uuid4().hex)
        planted.append("https://user:" + uuid.uuid4().hex + "@host.example/")
        planted.append("order " + uuid.uuid4().hex)
    return planted


def encodings(secret):
    data = secret.encode()
    yield from (data, data[::-1], base64.b64encode(data).rstrip(b"="), base64.urlsafe_b64encode(data).rstrip(b"="))
    yield from (data.hex().encode(), urllib.parse.quote(secret, safe="").encode(), urllib.parse.quote_plus(secret).encode())
    yield json.dumps(secret)[1:-1].replace("/", "\\/").encode()
    yield secret.encode("utf-16-le")


def play(shop, planted):
    """The day: secrets in every text that a till can send, then the sale that is lost and found; its key."""
    sold = 0
    # A customer takes half a second to tap, so that a sale carries several: each kind of secret comes to each place.
    sales = [planted[place:place + 5] for place in range(0, len(planted), 5)]
    for number, texts in enumerate(sales):
        texts = texts[number % len(texts):] + texts[:number % len(texts)]
        reference, note, trace, query, *rest = texts * 5
        status, _ = call("POST", f"{shop.address}/v1/sales{f'?{urllib.parse.quote(query)}' if number % 5 == 0 else ''}", {
            "amount": {"value": "49.99", "currency": CURRENCY}, "reference": reference[:64], "metadata": {"note": note}},
            **{"Authorization": f"Bearer {shop.key}", "Idempotency-Key": str(uuid.uuid4()), "traceparent": trace})
        sold += status == 201
        if number % 4 == 0:
            call("GET", f"{shop.address}/v1/payments?reference={urllib.parse.quote(query)}", **{"Authorization": rest[0]})
    if sold < len(sales) // 4:
        raise SystemExit(f"telemetry: of {len(sales)} sales with secrets only {sold} went through")
    key = str(uuid.uuid4())
    shop.fault("POST", SALE, 1)
    shop.fault("GET", LIST, 1_000)
    status, answer = shop.sale("49.99", key, "order-1001")
    if status != 202:
        raise SystemExit(f"telemetry: the sale was answered with {status}: {answer}")
    for _ in range(600):
        if shop.collector.wrong:
            raise SystemExit(f"telemetry: what was sent can't be read: {shop.collector.wrong[0]}")
        if any(span.name == "payment.operation" for span in of(shop.collector.spans(), key)):
            break
        time.sleep(0.1)
    call("DELETE", f"{shop.control}/faults")
    shop.service.stop()
    shop.open()
    for _ in range(600):
        status, answer = shop.attempt(key)
        if status == 200 and answer["status"] == "approved":
            return key
        time.sleep(0.1)
    raise SystemExit(f"telemetry: the sale was not found again: {status} {answer}")


def of(spans, key):
    """The spans of one attempt, in the order in which they began."""
    return sorted(
        (span for span in spans if attributes(span).get("payment.attempt") == key),
        key=lambda span: (span.start_time_unix_nano, -span.end_time_unix_nano))


def check(collector, spans, planted):
    """What is wrong with the trace, the metrics and the logs."""
    if not spans:
        return [*collector.wrong, "no span of the sale arrived"]
    wrong = [*collector.wrong]
    by_id = {span.span_id: span for span in spans}

    def expect(what, is_right, got=""):
        if not is_right:
            wrong.append(f"{what} {got}")

    def parent(span):
        return by_id[span.parent_span_id].name if span.parent_span_id in by_id else None

    expect("one trace", len({span.trace_id for span in spans}) == 1)
    expect("ids of 16 and 8 bytes", all(len(s.trace_id) == 16 and len(s.span_id) == 8 for s in spans))
    parents = {
        "payment.operation": {None}, "payment.recovery": {None}, "payment.call": {"payment.operation"},
        "payment.request": {"payment.call", "payment.lookup", "payment.operation"},
        "payment.lookup": {"payment.operation", "payment.recovery"},
        "payment.takeover": {"payment.recovery"}, "payment.decision": {"payment.operation", "payment.recovery"},
    }
    for span in spans:
        expect("parent", parent(span) in parents.get(span.name, ()), f"of {span.name}: {parent(span)}")
        expect("time", span.start_time_unix_nano <= span.end_time_unix_nano, span.name)
        above = by_id.get(span.parent_span_id)
        if above:
            expect("a part begins within", above.start_time_unix_nano <= span.start_time_unix_nano, span.name)
    outcomes = [(span.name, attributes(span).get("payment.outcome")) for span in spans]
    for needed in [
        ("payment.operation", "unknown"), ("payment.call", "lost"), ("payment.lookup", "unknown"),
        ("payment.lookup", "approved"), ("payment.decision", "approved"),
    ]:
        expect("a span", needed in outcomes, f"{needed} among {outcomes}")
    lost = [span for span in spans if span.name == "payment.request" and "error.type" in attributes(span)]
    expect("the lost request", bool(lost) and all(span.status.code == 2 for span in lost))
    expect("a request has a host", all("server.address" in attributes(s) for s in spans if s.name == "payment.request"))
    events = {record.event_name for record in collector.records() if record.trace_id == spans[0].trace_id}
    for event in ("payment.begun", "payment.submitted", "payment.lookedUp", "payment.inDoubt"):
        expect("an event", event in events, f"{event} among {sorted(events)}")
    sums = collector.sums()
    requests = sum(value for (name, *_), value in sums.items() if name == "payment.requests")
    seen = sum(span.name == "payment.request" for span in collector.spans())
    expect("counted requests are the spans", requests == seen, f"{requests}, {seen}")
    durations = collector.histograms()
    taken = [point for (name, *_), point in durations.items() if name == "payment.request.duration"]
    expect("measured requests are the spans", sum(point.count for point in taken) == seen, [p.count for p in taken])
    for point in durations.values():
        expect("buckets", sum(point.bucket_counts) == point.count and len(point.bucket_counts) == 15, point)
        bounds = list(point.explicit_bounds)
        expect("bounds", (bounds[0], bounds[-1]) == (5.0, 180_000.0) and bounds == sorted(bounds), bounds)
    took = sum((s.end_time_unix_nano - s.start_time_unix_nano) // 1_000_000 for s in collector.spans() if s.name == "payment.request")
    expect("the sum of the durations", sum(point.sum for point in taken) == took, took)
    names = {name for name, *_ in durations}
    expect("histograms", names == {"payment.request.duration", "payment.operation.duration"}, names)
    dropped = sum(value for (name, *_), value in sums.items() if name == "payment.telemetry.dropped")
    expect("nothing dropped", dropped == 0, dropped)
    everything = b"\n".join(collector.bodies)
    found = [secret for secret in planted for form in encodings(secret) if form in everything]
    expect("no secret", not found, found)
    return wrong


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    collector, planted = Collector(), secrets()
    with tempfile.TemporaryDirectory() as place:
        shop = Shop(program, collector, pathlib.Path(place))
        try:
            key = play(shop, planted + [shop.key])
        finally:
            shop.close()
        planted.append(shop.key)
    spans = of(collector.spans(), key)
    wrong = check(collector, spans, planted)
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(draw(spans, attributes))
    for line in wrong:
        print(f"telemetry: {line}")
    print(
        f"{len(collector.spans())} spans, {len(collector.records())} records and {len(collector.sums())} series; "
        f"the trace has {len(spans)} spans; {len(planted)} secrets: {'differs' if wrong else 'agrees'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
