import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentTransport
import Testing

/// One change of the messages whose path contains a part.
struct LineChange: Sendable {
    let path: FieldPath
    let change: @Sendable (JSON) -> JSON?

    init(_ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?) {
        (self.path, self.change) = (path, change)
    }

    /// One word read as another.
    static func word(_ path: FieldPath, _ from: String, _ word: String) -> LineChange {
        LineChange(path) { $0.string == from ? .string(word) : $0 }
    }

    func changed(_ body: [UInt8]) -> [UInt8] {
        guard let json = try? JSONReader().read(body) else { return body }
        return path.changing(json, change).bytes()
    }
}

extension Mutant {
    /// A mutant of an adapter's own mapping: it reads the replies in another way.
    static func reads(
        _ id: String, _ sentence: String, _ check: String, _ part: String, _ changes: LineChange...
    ) -> Mutant {
        connection(id, sentence, check, part) { request, next async throws(TransportFailure) in
            var reply = try await next(request)
            for change in changes { reply.body = change.changed(reply.body) }
            return reply
        }
    }

    /// A mutant of an adapter's own mapping: it writes its requests in another way.
    static func writes(
        _ id: String, _ sentence: String, _ check: String, _ part: String, _ changes: LineChange...
    ) -> Mutant {
        connection(id, sentence, check, part) { request, next async throws(TransportFailure) in
            var request = request
            for change in changes { request.body = change.changed(request.body) }
            return try await next(request)
        }
    }

    /// A mutant that does something else with the requests whose path contains a part.
    static func connection(
        _ id: String, _ sentence: String, _ check: String, _ part: String,
        _ send: @escaping @Sendable (HTTPRequest, Interceptor.Next) async throws(TransportFailure) -> HTTPResponse
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.interceptor = {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.contains(part) else { return try await next(request) }
                return try await send(request, next)
            }
        }
        return mutant
    }

    /// Fails unless the shipped driver passes the check and the mutant does not.
    func isCaught(_ harness: any ConformanceHarness) throws {
        let check = try #require(Check.all.first { $0.id == caughtBy }, "there is no such check")
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        var conformance = ConformanceRunner(harness)
        conformance.mutant = self
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(self) survives: \(result.status) \(result.detail)")
    }
}

extension Mutant {
    static let lines: [Mutant] = [
        twice("sale.twice", "Sends every sale twice.", caughtBy: "concurrency.many-sales", "/payments"),
        twice("refund.twice", "Sends every refund twice.", caughtBy: "refund.parts-then-rest", "/refund"),
        twice("capture.twice", "Sends every capture twice.", caughtBy: "capture.several", "/capture"),
        twice("token.twice", "Has two renewals in flight.", caughtBy: "session.one-renewal-for-all", "/token"),
        target(
            "capture.other-payment", "Captures from the first payment that there was.",
            caughtBy: "capture.right-payment"
        ) { _, target in
            target.replacing("mp_2/capture", with: "mp_1/capture")
        },
        target(
            "refund.other-payment", "Gives back from the first payment that there was.",
            caughtBy: "refund.right-payment"
        ) { _, target in
            target.replacing("mp_3/refund", with: "mp_1/refund").replacing("mp_2/refund", with: "mp_1/refund")
        },
        target("void.refunds", "Gives back instead of undoing.", caughtBy: "void.sale") { _, target in
            target.replacing("/void", with: "/refund")
        },
        target("void.gives-back", "Gives back what it should undo.", caughtBy: "concurrency.capture-and-void") {
            _, target in
            target.replacing("/void", with: "/refund")
        },
        target("refund.voids", "Undoes instead of giving back.", caughtBy: "refund.replayed") { _, target in
            target.replacing("/refund", with: "/void")
        },
        target("void.refunds-bank", "Gives a transfer back instead of undoing it.", caughtBy: "void.bank") {
            _, target in
            target.replacing("/void", with: "/refund")
        },
        target("refund.voids-bank", "Undoes a transfer instead of giving it back.", caughtBy: "refund.bank") {
            _, target in
            target.replacing("/refund", with: "/void")
        },
        target("adjust.captures", "Captures instead of adjusting.", caughtBy: "adjust.down") { _, target in
            target.replacing("/adjust", with: "/capture")
        },
        target("list.first-page-again", "Gives the first page for ever.", caughtBy: "list.pages") { _, target in
            target.split(separator: "&").filter { !$0.hasPrefix("cursor=") }.joined(separator: "&")
        },
        target("list.filter-ignored", "Ignores filters.", caughtBy: "list.filtered") { _, target in
            target.split(separator: "&").filter { !$0.hasPrefix("reference=") }.joined(separator: "&")
        },
        target("details.other-payment", "Asks about another payment.", caughtBy: "details.found") { method, target in
            method == "GET" ? target.replacing("/payments/mp_1", with: "/payments/mp_0") : target
        },
        reply("list.one-lost", "Loses the last item of each page.", caughtBy: "list.contains", "/payments", "items") {
            .array(Array(($0.array ?? []).dropLast()))
        },
        reply("list.no-refunds", "Loses what was given back.", caughtBy: "list.declared", "/payments", "items") {
            .array(($0.array ?? []).map { $0.adding("refunded", .null) })
        },
        reply("list.odd-kind", "Lists a kind that is not declared.", caughtBy: "list.declared", "/payments", "items") {
            .array(($0.array ?? []).map { $0.adding("kind", "levitation") })
        },
        reply("list.late-captures", "Lists no capture.", caughtBy: "list.declared", "/payments", "items") {
            .array(($0.array ?? []).map { $0["kind"] == "authorize" ? $0.adding("captured", 0) : $0 })
        },
        answer(
            "details.unknown-as-failure", "Takes what is not there for a failure.", caughtBy: "details.unknown",
            "/unknown-payment"
        ) { _, reply in
            reply.status == 404 ? HTTPResponse(500) : reply
        },
        answer("devices.made-up", "Makes up devices.", caughtBy: "devices.listed", "/unknown-payment") { _, _ in
            HTTPResponse(200, body: JSON.object(["id": "unknown-payment"]).bytes())
        },
        request(
            "attempt.renamed", "Knows attempts by names of its own.", caughtBy: "attempt.wire-names", "/payments",
            "attempt"
        ) { .string("x" + ($0.string ?? "")) },
        request(
            "attempt.key-reused", "Uses one key for everything.", caughtBy: "sale.parts", "/payments",
            "attempt"
        ) { _ in "check-1" },
        request(
            "attempt.fresh-key-each-call", "Draws a key for each call.", caughtBy: "lookup.late-arrival", "/payments",
            "attempt"
        ) { .string("y" + ($0.string ?? "")) },
        request(
            "attempt.cut", "Cuts attempt ids at thirty characters.", caughtBy: "limit.attempt-longest", "/payments",
            "attempt"
        ) { .string(String(($0.string ?? "").prefix(30))) },
        request("refund.fresh-key", "Draws a key for each refund.", caughtBy: "refund.part", "/refund", "attempt") {
            .string("y" + ($0.string ?? ""))
        },
        request("void.fresh-key", "Draws a key for each void.", caughtBy: "void.authorisation", "/void", "attempt") {
            .string("y" + ($0.string ?? ""))
        },
        reply("activation.never", "Never sees that the device is active.", caughtBy: "reader.activate", "", "state") {
            $0.string == "active" ? "waiting" : $0
        },
        reply(
            "token.lapsed", "Takes an access for lapsed when it is given.", caughtBy: "session.open", "/token",
            "expires"
        ) { _ in 0 },
        reply(
            "token.lives-on", "Takes an access for good for another day.", caughtBy: "session.lapsed", "/token",
            "expires"
        ) { .number(JSONNumber(($0.int64 ?? 0) + 86_400_000)) },
        wire("token.never-renewed", "Uses the first access for ever.", caughtBy: "session.renewed-on-refusal") {
            let first = Locked(String?.none)
            return Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                if let value = request.headers["Authorization"] {
                    let kept = first.withLock { first in
                        first = first ?? value
                        return first ?? value
                    }
                    request.headers["Authorization"] = kept
                }
                return try await next(request)
            }
        },
        wire("lookup.sells", "Sends the sale again when it is only asked about.", caughtBy: "lookup.read-only") {
            Interceptor { (request, next) async throws(TransportFailure) in
                let reply = try await next(request)
                guard request.method == "GET", request.path.hasPrefix("/attempts/") else { return reply }
                var sale = HTTPRequest("POST", request.origin, "/payments", headers: request.headers, body: [])
                sale.headers.add("Content-Type", "application/json")
                let name = String(request.path.dropFirst(10))
                sale.body = JSON.object([
                    "attempt": .string(name), "kind": "sale", "reference": "order",
                    "source": ["kind": "token", "token": "t"],
                    "amount": ["minorUnits": 5_000, "currency": "EUR"],
                ]).bytes()
                _ = try await next(sale)
                return reply
            }
        },
        news("webhook.failure-as-success", "Takes bad news for good.", caughtBy: "sale.pending-declined", "state") {
            _ in "approved"
        },
        news("webhook.success-as-failure", "Takes good news for bad.", caughtBy: "webhook.removes-doubt", "state") {
            _ in "declined"
        },
        news(
            "webhook.refund-failure-as-success", "Takes the failure of a refund for its success.",
            caughtBy: "refund.pending-fails", "state"
        ) { _ in "approved" },
        news("webhook.time-backwards", "Hears the newest as the oldest.", caughtBy: "webhook.older-loses", "at") {
            .number(JSONNumber(4_102_444_800_000 - ($0.int64 ?? 0)))
        },
        news(
            "webhook.other-attempt", "Takes a message for one about another attempt.", caughtBy: "refund.pending",
            "attempt"
        ) { _ in "somebody-else" },
        around("store.forgets", "A token store that forgets.", caughtBy: "session.kept-over-restart") {
            $0.tokens = ForgetfulStore()
        },
        around("store.keeps", "A token store that keeps what is given back.", caughtBy: "session.sign-out") {
            $0.tokens = KeepingStore(inner: $0.tokens)
        },
        around(
            "installation.forgotten", "Forgets the names of the installation.", caughtBy: "session.installation-kept"
        ) { $0.installations = ForgetfulInstallations() },
        around("clock.never-rings", "A clock that wakes nobody.", caughtBy: "cancel.deadline") {
            $0.clock = SilentClock(inner: $0.clock)
        },
        around("clock.never-ends", "A clock by which nobody's time is up.", caughtBy: "cancel.deadline-before") {
            $0.clock = SilentClock(inner: $0.clock)
        },
        around("answers.made-up", "Answers whatever is asked.", caughtBy: "question.partial-needs-handler") {
            $0.answers = CheckContext.defaultHandlers
        },
        around("clock.behind", "A clock that is an hour behind.", caughtBy: "session.lapsed") {
            $0.clock = LateClock(inner: $0.clock)
        },
        around("reader.deaf", "A reader that does not hear a cancellation.", caughtBy: "reader.cancel-waiting") {
            given in
            if let reader = given.reader { given.reader = DeafReader(inner: reader) }
        },
    ]
}

/// Keeps no token.
struct ForgetfulStore: TokenStore {
    func load(_ provider: ProviderIdentity) async throws -> AccessToken? { nil }
    func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {}
}

/// Keeps tokens that were signed out.
struct KeepingStore: TokenStore {
    let inner: any TokenStore
    func load(_ provider: ProviderIdentity) async throws -> AccessToken? { try await inner.load(provider) }
    func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {
        if let access { try await inner.save(access, for: provider) }
    }
}

/// Keeps no names.
struct ForgetfulInstallations: InstallationStore {
    func load() async throws -> Installation? { nil }
    func save(_ installation: Installation) async throws {}
}

/// Shows the time and wakes no task.
struct SilentClock: PaymentClock {
    let inner: any PaymentClock
    var now: Int64 { inner.now }
    func sleep(until instant: Int64) async throws {
        let never = Promise<Bool>()
        _ = await withTaskCancellationHandler {
            await never.value()
        } onCancel: {
            never.fulfill(false)
        }
        try Task.checkCancellation()
    }
}

/// Shows the time of an hour ago.
struct LateClock: PaymentClock {
    let inner: any PaymentClock
    var now: Int64 { inner.now - 3_600_000 }
    func sleep(until instant: Int64) async throws { try await inner.sleep(until: instant + 3_600_000) }
}

/// Reads cards and hears nothing.
struct DeafReader: CardReader {
    let inner: any CardReader
    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await inner.setEventHandler(sink) }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
    func read(_ request: CardReadRequest) async throws -> CardReadResult { try await inner.read(request) }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }
    func cancel() async throws -> CancelResult { .nothingToCancel }
}

extension Mutant {
    /// A mutant that takes an answer which names another amount or currency for a decline.
    private static func doubtDeclines(_ id: String, caughtBy check: String) -> Mutant {
        answer(id, "Takes an answer over something else for a decline.", caughtBy: check, "/payments") {
            request, reply in
            guard let asked = read(request.body)?["amount"], let said = read(reply.body)?["amount"], asked != said
            else { return reply }
            return declined(request)
        }
    }

    /// A mutant that takes some answers for declines.
    private static func declines(
        _ id: String, _ sentence: String, caughtBy check: String, _ when: @escaping @Sendable (HTTPResponse) -> Bool
    ) -> Mutant {
        answer(id, sentence, caughtBy: check, "/payments") { request, reply in
            when(reply) ? declined(request) : reply
        }
    }

    /// A mutant that refuses some requests on its own.
    private static func refuses(
        _ id: String, _ sentence: String, caughtBy check: String, _ when: @escaping @Sendable (JSON) -> Bool
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard let asked = read(request.body), when(asked) else { return try await next(request) }
                let body: JSON = ["error": ["code": "malformed", "message": "not taken"]]
                return HTTPResponse(400, body: body.bytes())
            }
        }
    }

    /// A mutant that charges one more minor unit where the source is of one kind, and says that it was right.
    private static func sourceCharges(_ kind: String, caughtBy check: String) -> Mutant {
        wire("amount.one-more-from-\(kind)", "Charges one minor unit more from \(kind).", caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard let asked = read(request.body), asked["source"]?["kind"]?.string == kind,
                    let amount = asked["amount"], let units = amount["minorUnits"]?.int64
                else { return try await next(request) }
                var request = request
                request.body = FieldPath("amount.minorUnits").changing(asked) { _ in
                    .number(JSONNumber(units + 1))
                }.bytes()
                var reply = try await next(request)
                if let said = read(reply.body) {
                    reply.body = FieldPath("amount").changing(said) { _ in amount }.bytes()
                }
                return reply
            }
        }
    }

    /// A mutant that sells when it is only asked to read something.
    static func sells(
        _ id: String, _ sentence: String, caughtBy check: String, _ when: @escaping @Sendable (HTTPRequest) -> Bool
    ) -> Mutant {
        wire(id, sentence, caughtBy: check) {
            let count = Locked(0)
            return Interceptor { (request, next) async throws(TransportFailure) in
                let reply = try await next(request)
                guard when(request) else { return reply }
                let number = count.withLock { count in
                    count += 1; return count
                }
                var sale = HTTPRequest("POST", request.origin, "/payments", headers: request.headers, body: [])
                if request.method == "GET" { sale.headers.add("Content-Type", "application/json") }
                let isLookup = request.path.hasPrefix("/attempts/")
                sale.body = JSON.object([
                    "attempt": .string(isLookup ? String(request.path.dropFirst(10)) : "made-up-\(number)"),
                    "kind": "sale", "reference": "order", "source": ["kind": "token", "token": "t"],
                    "amount": ["minorUnits": 5_000, "currency": "EUR"],
                ]).bytes()
                _ = try await next(sale)
                return reply
            }
        }
    }

    static let answers: [Mutant] =
        questions + [
            doubtDeclines("echo.other-as-decline", caughtBy: "lookup.wrong-echo"),
            doubtDeclines("echo.larger-as-decline", caughtBy: "amount.larger-echo"),
            doubtDeclines("echo.currency-as-decline", caughtBy: "amount.other-currency-echo"),
            declines("members.strange-as-decline", "Wants no strange members.", caughtBy: "unknown.members") {
                read($0.body)?["x-new"] != nil
            },
            declines("members.missing-as-decline", "Wants every member.", caughtBy: "unknown.missing-member") {
                guard $0.status == 200, let said = read($0.body) else { return false }
                return ["id", "attempt", "state", "amount"].contains { said[$0] == nil }
            },
            declines("members.many-as-decline", "Wants few members.", caughtBy: "limit.huge-reply") {
                (read($0.body)?.object?.count ?? 0) > 1_000
            },
            declines("redirect.as-decline", "Takes a redirect for a decline.", caughtBy: "error.redirect") {
                $0.status == 307
            },
            word(
                "decline.as-hold", "Takes the decline of an authorisation for a hold.", caughtBy: "authorize.declined",
                "/payments", "declined", as: "approved"),
            refuses("reference.forty", "Takes forty characters.", caughtBy: "limit.reference-longest") {
                ($0["reference"]?.string?.count ?? 0) > 40
            },
            refuses("reference.plain", "Takes no marks in a reference.", caughtBy: "limit.reference-text") {
                $0["reference"]?.string?.contains("\"") == true
            },
            sourceCharges("external", caughtBy: "sale.from-external"),
            sourceCharges("saved", caughtBy: "sale.from-saved"),
            sourceCharges("bank", caughtBy: "sale.from-bank"),
            sourceCharges("page", caughtBy: "sale.from-page"),
            reply("card.other-digits", "Tells other digits.", caughtBy: "sale.card-summary", "/payments", "card.last4")
            { _ in "0000" },
            target("tip.refunds", "Gives the tip back.", caughtBy: "tip.adjusted") { _, target in
                target.replacing("/tip", with: "/refund")
            },
            news(
                "webhook.late-failure-unheard", "Takes a late failure for good.", caughtBy: "refund.fails-later",
                "state"
            ) { _ in "approved" },
            sells("details.sells", "Sells when it reads details.", caughtBy: "details.read-only") {
                $0.method == "GET" && $0.path.hasPrefix("/payments/")
            },
            sells("settings.sells", "Sells when it reads settings.", caughtBy: "settings.read") {
                $0.path == "/settings"
            },
            sells("pricing.sells", "Sells when it asks for a price.", caughtBy: "pricing.read-only") {
                $0.path == "/quotes"
            },
            sells(
                "lookup.sells-what-never-came", "Sells what never arrived when it is asked about.",
                caughtBy: "lookup.read-only-declined"
            ) { $0.path.hasPrefix("/attempts/") },
            sells("lookup.sells-twice", "Sells once for each process that asks.", caughtBy: "concurrency.two-processes")
            { $0.path.hasPrefix("/attempts/") },
            answer(
                "list.unreadable-as-end", "Takes a page that can't be read for the end of the list.",
                caughtBy: "list.unreadable", "/payments"
            ) { request, reply in
                request.method == "GET" && request.path == "/payments" && read(reply.body) == nil
                    ? HTTPResponse(200, body: JSON.object(["items": []]).bytes()) : reply
            },
            answer(
                "list.failure-as-nothing", "Takes a failure for an empty list.", caughtBy: "list.failing", "/payments"
            ) { request, reply in
                request.method == "GET" && reply.status >= 500
                    ? HTTPResponse(200, body: JSON.object(["items": []]).bytes()) : reply
            },
        ]

    private static let questions: [Mutant] = [
        word(
            "challenge.never-asked", "Asks nobody for a challenge and declines.",
            caughtBy: "question.challenge-unanswered", "/payments", "needsChallenge", as: "declined"),
        word(
            "clarification.never-asked", "Asks nobody for fields and declines.",
            caughtBy: "question.clarification-unanswered", "/payments", "needsFields", as: "declined"),
        word(
            "challenge.handler-skipped", "Declines without asking the handler.", caughtBy: "question.handler-throws",
            "/payments", "needsChallenge", as: "declined"),
        word(
            "pin.not-needed", "Takes the wish for a PIN for an approval.", caughtBy: "question.no-pin", "/payments",
            "needsPIN", as: "approved"),
        wire("partial.kept", "Keeps a part that nobody took.", caughtBy: "question.partial-refused") {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.hasSuffix("/void") else { return try await next(request) }
                return said(
                    ["state": "approved", "id": "mp_1", "amount": read(request.body)?["amount"] ?? .null], to: request)
            }
        },
        wire("partial.always-asked", "Takes parts for who asked for none.", caughtBy: "question.partial-not-asked") {
            Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                if var asked = read(request.body)?.object, asked["kind"]?.string == "sale" {
                    asked["partial"] = true
                    request.body = JSON.object(asked).bytes()
                }
                return try await next(request)
            }
        },
    ]
}

extension Mutant {
    static let amounts: [Mutant] = [
        request(
            "amount.times-hundred", "Sends minor units where it believes major ones are meant.",
            caughtBy: "sale.approved", "/payments", "amount.minorUnits"
        ) {
            .number(JSONNumber(($0.int64 ?? 0) * 100))
        },
        request(
            "amount.by-hundred", "Sends major units where minor ones are meant.", caughtBy: "sale.approved",
            "/payments", "amount.minorUnits"
        ) {
            .number(JSONNumber(($0.int64 ?? 0) / 100))
        },
        amount("amount.by-hundred-silently", "Charges a hundredth and reports the whole.", caughtBy: "sale.from-card") {
            $0 / 100
        },
        amount(
            "amount.yen-has-cents", "Takes a currency without decimals for one with two.",
            caughtBy: "amount.exponent-0", currency: "JPY"
        ) { $0 * 100 },
        amount(
            "amount.cents-off", "Takes a currency with two decimals for one without.", caughtBy: "amount.exponent-2",
            currency: "USD"
        ) { $0 / 100 },
        amount(
            "amount.dinar-has-cents", "Takes a currency with three decimals for one with two.",
            caughtBy: "amount.exponent-3", currency: "IQD"
        ) { $0 / 10 },
        amount(
            "amount.fomento-has-cents", "Takes a currency with four decimals for one with two.",
            caughtBy: "amount.exponent-4", currency: "CLF"
        ) { $0 / 100 },
        amount("amount.rounded", "Rounds to tens of minor units.", caughtBy: "amount.odd") { $0 / 10 * 10 },
        amount("amount.cut", "Keeps six digits.", caughtBy: "amount.large") { $0 % 1_000_000 },
        amount("amount.at-least-one", "Charges at least one major unit.", caughtBy: "amount.smallest") { max(100, $0) },
        amount("capture.everything", "Captures everything whatever was asked.", caughtBy: "capture.part", "/capture") {
            _ in 5_000
        },
        amount("refund.everything", "Gives back everything whatever was asked.", caughtBy: "refund.part", "/refund") {
            _ in 5_000
        },
        amount("refund.one-less", "Gives back one minor unit less.", caughtBy: "refund.all", "/refund") { $0 - 1 },
        amount(
            "refund.yen-has-cents", "Gives back a hundredth in a currency without decimals.",
            caughtBy: "amount.refund-exponent", "/refund", currency: "JPY"
        ) { $0 / 100 },
        amount(
            "refund.dinar-has-cents", "Gives back a tenth in a currency with three decimals.",
            caughtBy: "amount.refund-exponent", "/refund", currency: "KWD"
        ) { $0 / 10 },
        amount(
            "capture.dinar-has-cents", "Takes a tenth in a currency with three decimals.",
            caughtBy: "amount.capture-exponent", "/capture", currency: "KWD"
        ) { $0 / 10 },
        amount("adjust.adds", "Adjusts by the amount, not to it.", caughtBy: "adjust.up", "/adjust") { $0 + 5_000 },
        amount("adjust.keeps", "Never lets anything go.", caughtBy: "adjust.down", "/adjust") { max(5_000, $0) },
        amount("verify.charges", "Charges a little for a check of the card.", caughtBy: "sale.verify") { $0 + 0 },
        amount("tip.on-top", "Adds the tip to an amount that has it.", caughtBy: "sale.tip") { $0 + 100 },
        amount("tip.adds", "Changes a tip by the amount, not to it.", caughtBy: "tip.adjusted", "/tip") {
            $0 < 300 ? $0 + 300 : $0
        },
        amount("pricing.base-charged", "Charges the base of a quote.", caughtBy: "pricing.charged") { _ in 5_000 },
        amount("partial.as-whole", "Reports a part as the whole.", caughtBy: "question.partial-taken") { $0 },
        reply(
            "partial.not-said", "Forgets to say that it was a part.", caughtBy: "question.partial-taken", "", "partial"
        ) { _ in nil },
        reply(
            "echo.larger-trusted", "Makes the amount of each answer what it likes.", caughtBy: "sale.from-reader", "",
            "amount.minorUnits"
        ) {
            .number(JSONNumber(($0.int64 ?? 0) + 1))
        },
        reply(
            "echo.other-currency", "Takes every answer for euro.", caughtBy: "amount.exponent-0", "", "amount.currency"
        ) { _ in "EUR" },
        reply(
            "pricing.total-is-base", "Leaves the surcharge out of the total.", caughtBy: "pricing.adds-up", "/quotes",
            "credit.total"
        ) { _ in 5_000 },
        reply("pricing.other-base", "Quotes for another amount.", caughtBy: "pricing.quote", "/quotes", "*.base") { _ in
            1
        },
    ].map { $0.id == "verify.charges" ? verificationCharges : $0 }

    private static let verificationCharges = wire(
        "verify.charges", "Charges a little for a check of the card.", caughtBy: "sale.verify"
    ) {
        Interceptor { (request, next) async throws(TransportFailure) in
            guard let asked = read(request.body), asked["kind"]?.string == "verify", let amount = asked["amount"] else {
                return try await next(request)
            }
            var request = request
            let charged = FieldPath("kind").changing(asked) { _ in "sale" }
            request.body = FieldPath("amount.minorUnits").changing(charged) { _ in 100 }.bytes()
            var reply = try await next(request)
            if let said = read(reply.body) { reply.body = FieldPath("amount").changing(said) { _ in amount }.bytes() }
            return reply
        }
    }
}
