import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

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

    /// A mutant that refuses some requests by itself.
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
