// A till over the payment API, by the client that openapi-generator makes of /openapi-3.0.json.
//
//     openapi-generator-cli generate -i openapi-3.0.json -g typescript-fetch -o payments-client
//     tsc --outDir built Examples/tills/till.ts
//     PAYMENTS_KEY=… node built/till.js http://127.0.0.1:8080
//
// It reads one order a line and prints one line about what came of it, as Examples/tills/till.mjs does.

import { ApiResponse, Attempt, Configuration, DefaultApi, RefundBodyFromJSON, ResponseError, SaleBodyFromJSON } from "payments-client";

declare const process: any;
declare function require(name: string): any;

const [address] = process.argv.slice(2);
const api = new DefaultApi(new Configuration({ basePath: address, accessToken: process.env.PAYMENTS_KEY }));
const turnsMax = 120;
const looksMax = 5; // about ten seconds

interface Order {
  do: string;
  key: string;
  payment?: string;
  body?: object;
  loses?: number;
  cancels?: boolean;
  answers?: { [kind: string]: unknown };
}

interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

/** One request; null for whatever is not the service's answer. */
async function sent<T>(call: Promise<ApiResponse<T>>): Promise<Reply | null> {
  try {
    const reply = await call;
    if (!reply.raw.headers.has("payments-version")) return null;
    return { status: reply.raw.status, headers: reply.raw.headers, body: await reply.value() };
  } catch (error) {
    if (!(error instanceof ResponseError) || !error.response.headers.has("payments-version")) return null;
    try {
      return { status: error.response.status, headers: error.response.headers, body: await error.response.json() };
    } catch {
      return null;
    }
  }
}

/** Answers what an attempt asks, once for each question; false while the answer may be lost and has to be sent again. */
async function answerQuestion(attempt: Attempt, answers: { [kind: string]: unknown }, answered: Set<string>) {
  const question = attempt.question;
  if (!question || answered.has(question.id)) return true;
  if (question.address) console.error(`for the customer's browser: ${question.address}`);
  const answer: any = answers[question.kind] ?? false;
  const reply = await sent(api.answerRaw({ attempt: attempt.attempt, answerBody: { question: question.id, answer } }));
  // A key may come back, and too many requests be fewer.
  const isTaken = reply !== null && reply.status < 500 && reply.status !== 401 && reply.status !== 429;
  if (isTaken) answered.add(question.id);
  return isTaken;
}

/** What it means for a sale where its payment stands; any other word, and none, does not say that the money is there. */
const ends: { [paymentStatus: string]: string | undefined } = {
  approved: "executed", captured: "executed", held: "executed", partlyRefunded: "executedForLess",
  refunded: "undone", voided: "undone", chargedBack: "undone",
};

/** What a till makes of money that moved: only `executed` means that the goods, or the cash, are the customer's. */
function moved({ headers, body: said }: Reply) {
  const { operation, payment, paymentStatus, amount: asked, approvedAmount: got } = said;
  const isLess = asked && (got.currency !== asked.currency || Number(got.value) < Number(asked.value));
  const isReplayed = headers.get("idempotency-replayed") === "true";
  // A refund's payment is of course refunded: what counts is the refund's own outcome.
  let end = operation === "sale" ? ends[paymentStatus] ?? "unknown" : "executed";
  if (isLess && end === "executed") end = "executedForLess";
  return { end, amount: got.value, currency: got.currency, payment, paymentStatus, isReplayed };
}

/** What a till makes of a 4xx; null where the key has an attempt, which is asked then. */
async function refused({ status, body: said }: Reply, { key, payment }: Order, isFirst: boolean) {
  // This call began nothing. What an earlier one began, here or before a restart, it does not say.
  const known = await sent(api.attemptRaw({ attempt: key }));
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
async function carry(order: Order, begin: () => Promise<ApiResponse<Attempt>>) {
  const answered = new Set<string>();
  let loses = order.loses ?? 0;
  let isAsking = false;
  let looks = 0;
  let wait = 20;
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const reply = await sent(isAsking ? api.attemptRaw({ attempt: order.key, prefer: `wait=${wait}` }) : begin());
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
      const end = moved(reply);
      if (end.end !== "unknown" || looks === looksMax) return end;
      looks += 1; // the money is on its way back, or it can't be read now: the same request again
      await pause(2);
      continue;
    }
    if (status === 402 || (status === 200 && said.outcome === "notExecuted")) {
      return { end: "notExecuted", status: said.status, reason: said.decline?.reason ?? null };
    }
    if (status >= 400 && isAsking) {
      isAsking = false; // it says nothing about the attempt: the same request again
      continue;
    }
    if (status >= 400) {
      const end = await refused(reply, order, turn === 0);
      if (end) return end;
      isAsking = true;
      continue;
    }
    // The provider has it and decides later, as a refund for days: `ask` says what it came to.
    if (said.status === "pending") return { end: "pending", payment: said.payment };
    isAsking = true;
    // A question that it has shown wakes no wait: an answer that may be lost is sent again without one.
    wait = (await answerQuestion(said, order.answers ?? {}, answered)) ? 20 : 0;
    await pause(Number(headers.get("retry-after") ?? 0.1));
  }
  return { end: "unknown" };
}

const cancel = (order: Order) => sent(api.cancelRaw({ attempt: order.key, body: {} }));

async function obey(order: Order): Promise<object> {
  const named = { idempotencyKey: order.key, prefer: "wait=20" };
  switch (order.do) {
    case "sale": {
      const saleBody = SaleBodyFromJSON(order.body);
      const sale = carry(order, () => api.saleRaw({ ...named, saleBody }));
      if (!order.cancels) return sale;
      const cancelled = await cancel(order);
      return { ...(await sale), cancel: cancelled?.body.result ?? null };
    }
    case "refund": {
      const refundBody = RefundBodyFromJSON(order.body);
      return carry(order, () => api.refundRaw({ ...named, payment: order.payment ?? "", refundBody }));
    }
    case "cancel":
      return (await cancel(order))?.body ?? { end: "unknown" };
    case "ask":
      return (await sent(api.attemptRaw({ attempt: order.key })))?.body ?? { end: "unknown" };
    default:
      return { end: "refused", code: `no such order: ${order.do}` };
  }
}

async function main() {
  for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await obey(JSON.parse(line))));
  }
}

void main();
