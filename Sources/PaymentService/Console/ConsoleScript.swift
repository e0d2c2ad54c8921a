extension ConsoleFiles {
    /// What the console does. It uses the public API alone.
    static let script = #"""
        "use strict";

        const place = document.getElementById("place");
        const said = document.getElementById("said");
        const store = window.sessionStorage;
        const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

        // Makes an element. Texts are set as texts, never as markup.
        function make(name, attributes = {}, ...children) {
          const element = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) {
            if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
            else if (value === true) element.setAttribute(key, "");
            else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
          }
          for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
          return element;
        }

        // Which screen is shown, and how many were before. An answer may come when the person is elsewhere by then.
        let shown = "";
        let turn = 0;
        // What draws the screen that is asked for now; once another one is asked for, it draws nothing.
        const drawing = () => {
          const mine = turn;
          return (...children) => {
            if (mine !== turn) return;
            place.replaceChildren(...children.flat().filter((one) => one !== null && one !== undefined));
          };
        };
        // Shows a screen again on which something was done, if the person is still there.
        const again = (here) => (here === shown ? show(here) : undefined);
        const say = (text) => { said.textContent = text; };
        const money = (amount) => (amount ? `${amount.value} ${amount.currency}` : "–");
        const time = (text) => (text ? new Date(text).toLocaleString() : "–");

        async function call(method, path, body = null, fields = {}) {
          const headers = { Authorization: `Bearer ${store.getItem("key")}`, ...fields };
          if (body !== null) headers["Content-Type"] = "application/json";
          const reply = await fetch(path, {
            method, headers, body: body === null ? undefined : JSON.stringify(body), cache: "no-store",
          });
          // Only an answer with this field is the service's.
          if (!reply.headers.has("Payments-Version")) throw new Error("no answer of the service");
          return { status: reply.status, place: reply.headers.get("Location"), body: await reply.json() };
        }

        async function read(path) {
          const reply = await call("GET", path);
          if (reply.status === 401) { store.removeItem("key"); say(reply.body.detail); show("key"); }
          if (reply.status !== 200) throw new Error(reply.body.detail || String(reply.status));
          return reply.body;
        }

        // The client's whole rule: what gave no answer is sent again with its key, and 202 is asked about.
        async function move(path, body, key, progress) {
          for (let count = 0; count < 60; count += 1) {
            let reply = null;
            try {
              reply = await call("POST", path, body, { "Idempotency-Key": key, Prefer: "wait=5" });
            } catch (error) {
              progress(null, "No answer. The same request is sent again.");
              await sleep(1000);
              continue;
            }
            if (reply.status >= 500) { progress(null, reply.body.detail); await sleep(2000); continue; }
            while (reply.status === 202 || (reply.status === 200 && reply.body.outcome === "unknown")) {
              progress(reply.body, "");
              // The provider decides later, perhaps in days.
              if (reply.body.status === "pending") return reply;
              await sleep(500);
              try { reply = await call("GET", `/v1/attempts/${key}`, null, { Prefer: "wait=2" }); } catch (error) { reply = null; break; }
            }
            // The key stays: the same request again asks what became of it.
            if (!reply) { await sleep(1000); continue; }
            if (reply.status === 200 || reply.status === 201 || reply.status === 402 || reply.status < 500) return reply;
          }
          throw new Error("It is not known what became of it. Look at the attempt later.");
        }

        // A key is drawn when a form opens and kept until its attempt is decided, also over a reload.
        function keyOf(form) {
          let key = store.getItem(`key of ${form}`);
          if (!key) { key = crypto.randomUUID(); store.setItem(`key of ${form}`, key); }
          return key;
        }
        const forget = (form) => store.removeItem(`key of ${form}`);

        function outcome(reply) {
          const body = reply.body;
          if (body.outcome === "executed") {
            const isThere = body.operation !== "sale" || ["approved", "captured", "held"].includes(body.paymentStatus);
            return `Executed: ${money(body.approvedAmount || body.amount)}.`
              + (isThere ? "" : ` Hand over nothing for it now: the payment is ${body.paymentStatus || "not readable"}.`);
          }
          if (reply.status === 402 || body.outcome === "notExecuted") {
            const why = body.decline ? body.decline.reason : body.problem ? body.problem.code : body.status;
            return `Not executed: ${why}.`;
          }
          if (body.status === "pending") return "The provider decides later. Until then it stands under To decide.";
          return `${body.title || ""} ${body.detail || ""}`;
        }

        function field(label, input) {
          const id = `f${Math.random().toString(36).slice(2)}`;
          input.id = id;
          return make("p", { class: "field" }, make("label", { for: id }, label), input);
        }

        function table(caption, heads, rows, empty) {
          if (rows.length === 0) return make("p", {}, empty);
          return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
            make("table", {}, make("caption", {}, caption),
              make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
              make("tbody", {}, rows.map((cells) =>
                make("tr", {}, cells.map((cell, column) => make("td", { "data-head": heads[column] }, cell)))))));
        }

        // What a list could not show.
        const lost = (list) => (list.unreadable || []).map((id) => make("p", { class: "attention", role: "alert" },
          `The payment ${id} can't be read. Have the journal checked.`));
        const button = (text, action) => make("button", { type: "button", onclick: action }, text);
        // What people call a payment or an attempt: a message may stand above another one's screen.
        const label = (one) => one.reference || one.payment.slice(-8);
        const link = (payment, text) => make("a", { href: `#payment/${payment}` }, text || "–");

        const screens = {};

        screens.key = async () => {
          const fill = drawing();
          const input = make("input", { type: "password", autocomplete: "off", required: true });
          fill(make("h2", {}, "Key"), make("form", {
            onsubmit: (event) => {
              event.preventDefault();
              store.setItem("key", input.value.trim());
              location.hash = "#decide";
              show("decide");
            },
          }, field("Key of the API", input), make("button", {}, "Use this key")));
          input.focus();
        };

        function decisionForm(attempt, here) {
          const name = make("input", { autocomplete: "off" });
          const besides = make("input", { autocomplete: "off" });
          const amount = make("input", { autocomplete: "off", placeholder: attempt.amount ? attempt.amount.value : "5.00 EUR" });
          const reason = make("input", { required: true, autocomplete: "off" });
          const decide = async (word) => {
            if (!reason.value.trim()) { say("Say how it was found out."); reason.focus(); return; }
            if (word === "executed" && !name.value.trim()) { say("Say what the provider calls it."); name.focus(); return; }
            const body = { decision: word, reason: reason.value.trim(), version: attempt.version };
            if (word === "executed") {
              body.providerName = name.value.trim();
              const [value, typed] = amount.value.trim().split(/\s+/);
              const currency = typed || (attempt.amount && attempt.amount.currency);
              if (value && currency) body.amount = { value, currency: currency.toUpperCase() };
              if (!attempt.amount && !body.amount) { say("Say how much it was, with the currency."); amount.focus(); return; }
            }
            const others = [...new Set(besides.value.split(/[\s,]+/).filter(Boolean))];
            if (word === "notExecuted" && others.length > 0) body.besides = others;
            const reply = await call("POST", `/v1/attempts/${attempt.attempt}/decision`, body);
            say(`${label(attempt)}: ${reply.status === 200 ? outcome(reply) : reply.body.detail}`);
            if (reply.status === 200 || reply.status === 409) await again(here);
          };
          // What is pending waits for the provider's word. Decided as not executed, it is sent again, and both may be executed.
          const isPending = attempt.status === "pending";
          return make("details", {}, make("summary", {}, isPending ? "Decide for the provider" : "Decide"),
            isPending ? make("p", {}, "The provider decides this itself, perhaps in days. Decide only what its portal shows as over.") : null,
            make("p", {}, "Look in the provider's portal first. What it says later still counts."),
            field("What the provider calls it", name),
            field(attempt.amount ? "How much was executed, if not all of it" : "How much it was", amount),
            field("Which payments it is not, if the provider shows some like it", besides),
            field("How it was found out", reason),
            make("p", {}, button("It was executed", () => decide("executed")), " ",
              button("It was not executed", () => decide("notExecuted"))));
        }

        screens.decide = async (query = "") => {
          const [fill, here] = [drawing(), shown];
          const asked = new URLSearchParams(query);
          asked.set("status", "open");
          asked.set("limit", "50");
          const list = await read(`/v1/attempts?${asked}`);
          const rows = list.items.map((attempt) => [
            link(attempt.payment, label(attempt)),
            attempt.operation, money(attempt.amount), attempt.status, attempt.provider || "–", time(attempt.createdAt),
            make("div", {},
              button("Look it up", async () => {
                say(`${label(attempt)}: the provider is asked.`);
                const reply = await call("POST", `/v1/attempts/${attempt.attempt}/lookup`, {}, { Prefer: "wait=10" });
                say(`${label(attempt)}: ${reply.status === 200 ? `it is ${reply.body.status}.` : reply.body.detail}`);
                await again(here);
              }),
              attempt.status === "running" ? null : decisionForm(attempt, here)),
          ]);
          fill(make("h2", {}, "To decide"),
            table("Attempts that are not decided, oldest first",
              ["Reference", "Operation", "Amount", "Status", "Provider", "Began", "Do"], rows,
              list.unreadable ? "Nothing else is open." : "Nothing is open."),
            lost(list),
            list.next ? make("p", {}, make("a", { href: `#decide/${new URLSearchParams({ cursor: list.next })}` }, "Next page")) : null);
        };

        screens.payments = async (query = "") => {
          const fill = drawing();
          const reference = make("input", { autocomplete: "off" });
          const status = make("select", {}, ["", "open", "approved", "held", "captured", "partlyRefunded", "refunded", "voided",
            "chargedBack", "declined", "cancelled", "notExecuted", "reversed"].map((word) => make("option", { value: word }, word || "any")));
          const given = new URLSearchParams(query);
          reference.value = given.get("reference") || "";
          status.value = given.get("status") || "";
          const list = await read(`/v1/payments?${given}`);
          const rows = list.items.map((payment) => [
            link(payment.payment, label(payment)), money(payment.amounts.captured),
            money(payment.amounts.refunded), payment.status, payment.provider, time(payment.createdAt),
          ]);
          const next = new URLSearchParams(given);
          if (list.next) next.set("cursor", list.next);
          fill(make("h2", {}, "Payments"), make("form", {
            class: "row", onsubmit: (event) => {
              event.preventDefault();
              const asked = new URLSearchParams();
              if (reference.value.trim()) asked.set("reference", reference.value.trim());
              if (status.value) asked.set("status", status.value);
              location.hash = `#payments/${asked}`;
            },
          }, field("Reference", reference), field("Status", status), make("button", {}, "Find")),
          table("Payments, newest first", ["Reference", "Captured", "Refunded", "Status", "Provider", "Began"], rows,
            list.next || list.unreadable ? "None on this page." : "No payment fits."),
          lost(list),
          list.next ? make("p", {}, make("a", { href: `#payments/${next}` }, "Next page")) : null);
        };

        function refundForm(payment, here) {
          const form = `refund ${payment.payment}`;
          const amount = make("input", { inputmode: "decimal", placeholder: payment.amounts.refundable.value });
          const what = make("input", { autocomplete: "off" });
          const account = make("select", {});
          const send = make("button", {}, "Refund");
          return make("form", {
            onsubmit: async (event) => {
              event.preventDefault();
              send.disabled = true;
              const body = amount.value.trim()
                ? { amount: { value: amount.value.trim(), currency: payment.amounts.refundable.currency } } : { all: true };
              if (what.value.trim()) body.reference = what.value.trim();
              if (account.value) body.account = account.value;
              try {
                const reply = await move(`/v1/payments/${payment.payment}/refunds`, body, keyOf(form),
                  (attempt, text) => say(`${label(payment)}, refund: ${text || "it is under way."}`));
                if (reply.status !== 422 && reply.status !== 400) forget(form);
                if (reply.body.code === "accountNeeded") {
                  if (!account.isConnected) send.before(field("Account", account));
                  const isOnly = (one) => reply.body.accounts.filter((other) => other.provider === one.provider).length === 1;
                  account.replaceChildren(make("option", { value: "" }, ""), ...reply.body.accounts.map((one) =>
                    make("option", { value: isOnly(one) ? one.provider : one.account }, `${one.provider} ${one.account}`)));
                  say(`${label(payment)}, refund: ${reply.body.title}`);
                  return;
                }
                say(`${label(payment)}, refund: ${outcome(reply)}`);
                if (reply.status === 201) await again(here);
              } catch (error) { say(`${label(payment)}, refund: ${error.message}`); } finally { send.disabled = false; }
            },
          }, make("h3", {}, "Refund"),
          make("p", {}, `${money(payment.amounts.refundable)} can be refunded. Empty means all of it.`),
          field("Amount", amount), field("What it is for", what), send);
        }

        function seenForm(payment, attempt, here) {
          const what = attempt.attention.find((one) => ["chargeback", "contradiction", "amount"].includes(one));
          if (!what) return "–";
          const reason = make("input", { required: true, autocomplete: "off" });
          return make("details", {}, make("summary", {}, "Acknowledge"),
            make("p", {}, what === "chargeback" ? "A refund beside the chargeback is possible then." : "The alert ends."),
            field("What was found out", reason),
            make("p", {}, button("I have seen it", async () => {
              if (!reason.value.trim()) { say("Say what was found out."); reason.focus(); return; }
              const reply = await call("POST", `/v1/attempts/${attempt.attempt}/decision`,
                { decision: "acknowledged", acknowledges: what, reason: reason.value.trim(), version: attempt.version,
                  ...(what === "amount" && { amount: attempt.approvedAmount }) });
              say(`${label(payment)}: ${reply.status === 200 ? "it is acknowledged." : reply.body.detail}`);
              if (reply.status === 200 || reply.status === 409) await again(here);
            })));
        }

        screens.payment = async (id) => {
          const [fill, here] = [drawing(), shown];
          const [payment, events] = await Promise.all([
            read(`/v1/payments/${encodeURIComponent(id)}`), read(`/v1/payments/${encodeURIComponent(id)}/events`),
          ]);
          const sums = ["authorized", "captured", "refunded", "refundable", "capturable", "inDoubt"];
          fill(make("h2", {}, `Payment ${payment.reference || payment.payment}`),
            make("p", {}, `${payment.status} at ${payment.provider}, ${time(payment.createdAt)}`),
            make("dl", {}, sums.flatMap((name) => [make("dt", {}, name), make("dd", {}, money(payment.amounts[name]))])),
            payment.attention.map((one) => make("p", { class: "attention", role: "alert" }, one.text)),
            payment.amounts.refundable.value.match(/[1-9]/) ? refundForm(payment, here) : null,
            table("Attempts", ["Operation", "Amount", "Status", "Why", "Id", "Do"], payment.attempts.map((attempt) => [
              attempt.operation, money(attempt.approvedAmount || attempt.amount), attempt.status,
              attempt.decline ? attempt.decline.reason : attempt.problem ? attempt.problem.code : "–",
              make("code", {}, attempt.attempt), seenForm(payment, attempt, here),
            ]), "None."),
            table("What happened", ["When", "What"], events.items.map((event) => [time(event.at), event.kind]), "Nothing."));
        };

        function question(attempt) {
          const asked = attempt.question;
          if (!asked) return null;
          const answer = (value) => call("POST", `/v1/attempts/${attempt.attempt}/answers`,
            { question: asked.id, answer: value }, { Prefer: "wait=0" }).then((reply) => {
            if (reply.status !== 200) say(reply.body.detail);
          });
          const text = [asked.kind, asked.text, asked.approved ? `${money(asked.approved)} of ${money(asked.asked)}` : null]
            .filter(Boolean).join(": ");
          return make("fieldset", {}, make("legend", {}, "A question"), make("p", {}, text),
            /^https?:\/\//i.test(asked.address || "") ? make("p", {}, make("a", { href: asked.address, rel: "noreferrer", target: "_blank" }, "Open")) : null,
            asked.form.type === "boolean"
              ? make("p", {}, button("Yes", () => answer(true)), " ", button("No", () => answer(false))) : null);
        }

        screens.till = async () => {
          const fill = drawing();
          const readers = await read("/v1/readers");
          const amount = make("input", { inputmode: "decimal", required: true, placeholder: "12.50" });
          const currency = make("input", { value: "EUR", required: true, maxlength: "3" });
          const reference = make("input", { required: true, autocomplete: "off" });
          const send = make("button", {}, "Charge");
          const state = make("div", { "aria-live": "polite" });
          const key = make("code", {}, keyOf("sale"));
          fill(make("h2", {}, "Virtual till"), make("form", {
            onsubmit: async (event) => {
              event.preventDefault();
              send.disabled = true;
              const id = keyOf("sale");
              const body = {
                amount: { value: amount.value.trim(), currency: currency.value.trim().toUpperCase() },
                reference: reference.value.trim(),
              };
              let shown = "";
              try {
                const reply = await move("/v1/sales", body, id, (attempt, text) => {
                  const sign = attempt ? JSON.stringify([attempt.prompt, attempt.question]) : text;
                  if (sign === shown) return;
                  shown = sign;
                  if (!attempt) { say(`${body.reference}, sale: ${text}`); return; }
                  say(`${body.reference}, sale: ${attempt.prompt ? `at the reader: ${attempt.prompt}.` : "it is under way."}`);
                  state.replaceChildren(...[question(attempt), make("p", {}, button("Cancel", async () => {
                    const ended = await call("POST", `/v1/attempts/${id}/cancel`, {});
                    if (ended.status === 200) say(`Cancel: ${ended.body.result}.`); else say(ended.body.detail);
                  }))].filter(Boolean));
                });
                if (reply.status !== 400 && reply.status !== 403) forget("sale");
                key.textContent = keyOf("sale");
                say(`${body.reference}, sale: ${outcome(reply)}`);
                state.replaceChildren(reply.body.payment ? make("p", {}, link(reply.body.payment, "Show the payment")) : "");
              } catch (error) { say(`${body.reference}, sale: ${error.message}`); } finally { send.disabled = false; }
            },
          }, field("Amount, the tip included", amount), field("Currency", currency),
          field("Reference, such as the number of an order", reference), send, state),
          make("p", {}, "Id of this sale: ", key),
          make("p", {}, readers.items.length ? `Readers: ${readers.items.map((one) =>
            `${one.reader} (${one.isReady ? "ready" : "not ready"})`).join(", ")}` : "There is no reader."));
          amount.focus();
        };

        screens.devices = async () => {
          const [fill, here] = [drawing(), shown];
          const [readers, providers, self] = await Promise.all([
            read("/v1/readers"), read("/v1/providers"), read("/v1/self"),
          ]);
          fill(make("h2", {}, "Readers and providers"),
            make("p", {}, `Shop ${self.shop}, key ${self.key} (${self.role}), version ${self.version}.`),
            table("Readers", ["Reader", "State", "Used by", "Do"], readers.items.map((one) => [
              one.reader, one.isReady ? "ready" : "not ready", one.attempts.join(", ") || "–",
              button("Prepare", async () => {
                const reply = await call("POST", `/v1/readers/${encodeURIComponent(one.reader)}/prepare`, {});
                say(reply.status === 200 ? `${one.reader} is ${reply.body.isReady ? "ready" : "not ready yet"}.`
                  : reply.body.detail || reply.body.title);
                await again(here);
              }),
            ]), "There is no reader."),
            table("Providers", ["Name", "Adapter", "Environment", "Account", "New payments"], providers.items.map((one) => [
              one.provider, one.adapter, one.environment, one.account, one.isActive ? "yes" : "by routes alone",
            ]), "None."));
        };

        async function show(name) {
          if (!store.getItem("key")) name = "key";
          shown = name;
          turn += 1;
          const mine = turn;
          const [screen, ...rest] = name.split("/");
          for (const anchor of document.querySelectorAll("nav a")) {
            if (anchor.getAttribute("href") === `#${screen === "payment" ? "payments" : screen}`) anchor.setAttribute("aria-current", "page");
            else anchor.removeAttribute("aria-current");
          }
          try { await (screens[screen] || screens.decide)(rest.join("/")); } catch (error) {
            if (mine === turn) say(error.message);
          }
        }

        document.getElementById("leave").addEventListener("click", () => { store.clear(); say(""); show("key"); });
        window.addEventListener("hashchange", () => { say(""); show(location.hash.slice(1) || "decide"); });
        show(location.hash.slice(1) || "decide");
        """#
}
