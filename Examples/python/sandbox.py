#!/usr/bin/env python3
"""Drives the simulated providers from Python's standard library alone.

    Examples/python/sandbox.py [PATH OF payctl]

Starts `payctl sandbox`, takes a sale at each of the five providers in the provider's own wire format, switches a fault
on, and compares what was taken with the providers' ledgers. Ends with status 0 when every book agrees.
"""

import base64
import hashlib
import hmac
import http.client
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


def call(method, url, body=None, headers=None, form=False):
    """One request; the reply's status and its JSON."""
    headers = dict(headers or {})
    data = None
    if body is not None:
        data = urllib.parse.urlencode(body).encode() if form else json.dumps(body).encode()
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded" if form else "application/json")
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            text = reply.read()
            return reply.status, json.loads(text) if text else {}
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if text else {}


def tap(units, currency):
    """What the simulated reader hands over: opaque to applications, readable to the simulated providers."""
    card = {"amount": units, "currency": currency, "purpose": "purchase", "pan": "4111111111111111",
            "expectedPIN": "1234", "at": int(time.time() * 1000)}
    return base64.b64encode(json.dumps(card, separators=(",", ":")).encode()).decode()


def arise(base, known, reference, units):
    """A typed card, with a token from client credentials."""
    status, token = call("POST", f"{base}/oauth2/token", {
        "grant_type": "client_credentials", "client_id": "arise-sandbox-client",
        "client_secret": known["clientSecret"]}, form=True)
    assert status == 200, token
    headers = {"Authorization": f"Bearer {token['access_token']}"}
    _, settings = call("GET", f"{base}/pay-api/v1/configurations/payments", headers=headers)
    processor = settings["availablePaymentProcessors"][0]["id"]
    status, sale = call("POST", f"{base}/pay-api/v1/transactions/sale", {
        "paymentProcessorId": processor, "amount": units / 100, "currencyId": 1, "referenceId": reference,
        "cardDataSource": 7, "accountNumber": "4111111111111111", "expirationMonth": 12, "expirationYear": 2030,
        "securityCode": "123"}, headers)
    return status in (200, 201), sale.get("transactionId") or sale


def adyen(base, known, reference, units):
    """A payment on the terminal, through the synchronous cloud."""
    header = {"ProtocolVersion": "3.0", "MessageClass": "Service", "MessageCategory": "Payment",
              "MessageType": "Request", "ServiceID": str(time.time_ns())[-10:], "SaleID": "PYTHON",
              "POIID": "V400m-324688042"}
    payment = {"SaleData": {"SaleTransactionID": {"TransactionID": reference, "TimeStamp": "2026-01-05T09:15:00.000Z"}},
               "PaymentTransaction": {"AmountsReq": {"Currency": "EUR", "RequestedAmount": units / 100}}}
    status, reply = call(
        "POST", f"{base}/v1/merchants/{known['merchant']}/devices/V400m-324688042/sync",
        {"SaleToPOIRequest": {"MessageHeader": header, "PaymentRequest": payment}},
        {"X-API-Key": known["apiKey"]})
    response = reply.get("SaleToPOIResponse", {}).get("PaymentResponse", {})
    done = status == 200 and response.get("Response", {}).get("Result") == "Success"
    return done, response.get("POIData", {}).get("POITransactionID", {}).get("TransactionID") or reply


def ni(base, known, reference, units):
    """A tap, with a token for the merchant and one for the device."""
    identity, softpos = "application/vnd.ni-identity.v1+json", "application/vnd.ni-softpos.v1+json"

    def headers(kind, token):
        return {"Accept": kind, "Content-Type": kind, "Authorization": f"Bearer {token}"}

    status, access = call("POST", f"{base}/identity/auth/access-token", {}, headers(identity, known["apiKey"]))
    assert status == 200, access
    status, device = call(
        "POST", f"{base}/identity/outlets/{known['merchant']}/devices/auth",
        {"deviceCode": "000C69", "userCode": "user-1", "tid": "434334344299", "deviceIdentifier": "python-1"},
        headers(identity, access["access_token"]))
    assert status == 200, device
    status, order = call(
        "POST", f"{base}/softpos/payment/card/purchase",
        {"language": "EN", "locale": "", "tid": "434334344299", "payment": tap(units, "AED")},
        headers(softpos, device["access_token"]))
    return status in (200, 201), order.get("orderReference") or order.get("reference") or order


def signature(message, secret):
    """ecommpay's: every leaf as path:value, in natural order, joined, HMAC-SHA512 in Base64."""
    lines = []

    def walk(value, path):
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, f"{path}:{key}" if path else key)
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                walk(inner, f"{path}:{index}")
        else:
            lines.append((path, f"{path}:{int(value) if isinstance(value, bool) else value}"))

    walk(message, "")
    natural = lambda item: [(0, int(part), "") if part.isdigit() else (1, 0, part)
                            for part in re.findall(r"\d+|\D", item[0])]
    text = ";".join(line for _, line in sorted(lines, key=natural))
    return base64.b64encode(hmac.new(secret.encode(), text.encode(), hashlib.sha512).digest()).decode()


def ecommpay(base, known, reference, units):
    """A typed card in a session; the acknowledgement proves nothing, so the status is asked."""
    opening = {"project_id": int(known["merchant"]), "payment_id": reference, "payment_amount": units,
               "payment_currency": "EUR"}
    opening["signature"] = signature(opening, known["secret"])
    status, session = call("POST", f"{base}/msdk/v1/init", opening)
    assert status == 200, session
    call("POST", f"{base}/msdk/v1/pay", {
        "sid": session["sid"], "action": "sale", "method": "card",
        "card": {"pan": "5555555555554444", "year": 2030, "month": 12, "card_holder": "John Doe", "cvv": "737",
                 "save": False}})
    for _ in range(40):
        status, state = call("POST", f"{base}/msdk/v1/status", {"sid": session["sid"]})
        word = state.get("payment", {}).get("status") or state.get("status")
        if word not in ("processing", "awaiting confirmation"):
            return word == "success", reference
        time.sleep(0.25)
    return False, state


def halo(base, known, reference, units):
    """A tap, with a signed token of the merchant's."""
    status, answer = call(
        "POST", f"{base}/transactions/apple",
        {"merchantReference": reference, "generalCardData": "9F02", "paymentCardData": tap(units, "ZAR")},
        {"Authorization": f"Bearer {known['token']}", "X-Device-Installation-Id": "python-1"})
    approved = answer.get("onlineAuthorizationResponse", {}).get("type") == "Approved"
    return status == 200 and approved, answer.get("onlineAuthorizationResponse", {}).get("haloReference") or answer


def merchant(control, provider):
    """What the merchant has by the provider's own book, in minor units."""
    _, ledger = call("GET", f"{control}/ledger/{provider}")
    assert ledger["isBalanced"], ledger
    return sum(ledger["balances"]["merchant"].values())


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/debug/payctl"
    sandbox = subprocess.Popen([program, "sandbox"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    failures = 0
    try:
        line = json.loads(sandbox.stdout.readline())
        control = line["control"]
        for sale in (arise, adyen, ni, ecommpay, halo):
            name = sale.__name__
            base, known = line["providers"][name], line["credentials"][name]
            taken = 0
            approved, there = sale(base, known, f"python-{name}-1", 1250)
            taken += 1250 if approved else 0
            # The answer to the next request that fits is lost: a client can't know, and the ledger does.
            path = {"arise": "/pay-api/v1/transactions/sale", "adyen": "/v1/merchants/:merchant/devices/:device/sync",
                    "ni": "/softpos/payment/card/purchase", "ecommpay": "/msdk/v1/pay",
                    "halo": "/transactions/apple"}[name]
            status, _ = call("POST", f"{control}/faults", {
                "fault": "reply.lost", "provider": name, "path": path, "times": 1})
            assert status == 201, status
            try:
                sale(base, known, f"python-{name}-2", 700)
                lost = False
            except (http.client.HTTPException, urllib.error.URLError, ConnectionError):
                lost = True
            books = merchant(control, name)
            agrees = approved and lost and books == taken + 700
            failures += 0 if agrees else 1
            print(f"{name:9} sale {'approved' if approved else 'NOT approved'} ({there}); the second answer was "
                  f"{'lost' if lost else 'NOT lost'}; ledger {books / 100:.2f}: {'agrees' if agrees else 'DIFFERS'}")
        _, faults = call("GET", f"{control}/faults")
        print(f"{len(faults['played'])} faults were played")
    finally:
        sandbox.terminate()
        status = sandbox.wait(timeout=20)
    return 1 if failures or status else 0


if __name__ == "__main__":
    sys.exit(main())
