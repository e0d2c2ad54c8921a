import PaymentBase
import PaymentConformance
import PaymentTransport

extension Mutant {
    static let words: [Mutant] = [
        word(
            "decline.as-approval", "Takes a decline for an approval.", caughtBy: "sale.insufficient-funds", "/payments",
            "declined", as: "approved"),
        word(
            "approval.as-decline", "Takes an approval for a decline.", caughtBy: "sale.approved", "/payments",
            "approved", as: "declined"),
        word(
            "unknown.as-decline", "Takes a word that it does not know for a decline.", caughtBy: "lookup.unknown-word",
            "/payments", "teleported", as: "declined"),
        word(
            "unknown.as-decline-again", "Takes any strange word for a decline.", caughtBy: "unknown.word", "/payments",
            "teleported", as: "declined"),
        word(
            "unknown.refund-as-decline", "Takes a strange word for a refund for a decline.",
            caughtBy: "unknown.refund-word", "/refund", "teleported", as: "declined"),
        word(
            "pending.as-approval", "Takes pending for approved.", caughtBy: "sale.pending-approved", "/payments",
            "pending", as: "approved"),
        word(
            "pending.as-decline", "Takes pending for declined.", caughtBy: "sale.pending-blocks", "/payments",
            "pending", as: "declined"),
        word(
            "processing.as-decline", "Takes work that goes on for a decline.", caughtBy: "sale.decided-soon",
            "/payments",
            "processing", as: "declined"),
        word(
            "refund.pending-as-approval", "Takes a pending refund for done.", caughtBy: "refund.pending", "/refund",
            "pending", as: "approved"),
        word(
            "refund.pending-as-decline", "Takes a pending refund for declined.", caughtBy: "refund.pending-fails",
            "/refund", "pending", as: "declined"),
        word(
            "capture.pending-as-approval", "Takes a pending capture for done.", caughtBy: "capture.pending", "/capture",
            "pending", as: "approved"),
        word(
            "challenge.skipped", "Takes the wish for a challenge for an approval.",
            caughtBy: "question.asked-nothing-moved", "/payments", "needsChallenge", as: "approved"),
        word(
            "challenge.as-decline", "Takes the wish for a challenge for a decline.", caughtBy: "question.challenge",
            "/payments", "needsChallenge", as: "declined"),
        word(
            "clarification.as-decline", "Takes the wish for more fields for a decline.",
            caughtBy: "question.clarification", "/payments", "needsFields", as: "declined"),
        word(
            "pin.as-decline", "Takes the wish for a PIN for a decline.", caughtBy: "question.pin", "/payments",
            "needsPIN", as: "declined"),
        word(
            "pin.wrong-as-approval", "Takes a wrong PIN for a right one.", caughtBy: "question.wrong-pin", "/answers",
            "declined", as: "approved"),
        request(
            "challenge.always-ok", "Says that every challenge was passed.", caughtBy: "question.challenge-failed",
            "/answers", "result"
        ) { _ in "ok" },
        request(
            "challenge.answer-lost", "Loses the result of the challenge.", caughtBy: "question.no-second-charge",
            "/answers", "result"
        ) { _ in nil },
        reply("code.dropped", "Drops the provider's own code.", caughtBy: "sale.lost-card", "/payments", "code") { _ in
            ""
        },
        reply("code.made-general", "Makes one code of all.", caughtBy: "sale.expired-card", "/payments", "code") {
            $0.string == "54" ? "05" : $0
        },
        reply("code.swapped", "Mixes two codes up.", caughtBy: "sale.do-not-honor", "/payments", "code") {
            $0.string == "05" ? "51" : $0
        },
        reply(
            "code.security-lost", "Loses the reason of a wrong security code.", caughtBy: "sale.wrong-security-code",
            "/payments", "code"
        ) { $0.string == "82" ? "05" : $0 },
        reply("code.touched", "Writes codes in its own way.", caughtBy: "error.raw-code", "/payments", "code") {
            .string("E" + ($0.string ?? ""))
        },
        reply(
            "code.unlisted-as-listed", "Makes a listed code of one that is in no table.", caughtBy: "unknown.reason",
            "/payments", "code"
        ) { $0.string == "ZZ9" ? "05" : $0 },
        reply(
            "references.dropped", "Keeps no reference of the provider's.", caughtBy: "sale.references", "/payments",
            "id"
        ) { _ in nil },
        reply(
            "references.constant", "Gives every payment the same reference.", caughtBy: "sale.references-differ",
            "/payments", "id"
        ) { _ in "mp_1" },
        reply(
            "saved.dropped", "Forgets the instrument that was saved.", caughtBy: "sale.tokenize", "/payments", "saved"
        ) { _ in nil },
        request("save.dropped", "Does not ask to save.", caughtBy: "sale.saved-then-used", "/payments", "save") { _ in
            nil
        },
        request("customer.dropped", "Saves for nobody.", caughtBy: "sale.listed-saved", "/payments", "customer") { _ in
            nil
        },
        request(
            "kind.authorize-charges", "Charges instead of holding.", caughtBy: "authorize.held", "/payments", "kind"
        ) { $0.string == "authorize" ? "sale" : $0 },
        request("kind.sale-holds", "Holds instead of charging.", caughtBy: "sale.from-token", "/payments", "kind") {
            $0.string == "sale" ? "authorize" : $0
        },
        request("kind.debit-holds", "Holds instead of debiting.", caughtBy: "sale.debit", "/payments", "kind") {
            $0.string == "debit" ? "authorize" : $0
        },
        request(
            "kind.refund-charges", "Charges instead of giving back.", caughtBy: "refund.unlinked-card", "/payments",
            "kind"
        ) { $0.string == "unlinkedRefund" ? "sale" : $0 },
        request(
            "kind.refund-charges-tap", "Charges instead of giving back by tap.", caughtBy: "refund.unlinked-reader",
            "/payments", "kind"
        ) { $0.string == "unlinkedRefund" ? "sale" : $0 },
        request(
            "kind.refund-charges-bank", "Debits instead of crediting.", caughtBy: "refund.unlinked-bank", "/payments",
            "kind"
        ) { $0.string == "unlinkedRefund" ? "sale" : $0 },
        answer(
            "echo.not-checked", "Believes an answer about another attempt.", caughtBy: "lookup.other-attempt",
            "/payments"
        ) { request, reply in
            guard let attempt = read(request.body)?["attempt"], let said = read(reply.body) else { return reply }
            var reply = reply
            reply.body = FieldPath("attempt").changing(said) { _ in attempt }.bytes()
            return reply
        },
        answer("html.as-decline", "Takes a page in HTML for a decline.", caughtBy: "unknown.html", "/payments") {
            request, reply in
            request.method == "POST" && reply.body.first == UInt8(ascii: "<") ? declined(request) : reply
        },
        answer("empty.as-decline", "Takes an empty answer for a decline.", caughtBy: "unknown.empty", "/payments") {
            request, reply in
            request.method == "POST" && reply.body.isEmpty ? declined(request) : reply
        },
        answer(
            "truncated.as-decline", "Takes a truncated answer for a decline.", caughtBy: "unknown.truncated",
            "/payments"
        ) { request, reply in
            request.method == "POST" && read(reply.body) == nil ? declined(request) : reply
        },
        answer(
            "missing.as-decline", "Takes an answer without a state for a decline.", caughtBy: "unknown.every-member",
            "/payments"
        ) { request, reply in
            request.method == "POST" && read(reply.body)?["state"] == nil ? declined(request) : reply
        },
        answer(
            "failure.as-decline", "Takes a server failure for a decline.", caughtBy: "error.server-failure", "/payments"
        ) { request, reply in
            reply.status == 500 ? declined(request) : reply
        },
        answer(
            "failure.as-decline-scripted", "Takes a server failure after the deed for a decline.",
            caughtBy: "lookup.fails-after", "/payments"
        ) { request, reply in
            reply.status == 500 ? declined(request) : reply
        },
        answer("busy.as-decline", "Takes a busy provider for a decline.", caughtBy: "error.busy-once", "/payments") {
            request, reply in
            reply.status == 503 ? declined(request) : reply
        },
        answer("redirect.as-approval", "Takes a redirect for an approval.", caughtBy: "error.redirect", "/payments") {
            request, reply in
            guard reply.status == 307, let asked = read(request.body), let amount = asked["amount"] else {
                return reply
            }
            return said(["state": "approved", "id": "mp_9", "amount": amount], to: request)
        },
        answer(
            "limited.as-approval", "Takes a refusal for too many requests for an approval.",
            caughtBy: "capture.refused", "/capture"
        ) { request, reply in
            guard reply.status == 429, let asked = read(request.body), let amount = asked["amount"] else {
                return reply
            }
            return said(["state": "approved", "id": "mp_1", "amount": amount], to: request)
        },
        failure(
            "lost.as-not-sent", "Takes every lost answer for a request that never left.", caughtBy: "lookup.reply-lost"
        ) { _ in .notSent(.connectionRefused) },
        failure(
            "torn-body.as-not-sent", "Takes a torn body for a request that never left.", caughtBy: "unknown.torn-body"
        ) {
            $0 == .maybeSent(.truncated) ? .notSent(.truncated) : $0
        },
        failure(
            "torn-head.as-not-sent", "Takes a torn head for a request that never left.", caughtBy: "unknown.torn-head"
        ) { _ in .notSent(.connectionReset) },
        failure("lost-refund.as-not-sent", "Gives back again when the answer was lost.", caughtBy: "lookup.refund") {
            _ in .notSent(.connectionReset)
        },
        failure("lost-capture.as-not-sent", "Captures again when the answer was lost.", caughtBy: "lookup.capture") {
            _ in .notSent(.connectionReset)
        },
    ]
}
