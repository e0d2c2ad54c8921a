#!/usr/bin/env node
// A till over the payment API: plain `fetch`, and nothing but what /openapi.json says.
//
//     PAYMENTS_KEY=… Examples/tills/till.mjs http://127.0.0.1:8080
//
// It reads one order a line and prints one line about what came of it: `end` is executed, executedForLess (for less than was
// asked, or a part went back since: a person looks at `payment`), undone (the money went back since), notExecuted, refused
// (nothing was begun), conflict (the key or the reference is used for `payment`, which may be paid: take no cash), pending
// (decided later) or unknown.
//     {"do": "sale", "key": UUID, "body": {…}}                      also "cancels": true, "loses": 1, "answers": {KIND: ANSWER}
//     {"do": "refund", "key": UUID, "payment": ID, "body": {…}}
//     {"do": "cancel", "key": UUID}    {"do": "ask", "key": UUID}

import { createInterface } from "node:readline";

const [address] = process.argv.slice(2);
const authorization = `Bearer ${process.env.PAYMENTS_KEY}`;
const turnsMax = 120;
const looksMax = 5; // about ten seconds

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

/** One request; null for whatever is not the service's answer. */
async function send(method, path, body, headers = {}) {
  try {
    const reply = await fetch(address + path, {
      method,
      headers: { authorization, ...(body && { "content-type": "application/json" }), ...headers },
      body: body && JSON.stringify(body),
    });
    if (!reply.headers.has("payments-version")) return null;
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  } catch {
    return null;
  }
}

/** Answers what an attempt asks, once for each question; false while the answer may be lost and has to be sent again. */
async function answer(attempt, answers, answered) {
  const question = attempt.question;
  if (!question || answered.has(question.id)) return true;
  if (question.address) console.error(`for the customer's browser: ${question.address}`);
  const reply = await send("POST", `/v1/attempts/${attempt.attempt}/answers`, {
    question: question.id,
    answer: answers[question.kind] ?? false,
  });
  // A key may come back, and too many requests be fewer.
  const isTaken = reply !== null && reply.status < 500 && ![401, 429].includes(reply.status);
  if (isTaken) answered.add(question.id);
  return isTaken;
}

/** What it means for a sale where its payment stands; any other word, and none, does not say that the money is there. */
const ends = {
  approved: "executed", captured: "executed", held: "executed", partlyRefunded: "executedForLess",
  refunded: "undone", voided: "undone", chargedBack: "undone",
};

/** What a till makes of money that moved: only `executed` means that the goods, or the cash, are the customer's. */
function moved(said, headers) {
  const { operation, payment, paymentStatus, amount: asked, approvedAmount: got } = said;
  const isLess = asked && (got.currency !== asked.currency || Number(got.value) < Number(asked.value));
  const isReplayed = headers.get("idempotency-replayed") === "true";
  // A refund's payment is of course refunded: what counts is the refund's own outcome.
  let end = operation === "sale" ? ends[paymentStatus] ?? "unknown" : "executed";
  if (isLess && end === "executed") end = "executedForLess";
  return { end, amount: got.value, currency: got.currency, payment, paymentStatus, isReplayed };
}

/** What a till makes of a 4xx; null where the key has an attempt, which is asked then. */
async function refused({ status, body: said }, { key, payment }, isFirst) {
  // This call began nothing. What an earlier one began, here or before a restart, it does not say.
  const known = await send("GET", `/v1/attempts/${key}`);
  const why = { status, code: said.code, outcome: said.outcome };
  if (status === 422 && said.outcome !== "notExecuted") {
    // The key is another content's: of the same order as a rule, before its bill was changed.
    return { end: "conflict", ...why, payment: known?.body.payment ?? null };
  }
  if (status !== 422 && known?.status === 200) return null;
  // The order has another attempt, of another till or of a key that was lost.
  if (said.code === "referenceInUse") return { end: "conflict", ...why, payment: payment ?? said.other?.attempt ?? null };
  const isNew = isFirst && known?.status === 404 && said.outcome !== "unknown";
  const isNothing = said.outcome === "notExecuted" || isNew;
  return { end: isNothing ? "refused" : "unknown", ...why };
}

/** Does an operation under a key, by the client's whole rule. */
async function carry(path, { key, payment, body, loses = 0, answers = {} }) {
  const answered = new Set();
  let location = null;
  let looks = 0;
  let wait = 20;
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const reply = location
      ? await send("GET", location, null, { prefer: `wait=${wait}` })
      : await send("POST", path, body, { "idempotency-key": key, prefer: "wait=20" });
    if (reply && loses > 0) {
      loses -= 1; // as if the connection had broken
      continue;
    }
    if (!reply || reply.status >= 500) {
      await pause(Number(reply?.headers.get("retry-after") ?? 2));
      continue; // not known: the same request again
    }
    const { status, headers, body: said } = reply;
    if (status === 201 || (status === 200 && said.outcome === "executed")) {
      const end = moved(said, headers);
      if (end.end !== "unknown" || looks === looksMax) return end;
      looks += 1; // the money is on its way back, or it can't be read now: the same request again
      await pause(2);
      continue;
    }
    if (status === 402 || (status === 200 && said.outcome === "notExecuted")) {
      return { end: "notExecuted", status: said.status, reason: said.decline?.reason ?? null };
    }
    if (status >= 400 && location) {
      location = null; // it says nothing about the attempt: the same request again
      continue;
    }
    if (status >= 400) {
      const end = await refused(reply, { key, payment }, turn === 0);
      if (end) return end;
      location = `/v1/attempts/${key}`;
      continue;
    }
    // The provider has it and decides later, as a refund for days: `ask` says what it came to.
    if (said.status === "pending") return { end: "pending", payment: said.payment };
    location = headers.get("location") ?? location ?? `/v1/attempts/${key}`;
    // A question that it has shown wakes no wait: an answer that may be lost is sent again without one.
    wait = (await answer(said, answers, answered)) ? 20 : 0;
    await pause(Number(headers.get("retry-after") ?? 0.1));
  }
  return { end: "unknown" };
}

async function obey(order) {
  switch (order.do) {
    case "sale": {
      const sale = carry("/v1/sales", order);
      if (!order.cancels) return sale;
      const cancelled = await send("POST", `/v1/attempts/${order.key}/cancel`, {});
      return { ...(await sale), cancel: cancelled?.body.result ?? null };
    }
    case "refund":
      return carry(`/v1/payments/${order.payment}/refunds`, order);
    case "cancel":
      return (await send("POST", `/v1/attempts/${order.key}/cancel`, {}))?.body ?? { end: "unknown" };
    case "ask":
      return (await send("GET", `/v1/attempts/${order.key}`))?.body ?? { end: "unknown" };
    default:
      return { end: "refused", code: `no such order: ${order.do}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await obey(JSON.parse(line))));
}
