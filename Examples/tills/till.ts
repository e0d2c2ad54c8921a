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

/** Answers what an attempt asks, once for each question. */
async function answerQuestion(attempt: Attempt, answers: { [kind: string]: unknown }, answered: Set<string>) {
  const question = attempt.question;
  if (!question || answered.has(question.id)) return;
  answered.add(question.id);
  const answer: any = answers[question.kind] ?? false;
  await sent(api.answerRaw({ attempt: attempt.attempt, answerBody: { question: question.id, answer } }));
}

/** Does an operation under a key, by the client's whole rule. */
async function carry(order: Order, begin: () => Promise<ApiResponse<Attempt>>) {
  const answered = new Set<string>();
  let loses = order.loses ?? 0;
  let isAsking = false;
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const reply = await sent(isAsking ? api.attemptRaw({ attempt: order.key, prefer: "wait=20" }) : begin());
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
    if (isAsking && status === 404) {
      isAsking = false; // it proves nothing: the same request again
      continue;
    }
    if (status !== 202 && status !== 200) return { end: "refused", status, code: said.code };
    isAsking = true;
    await answerQuestion(said, order.answers ?? {}, answered);
    await pause(Math.min(Number(headers.get("retry-after") ?? 0.1), 1));
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
      return { ...(await sale), cancel: cancelled?.body.result };
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
