#!/usr/bin/env python3
"""Drives the simulated providers with the vendors' own Python libraries, which are not this project's.

    Examples/python/official.py [PATH OF payctl] [--tamper]

Makes an environment of its own, installs `Adyen` and `ecommpay-sdk` from PyPI into it, and starts `payctl sandbox`.
Adyen's library takes two payments, gives one back and reverses the other; each webhook that arrives is verified by its
code. ecommpay's makes a link to the Payment Page that has to equal ours byte for byte, and verifies our callback.
Ends with status 0 when everything agrees, 1 when something differs, and 77 where PyPI can't be reached. With --tamper
every message is changed on its way, and each of them has to be refused by the library that verifies it.
"""

import datetime
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import venv

PACKAGES = ["Adyen==16.0.0", "ecommpay-sdk==1.0.6"]
UNREACHABLE = 77


def install(folder):
    """An environment with the libraries; the path of its interpreter, or None where PyPI can't be reached."""
    venv.create(folder, with_pip=True)
    python = pathlib.Path(folder, "bin", "python")
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        return python
    reached = "No matching distribution" in done.stderr and "Could not fetch" not in done.stderr \
        and "connection" not in done.stderr.lower() and "resolve" not in done.stderr.lower()
    print(done.stderr.strip().splitlines()[-1] if done.stderr else "pip failed", file=sys.stderr)
    if reached:
        raise SystemExit(1)
    return None


def call(method, url, body=None, form=None):
    """One request; the text of its answer."""
    data = json.dumps(body).encode() if body is not None else form and urllib.parse.urlencode(form).encode()
    kind = "application/json" if form is None else "application/x-www-form-urlencoded"
    request = urllib.request.Request(url, data=data, headers={"Content-Type": kind}, method=method)
    with urllib.request.urlopen(request, timeout=30) as reply:
        return reply.read().decode()


class Mailbox(http.server.BaseHTTPRequestHandler):
    """Where the simulated providers post their messages, by the last part of the path."""

    received = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        Mailbox.received.append((self.path.strip("/"), body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[accepted]")

    def log_message(self, *_):
        pass


def verdict(tamper):
    """What is wrong with a message that the library has judged wrongly."""
    return "was changed on its way, and the library doesn't notice" if tamper else "is not signed as the library signs it"


def wait(company, count):
    """The bodies that a provider has posted, once there are so many."""
    for _ in range(200):
        bodies = [body for name, body in Mailbox.received if name == company]
        if len(bodies) >= count:
            return bodies
        time.sleep(0.05)
    raise SystemExit(f"{company}: {len(bodies)} messages came, and {count} were due")


def adyen(base, control, known, tamper):
    """Two payments, a refund and a reversal by Adyen's library; the faults that were found."""
    import Adyen
    from Adyen.util import is_valid_hmac_notification

    client = Adyen.Adyen(xapikey=known["apiKey"], platform="test", http_force="urllib")
    payments, changes = client.checkout.payments_api, client.checkout.modifications_api
    # The library names Adyen's own hosts; where it looks is an attribute of each service.
    payments.baseUrl = changes.baseUrl = f"{base}/v72"
    faults, amount = [], {"currency": "EUR", "value": 1250}
    merchant = known["merchant"]
    made = []
    for number in (1, 2):
        answer = payments.payments({
            "merchantAccount": merchant, "reference": f"official-{number}", "amount": amount,
            "returnUrl": "https://shop.example/", "shopperReference": "customer-1", "shopperInteraction": "ContAuth",
            "recurringProcessingModel": "CardOnFile",
            "paymentMethod": {"type": "scheme", "storedPaymentMethodId": "M8815000000000000"},
        }, idempotency_key=f"official-{number}").message
        made.append(answer["pspReference"])
        if answer["resultCode"] != "Authorised":
            faults.append(f"adyen: payment {number} is {answer['resultCode']}")
    given = changes.refund_captured_payment(
        {"merchantAccount": merchant, "amount": amount, "reference": "official-refund"}, made[0]).message
    undone = changes.refund_or_cancel_payment(
        {"merchantAccount": merchant, "reference": "official-reversal"}, made[1]).message
    faults += [f"adyen: {one}" for one in (given, undone) if one["status"] != "received"]
    # Both wait for a while at the provider; here they are decided at once.
    for name in ("official-refund", "official-reversal"):
        call("POST", f"{control}/decisions/adyen", {"attempt": name, "outcome": "succeeds"})
    codes = []
    for body in wait("adyen", 4):
        message = json.loads(body)
        item = message["notificationItems"][0]["NotificationRequestItem"]
        if tamper:
            item["amount"]["value"] += 1
        if is_valid_hmac_notification(message, known["webhookKey"]) == tamper:
            faults.append(f"adyen: {item['eventCode']} {verdict(tamper)}")
        codes.append((item["eventCode"], item["success"]))
    due = {("AUTHORISATION", "true"), ("REFUND", "true"), ("CANCEL_OR_REFUND", "true")}
    if not due <= set(codes):
        faults.append(f"adyen: {sorted(codes)} came")
    print(f"adyen: 2 payments, a refund and a reversal; {len(codes)} webhooks went through the library")
    return faults


def ecommpay(program, folder, known, tamper):
    """A link of the driver made once more by ecommpay's library, paid, and its callback verified; the faults."""
    from payment_page_sdk.gate import Gate
    from payment_page_sdk.payment import Payment
    from payment_page_sdk.process_exception import ProcessException

    configuration = pathlib.Path(folder, "providers.json")
    settings = json.loads(configuration.read_text())
    settings["providers"]["ecommpay"]["settings"] = {"link": "page", "returnAddress": "https://shop.example/back?a=1"}
    configuration.write_text(json.dumps(settings))
    sale = subprocess.run(
        [program, "sale", "12.50", "EUR", "--provider", "ecommpay", "--source", "page", "--reference", "order-1",
         "--config", configuration, "--state", pathlib.Path(folder, "state")], capture_output=True, text=True)
    found = re.search(r"https?://\S+/payment\?\S+", sale.stdout + sale.stderr)
    if not found:
        return [f"ecommpay: no link was printed: {sale.stdout}{sale.stderr}"]
    ours, faults = found.group(), []
    page, query = ours.split("?", 1)
    fields = urllib.parse.parse_qsl(query, keep_blank_values=True)
    payment = Payment(dict(fields)["project_id"])
    # The library names itself in each link, which ours is not.
    payment.get_params().pop("interface_type")
    for name, value in fields:
        if name == "best_before":
            payment.best_before = datetime.datetime.fromisoformat(value)
        elif name not in ("project_id", "signature"):
            setattr(payment, name, value)
    gate = Gate(known["secret"], page)
    theirs = gate.get_purchase_payment_page_url(payment)
    if theirs != ours:
        faults.append(f"ecommpay: the library makes\n  {theirs}\nand we make\n  {ours}")
    call("GET", theirs)
    call("POST", f"{page}/pay", form={"page": theirs.split("?", 1)[1], "pan": "5555555555554444"})
    body = wait("ecommpay", 1)[-1]
    message = json.loads(body)
    if tamper:
        message["payment"]["sum"]["amount"] += 1
    try:
        callback = gate.handle_callback(json.dumps(message))
        if tamper:
            faults.append(f"ecommpay: the callback {verdict(tamper)}")
        if callback.get_payment_status() != "success":
            faults.append(f"ecommpay: the callback says {callback.get_payment_status()}")
    except ProcessException as refusal:
        if not tamper:
            faults.append(f"ecommpay: the callback {verdict(tamper)}: {refusal}")
    print("ecommpay: a link and a callback went through the library")
    return faults


def drive(program, tamper):
    """Starts the simulated providers and lets both libraries work; the status."""
    with tempfile.TemporaryDirectory() as folder:
        return drive_in(folder, program, tamper)


def drive_in(folder, program, tamper):
    """The same with what is written on the way in a folder, which holds the simulated providers' credentials."""
    mail = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mailbox)
    threading.Thread(target=mail.serve_forever, daemon=True).start()
    sandbox = subprocess.Popen(
        [program, "sandbox", "--provider", "adyen,ecommpay", "--write-config", f"{folder}/providers.json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        line = json.loads(sandbox.stdout.readline())
        for company in ("adyen", "ecommpay"):
            call("PUT", f"{line['control']}/outbox/{company}/receiver",
                 {"url": f"http://127.0.0.1:{mail.server_port}/{company}"})
        known = line["credentials"]
        faults = adyen(line["providers"]["adyen"], line["control"], known["adyen"], tamper)
        faults += ecommpay(program, folder, known["ecommpay"], tamper)
    finally:
        sandbox.terminate()
        sandbox.wait(timeout=20)
        mail.shutdown()
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def main():
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    program = os.path.abspath(given[0] if given else ".build/debug/payctl")
    if os.environ.get("OFFICIAL_LIBRARIES") == "installed":
        return drive(program, "--tamper" in sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        python = install(folder)
        if python is None:
            print("PyPI can't be reached: the vendors' own libraries are not tried", file=sys.stderr)
            return UNREACHABLE
        environment = {**os.environ, "OFFICIAL_LIBRARIES": "installed"}
        return subprocess.run([python, os.path.abspath(__file__), *sys.argv[1:]], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
