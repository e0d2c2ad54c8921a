#!/usr/bin/env node
// A till over the payment API: plain `fetch`, and nothing but what /openapi.json says.
//
//     PAYMENTS_KEY=… Examples/tills/till.mjs http://127.0.0.1:8080
//
// It reads one order a line and prints one line about what came of it:
//     {"do": "sale", "key": UUID, "body": {…}}                      also "cancels": true, "loses": 1, "answers": {KIND: ANSWER}
//     {"do": "refund", "key": UUID, "payment": ID, "body": {…}}
//     {"do": "cancel", "key": UUID}    {"do": "ask", "key": UUID}

import { createInterface } from "node:readline";

const [address] = process.argv.slice(2);
const authorization = `Bearer ${process.env.PAYMENTS_KEY}`;
const turnsMax = 120;

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

/** Answers what an attempt asks, once for each question. */
async function answer(attempt, answers, answered) {
  const question = attempt.question;
  if (!question || answered.has(question.id)) return;
  answered.add(question.id);
  await send("POST", `/v1/attempts/${attempt.attempt}/answers`, {
    question: question.id,
    answer: answers[question.kind] ?? false,
  });
}

/** Does an operation under a key, by the client's whole rule. */
async function carry(path, { key, body, loses = 0, answers = {} }) {
  const answered = new Set();
  let location = null;
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const reply = location
      ? await send("GET", location, null, { prefer: "wait=20" })
      : await send("POST", path, body, { "idempotency-key": key, prefer: "wait=20" });
    if (reply && loses > 0) {
      loses -= 1; // as if the connection had broken
      continue;
    }
    if (!reply || reply.status >= 500) {
      await pause(Number(reply?.headers.get("retry-after") ?? 0.2));
      continue; // not known: the same request again
    }
    const { status, headers, body: said } = reply;
    if (status === 201 || said.outcome === "executed") {
      const isReplayed = headers.get("idempotency-replayed") === "true";
      return { end: "executed", amount: said.approvedAmount.value, payment: said.payment, isReplayed };
    }
    if (status === 402 || (status === 200 && said.outcome === "notExecuted")) {
      return { end: "notExecuted", status: said.status, reason: said.decline?.reason ?? null };
    }
    if (location && status === 404) {
      location = null; // it proves nothing: the same request again
      continue;
    }
    if (status !== 202 && status !== 200) return { end: "refused", status, code: said.code };
    location = headers.get("location") ?? location ?? `/v1/attempts/${key}`;
    await answer(said, answers, answered);
    await pause(Math.min(Number(headers.get("retry-after") ?? 0.1), 1));
  }
  return { end: "unknown" };
}

async function obey(order) {
  switch (order.do) {
    case "sale": {
      const sale = carry("/v1/sales", order);
      if (!order.cancels) return sale;
      const cancelled = await send("POST", `/v1/attempts/${order.key}/cancel`, {});
      return { ...(await sale), cancel: cancelled?.body.result };
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
