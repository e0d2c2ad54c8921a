import MemoryProvider
import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentTransport
import Testing

@Suite struct MutantTests {
    @Test(arguments: Mutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.caughtBy }, "there is no such check")
        let plain = PlainRun.result(MemoryHarness(), check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        var conformance = ConformanceRunner(MemoryHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func namesAreUnique() {
        #expect(Set(Check.all.map(\.id)).count == Check.all.count)
        #expect(Set(Mutant.all.map(\.id)).count == Mutant.all.count)
        #expect(Check.all.count >= 120)
        #expect(Mutant.all.count >= 60)
    }
}

/// Checks that no mutant proves able to fail: of what the client alone decides, nothing that a mutant can break is a
/// part. The list can only get shorter.
@Suite struct UncaughtCheckTests {
    private static let withoutMutant: Set<String> = [
        "reader.prepare-shared", "reader.cancel-nothing", "reader.missing", "sale.tip-too-large",
        "refund.unlinked-source", "list.foreign-filter", "error.names-attempt", "redaction.reference",
        "amount.nothing", "amount.negative", "amount.foreign-currency",
        "limit.reference-length", "limit.page", "limit.logo",
    ]
    private static let countMax = 14

    @Test func theyAreExactlyThoseThatAreListed() {
        let others = AdyenMutants.terminal + EcommpayMutants.sending + EcommpayMutants.proofs
        let caught = Set((Mutant.all + others).map(\.caughtBy))
        let uncaught = Set(Check.all.map(\.id)).subtracting(caught)
        #expect(uncaught.subtracting(Self.withoutMutant).isEmpty, "a new check needs a mutant that it catches")
        #expect(Self.withoutMutant.subtracting(uncaught).isEmpty, "what has a mutant now is taken off the list")
        #expect(Self.withoutMutant.count <= Self.countMax)
    }
}

extension Mutant {
    /// A mutant that changes messages.
    static func wire(
        _ id: String, _ sentence: String, caughtBy check: String, _ interceptor: @escaping @Sendable () -> Interceptor
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.interceptor = interceptor
        return mutant
    }

    /// A mutant that changes one member of requests.
    static func request(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { wire(id, sentence, caughtBy: check) { MessageRewrite.request(ending, path, change) } }

    /// A mutant that changes one member of replies.
    static func reply(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { wire(id, sentence, caughtBy: check) { MessageRewrite.reply(ending, path, change) } }

    /// A mutant that reads one word as another.
    static func word(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, _ from: String, as word: String
    ) -> Mutant {
        reply(id, sentence, caughtBy: check, ending, "state") { $0.string == from ? .string(word) : $0 }
    }

    /// A mutant that asks for another amount and says that it was the right one.
    static func amount(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String = "/payments",
        currency: String? = nil,
        _ change: @escaping @Sendable (Int64) -> Int64
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.hasSuffix(ending), let asked = read(request.body), let amount = asked["amount"],
                    let units = amount["minorUnits"]?.int64, currency == nil || amount["currency"]?.string == currency
                else { return try await next(request) }
                var request = request
                let path: FieldPath = "amount.minorUnits"
                request.body = path.changing(asked) { _ in .number(JSONNumber(change(units))) }.bytes()
                var reply = try await next(request)
                if let said = read(reply.body) {
                    let changed = FieldPath("amount").changing(said) { _ in amount }
                    reply.body = FieldPath("partial").changing(changed) { _ in nil }.bytes()
                }
                return reply
            }
        }
    }

    /// A mutant that sends requests to another place.
    static func target(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (String, String) -> String
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                request.target = change(request.method, request.target)
                return try await next(request)
            }
        }
    }

    /// A mutant that sends some requests twice.
    static func twice(_ id: String, _ sentence: String, caughtBy check: String, _ ending: String) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                if request.path.hasSuffix(ending), request.method == "POST" { _ = try await next(request) }
                return try await next(request)
            }
        }
    }

    /// A mutant that answers in the provider's place when something came back.
    static func answer(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String,
        _ change: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                let reply = try await next(request)
                return request.path.hasSuffix(ending) ? change(request, reply) : reply
            }
        }
    }

    /// A mutant that takes one failure for another.
    static func failure(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (TransportFailure) -> TransportFailure
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                do throws(TransportFailure) { return try await next(request) } catch { throw change(error) }
            }
        }
    }

    /// A mutant that replaces methods of the driver.
    static func driver(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout HookedDriver) -> Void
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.wrapDriver = HookedDriver.over(change)
        return mutant
    }

    /// A mutant of what is around the client.
    static func around(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout ClientOptions) -> Void
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.changeOptions = { given in
            var given = given
            change(&given)
            return given
        }
        return mutant
    }

    /// A mutant of what the provider sends out on its own.
    static func news(
        _ id: String, _ sentence: String, caughtBy check: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.changeWebhook = { news in
            var news = news
            if let body = read(news.body) { news.body = path.changing(body, change).bytes() }
            return news
        }
        return mutant
    }

    static func read(_ body: [UInt8]) -> JSON? { try? JSONReader().read(body) }

    /// An answer that says that the payment asked for was declined.
    static func declined(_ request: HTTPRequest) -> HTTPResponse {
        said(["state": "declined", "code": "05", "id": "mp_0"], to: request)
    }

    /// An answer about the attempt that a request is about.
    static func said(_ members: JSONObject, to request: HTTPRequest) -> HTTPResponse {
        var members = members
        if let attempt = read(request.body)?["attempt"] { members["attempt"] = attempt }
        return HTTPResponse(200, body: JSON.object(members).bytes())
    }
}

extension Mutant {
    static let talk: [Mutant] = [
        wire(
            "busy.repeated-below", "Sends again, below the client, what was refused.", caughtBy: "error.refused-before"
        ) {
            Interceptor { (request, next) async throws(TransportFailure) in
                let response = try await next(request)
                return response.status == 429 ? try await next(request) : response
            }
        },
        driver("errors.busy-as-doubt", "Takes a refusal for a doubt.", caughtBy: "session.refused-for-good") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.delivery == .refused ? RequestFailure(.providerFailed, .maybeSent) : fault
            }
        },
        driver("errors.try-again", "Advises to try again while nobody knows.", caughtBy: "error.unknown-advice") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.delivery == .maybeSent ? RequestFailure(fault.code, .refused) : fault
            }
        },
        driver("errors.renewal-as-doubt", "Takes a lost renewal for a lost sale.", caughtBy: "session.renewal-lost") {
            $0.onAccess = { inner, last, context in
                do { return try await inner.accessToken(replacing: last, context) } catch {
                    return AccessToken(Secret("made-up"), expiresAt: context.now + 3_600_000)
                }
            }
        },
        driver("access.made-up", "Makes an access up when it gets none.", caughtBy: "session.no-access") {
            $0.onAccess = { inner, last, context in
                do { return try await inner.accessToken(replacing: last, context) } catch {
                    _ = try? await inner.accessToken(replacing: last, context)
                    return try await inner.accessToken(replacing: nil, context)
                }
            }
        },
    ]
}

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
            "refund.unlinked-pending-as-decline", "Takes a pending refund without an original for declined.",
            caughtBy: "refund.unlinked-pending-fails", "/payments", "pending", as: "declined"),
        word(
            "decline.as-approval-of-saved", "Takes the decline of a saved instrument for an approval.",
            caughtBy: "sale.saved-declined", "/payments", "declined", as: "approved"),
        word(
            "decline.as-approval-of-debit", "Takes the decline of a later charge for an approval.",
            caughtBy: "sale.debit-declined", "/payments", "declined", as: "approved"),
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
