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

import httpx
from payments_client import AuthenticatedClient
from payments_client.api.default import answer, attempt, cancel, refund, sale
from payments_client.models import AnswerBody, Attempt, CancelBody, RefundBody, SaleBody

TURNS_MAX = 120


def sent(call, *path, **members):
    """One request; None for whatever is not the service's answer."""
    try:
        reply = call.sync_detailed(*path, **members)
    except (httpx.HTTPError, ValueError, KeyError):
        return None
    return reply if "payments-version" in reply.headers else None


def answer_question(client, found, answers, answered):
    """Answers what an attempt asks, once for each question."""
    question = found.question
    if question is None or question.id in answered:
        return
    answered.add(question.id)
    body = AnswerBody.from_dict({"question": question.id, "answer": answers.get(question.kind, False)})
    sent(answer, found.attempt, client=client, body=body)


def ended(reply):
    """What came of it; None while it is not decided."""
    said = reply.parsed
    if isinstance(said, Attempt):
        if reply.status_code == 201 or said.outcome == "executed":
            is_replayed = reply.headers.get("idempotency-replayed") == "true"
            return {"end": "executed", "amount": said.approved_amount.value, "payment": said.payment,
                    "isReplayed": is_replayed}
        if reply.status_code == 402 or said.outcome == "notExecuted":
            return {"end": "notExecuted", "status": said.status, "reason": said.decline and said.decline.reason}
        return None
    return {"end": "refused", "status": int(reply.status_code), "code": said and said.code}


def carry(client, call, path, body, order):
    """Does an operation under a key, by the client's whole rule."""
    is_asking, answered, loses = False, set(), order.get("loses", 0)
    for _ in range(TURNS_MAX):
        if is_asking:
            reply = sent(attempt, order["key"], client=client, prefer="wait=20")
        else:
            reply = sent(call, *path, client=client, body=body, idempotency_key=order["key"], prefer="wait=20")
        if reply is not None and loses > 0:
            loses -= 1  # as if the connection had broken
            continue
        if reply is None or reply.status_code >= 500:
            time.sleep(float(reply.headers.get("retry-after", 0.2)) if reply is not None else 0.2)
            continue  # not known: the same request again
        if is_asking and reply.status_code == 404:
            is_asking = False  # it proves nothing: the same request again
            continue
        end = ended(reply)
        if end is not None:
            return end
        is_asking = True
        answer_question(client, reply.parsed, order.get("answers", {}), answered)
        time.sleep(min(float(reply.headers.get("retry-after", 0.1)), 1))
    return {"end": "unknown"}


def obey(client, order):
    """Does what a line says."""
    match order["do"]:
        case "sale":
            result = {}
            body = SaleBody.from_dict(order["body"])
            work = threading.Thread(target=lambda: result.update(carry(client, sale, (), body, order)))
            work.start()
            if order.get("cancels"):
                reply = sent(cancel, order["key"], client=client, body=CancelBody())
                result["cancel"] = reply and str(reply.parsed.result)
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
    return reply.parsed.to_dict() if reply is not None else {"end": "unknown"}


def main():
    client = AuthenticatedClient(
        base_url=sys.argv[1], token=os.environ["PAYMENTS_KEY"], timeout=httpx.Timeout(60),
        raise_on_unexpected_status=False)
    for line in sys.stdin:
        print(json.dumps(obey(client, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
