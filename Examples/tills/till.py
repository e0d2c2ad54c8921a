#!/usr/bin/env python3
"""A till over the payment API, by the client that openapi-python-client generates from /openapi.json.

    openapi-python-client generate --url http://127.0.0.1:8080/openapi.json --meta none --output-path payments_client
    PAYMENTS_KEY=… PYTHONPATH=. Examples/tills/till.py http://127.0.0.1:8080

It reads one order a line and prints one line about what came of it, as Examples/tills/till.mjs does.
"""

import json
import os
import sys
import threading
import time
from decimal import Decimal

import httpx
from payments_client import AuthenticatedClient
from payments_client.api.default import answer, attempt, cancel, refund, sale
from payments_client.models import AnswerBody, Attempt, CancelBody, CancelResult, RefundBody, SaleBody

TURNS_MAX = 120
LOOKS_MAX = 5  # about ten seconds

# What it means for a sale where its payment stands; any other word, and none, does not say that the money is there.
ENDS = {
    "approved": "executed", "captured": "executed", "held": "executed", "partlyRefunded": "executedForLess",
    "refunded": "undone", "voided": "undone", "chargedBack": "undone",
}


def sent(call, *path, **members):
    """One request; None for whatever is not the service's answer."""
    try:
        reply = call.sync_detailed(*path, **members)
    except Exception:  # a broken connection, or a reply that the generated client can't read
        return None
    return reply if "payments-version" in reply.headers else None


def answer_question(client, found, answers, answered):
    """Answers what an attempt asks, once for each question; false while the answer may be lost and has to be sent again."""
    question = found.question
    if question is None or question.id in answered:
        return True
    if question.address:
        print(f"for the customer's browser: {question.address}", file=sys.stderr)
    body = AnswerBody.from_dict({"question": question.id, "answer": answers.get(question.kind, False)})
    reply = sent(answer, found.attempt, client=client, body=body)
    # A key may come back, and too many requests be fewer.
    is_taken = reply is not None and reply.status_code < 500 and reply.status_code not in (401, 429)
    if is_taken:
        answered.add(question.id)
    return is_taken


def moved(said, headers):
    """What a till makes of money that moved: only `executed` means that the goods, or the cash, are the customer's."""
    asked, got = said.amount, said.approved_amount
    payment_status = said.to_dict().get("paymentStatus")
    is_less = asked is not None and (
        got.currency != asked.currency or Decimal(got.value) < Decimal(asked.value))
    # A refund's payment is of course refunded: what counts is the refund's own outcome.
    end = ENDS.get(payment_status, "unknown") if said.operation == "sale" else "executed"
    if is_less and end == "executed":
        end = "executedForLess"
    return {"end": end, "amount": got.value, "currency": got.currency, "payment": said.payment,
            "paymentStatus": payment_status, "isReplayed": headers.get("idempotency-replayed") == "true"}


def ended(said, reply):
    """What came of an attempt; None while a till waits for it."""
    if reply.status_code == 201 or said.outcome == "executed":
        return moved(said, reply.headers)
    if reply.status_code == 402 or said.outcome == "notExecuted":
        return {"end": "notExecuted", "status": said.status, "reason": said.decline and said.decline.reason}
    # The provider has it and decides later, as a refund for days: `ask` says what it came to.
    return {"end": "pending", "payment": said.payment} if said.status == "pending" else None


def refused(client, order, reply, is_first):
    """What a till makes of a 4xx; None where the key has an attempt, which is asked then."""
    status, said = int(reply.status_code), reply.parsed
    outcome = said and said.outcome
    # This call began nothing. What an earlier one began, here or before a restart, it does not say.
    known = sent(attempt, order["key"], client=client)
    found = known.parsed if known is not None and isinstance(known.parsed, Attempt) else None
    why = {"status": status, "code": said and said.code, "outcome": outcome}
    if status == 422 and outcome != "notExecuted":
        # The key is another content's: of the same order as a rule, before its bill was changed.
        return {"end": "conflict", **why, "payment": found and found.payment}
    if status != 422 and found is not None:
        return None
    if why["code"] == "referenceInUse":
        # The order has another attempt, of another till or of a key that was lost.
        return {"end": "conflict", **why, "payment": order.get("payment") or said.other and said.other.attempt}
    is_new = is_first and known is not None and known.status_code == 404 and outcome != "unknown"
    is_nothing = outcome == "notExecuted" or is_new
    return {"end": "refused" if is_nothing else "unknown", **why}


def carry(client, call, path, body, order):
    """Does an operation under a key, by the client's whole rule."""
    is_asking, answered, loses, looks, wait = False, set(), order.get("loses", 0), 0, 20
    for turn in range(TURNS_MAX):
        if is_asking:
            reply = sent(attempt, order["key"], client=client, prefer=f"wait={wait}")
        else:
            reply = sent(call, *path, client=client, body=body, idempotency_key=order["key"], prefer="wait=20")
        if reply is not None and loses > 0:
            loses -= 1  # as if the connection had broken
            continue
        if reply is None or reply.status_code >= 500:
            time.sleep(float(reply.headers.get("retry-after", 2)) if reply is not None else 2)
            continue  # not known: the same request again
        found = reply.parsed if isinstance(reply.parsed, Attempt) else None
        if found is None and is_asking:
            is_asking = False  # it says nothing about the attempt: the same request again
            continue
        end = refused(client, order, reply, turn == 0) if found is None else ended(found, reply)
        if found is not None and end is not None and end["end"] == "unknown" and looks < LOOKS_MAX:
            looks += 1  # the money is on its way back, or it can't be read now: the same request again
            time.sleep(2)
            continue
        if end is not None:
            return end
        is_asking = True
        if found is not None:
            # A question that it has shown wakes no wait: an answer that may be lost is sent again without one.
            wait = 20 if answer_question(client, found, order.get("answers", {}), answered) else 0
            time.sleep(float(reply.headers.get("retry-after", 0.1)))
    return {"end": "unknown"}


def obey(client, order):
    """Does what a line says."""
    match order["do"]:
        case "sale":
            result = {"end": "unknown"}
            body = SaleBody.from_dict(order["body"])
            work = threading.Thread(target=lambda: result.update(carry(client, sale, (), body, order)))
            work.start()
            if order.get("cancels"):
                reply = sent(cancel, order["key"], client=client, body=CancelBody())
                is_known = reply is not None and isinstance(reply.parsed, CancelResult)
                result["cancel"] = str(reply.parsed.result) if is_known else None
            work.join()
            return result
        case "refund":
            return carry(client, refund, (order["payment"],), RefundBody.from_dict(order["body"]), order)
        case "cancel":
            reply = sent(cancel, order["key"], client=client, body=CancelBody())
        case "ask":
            reply = sent(attempt, order["key"], client=client)
        case other:
            return {"end": "refused", "code": f"no such order: {other}"}
    return reply.parsed.to_dict() if reply is not None and reply.parsed is not None else {"end": "unknown"}


def main():
    client = AuthenticatedClient(
        base_url=sys.argv[1], token=os.environ["PAYMENTS_KEY"], timeout=httpx.Timeout(60),
        raise_on_unexpected_status=False)
    for line in sys.stdin:
        print(json.dumps(obey(client, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
