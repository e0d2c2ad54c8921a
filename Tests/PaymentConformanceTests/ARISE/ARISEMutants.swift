import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

/// The ARISE driver broken on purpose: each of its mappings once, as changes of what it sends and what it reads.
enum ARISEMutants {
    /// Changes the amount that is asked for, and hides that from the reply's checks.
    private static func amount(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String,
        _ change: @escaping @Sendable (Int64) -> Int64
    ) -> Mutant {
        .wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                guard request.path.hasSuffix(ending), let asked = Mutant.read(request.body),
                    let amount = asked["amount"],
                    let cents = amount.number?.scaled(places: 2)
                else { return try await next(request) }
                var request = request
                request.body = FieldPath("amount").changing(asked) { _ in
                    .number(JSONNumber(units: change(cents), places: 2))
                }.bytes()
                var reply = try await next(request)
                guard let said = Mutant.read(reply.body) else { return reply }
                var changed = said
                for path in ["processedAmount", "transactionReceipt.amount.totalAmount"] {
                    changed = FieldPath(path).changing(changed) { _ in amount }
                }
                reply.body = FieldPath("authorizedAmount").changing(changed) { _ in
                    .string(JSONNumber(units: cents, places: 2).text)
                }.bytes()
                return reply
            }
        }
    }

    /// Reads one state as another, wherever it stands in replies to requests about money.
    private static func state(
        _ id: String, _ sentence: String, caughtBy check: String, _ ending: String, from: String, to: String,
        _ number: Int64, code: String? = nil
    ) -> Mutant {
        .wire(id, sentence, caughtBy: check) {
            Interceptor { (request, next) async throws(TransportFailure) in
                var reply = try await next(request)
                guard request.path.hasSuffix(ending), let said = Mutant.read(reply.body),
                    said["status"]?.string == from
                else { return reply }
                var changed = FieldPath("status").changing(said) { _ in .string(to) }
                changed = FieldPath("statusId").changing(changed) { _ in .number(JSONNumber(number)) }
                if let code { changed = FieldPath("details.code").changing(changed) { _ in .string(code) } }
                if let asked = Mutant.read(request.body)?["amount"] {
                    for path in ["processedAmount", "transactionReceipt.amount.totalAmount"] {
                        changed = FieldPath(path).changing(changed) { _ in asked }
                    }
                }
                reply.body = changed.bytes()
                return reply
            }
        }
    }

    /// Puts another driver over the shipped one, with what it makes of errors, lookups or webhooks replaced.
    private static func driver(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout HookedARISE) -> Void
    ) -> Mutant {
        var mutant = Mutant(id, sentence, caughtBy: check)
        mutant.wrapDriver = { shipped in
            guard let inner = shipped as? ARISEDriver else { return shipped }
            var hooked = HookedARISE(inner: inner)
            change(&hooked)
            return hooked
        }
        return mutant
    }

    static let amounts: [Mutant] = [
        amount("arise.amount-in-cents", "Writes cents where dollars are due.", caughtBy: "sale.approved", "/sale") {
            $0 * 100
        },
        amount("arise.amount-cut", "Drops the cents.", caughtBy: "amount.odd", "/sale") { $0 / 100 * 100 },
        amount("arise.capture-whole", "Captures everything.", caughtBy: "capture.part", "/capture") { _ in 5_000 },
        amount("arise.refund-whole", "Gives everything back.", caughtBy: "refund.part", "/return") { _ in 5_000 },
        amount("arise.unlinked-half", "Gives half.", caughtBy: "refund.unlinked-card", "/no-reference") { $0 / 2 },
        .request(
            "arise.tip-on-top", "Sends the tip beside the whole amount.", caughtBy: "sale.tip", "/sale", "amount"
        ) { value in
            .number(JSONNumber(units: (value.number?.scaled(places: 2) ?? 0) + 100, places: 2))
        },
        .request("arise.no-currency", "Leaves the currency out.", caughtBy: "sale.approved", "/sale", "currencyId") {
            _ in nil
        },
        .request(
            "arise.source-lost", "Leaves out how the card came.", caughtBy: "sale.from-external", "/sale",
            "cardDataSource"
        ) { _ in nil },
        .request(
            "arise.reference-fresh", "Sends a reference that is not the attempt's.", caughtBy: "attempt.wire-names",
            "/sale", "referenceId"
        ) { _ in "somebody-else" },
    ]

    static let readings: [Mutant] = [
        state(
            "arise.decline-as-approval", "Reads a decline as an approval.", caughtBy: "sale.insufficient-funds",
            "/sale", from: "Declined", to: "Captured", 2, code: "Approve"),
        state(
            "arise.approval-as-decline", "Reads an approval as a decline.", caughtBy: "sale.approved", "/sale",
            from: "Captured", to: "Declined", 91, code: "Decline"),
        state(
            "arise.hold-as-decline", "Reads a held amount as a decline.", caughtBy: "authorize.held", "/auth",
            from: "Authorized", to: "Declined", 91, code: "Decline"),
        state(
            "arise.pending-as-approval", "Reads what is pending as done.", caughtBy: "sale.pending-approved", "/sale",
            from: "Pending", to: "Captured", 2),
        state(
            "arise.pending-refund-as-done", "Reads a pending refund as done.", caughtBy: "refund.pending", "/return",
            from: "Pending", to: "Refunded", 4),
        state(
            "arise.part-as-whole", "Reads a part as the whole.", caughtBy: "question.partial-taken", "/sale",
            from: "PartiallyAuthorized", to: "Captured", 2),
        .reply(
            "arise.code-swapped", "Reads one code as another.", caughtBy: "error.raw-code", "/sale", "**"
        ) { $0.string == "41" ? "05" : $0 },
        .reply(
            "arise.one-name-for-all", "Gives every transaction one name.", caughtBy: "sale.references-differ", "/sale",
            "**.transactionId"
        ) { _ in "a1000000-0000-4000-8000-000000000001" },
        .target("arise.void-as-refund", "Refunds instead of voiding.", caughtBy: "void.sale") { method, target in
            method == "POST" && target.hasSuffix("/void") ? target.replacing("/void", with: "/return") : target
        },
        .target("arise.sale-holds", "Authorises instead of selling.", caughtBy: "sale.approved") { _, target in
            target.hasSuffix("/transactions/sale") ? target.replacing("/sale", with: "/auth") : target
        },
        .target("arise.first-page", "Asks for the first page again and again.", caughtBy: "list.pages") { _, target in
            target.contains("page=") ? target.replacing(/page=[0-9]+&/, with: "page=0&") : target
        },
        .twice("arise.sale-twice", "Sells twice.", caughtBy: "sale.approved", "/sale"),
    ]

    static let decisions: [Mutant] = [
        driver("arise.failure-refused", "Takes a server failure for proof.", caughtBy: "error.server-failure") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.code == .providerFailed ? RequestFailure(.providerFailed, .refused) : fault
            }
        },
        driver("arise.lost-as-not-sent", "Takes a lost answer for an unsent request.", caughtBy: "lookup.reply-lost") {
            $0.onClassify = { inner, error in
                let fault = inner.classify(error)
                return fault.code == .network ? RequestFailure(.network, .notSent) : fault
            }
        },
        driver("arise.blind", "Never finds what it looks for.", caughtBy: "lookup.reply-lost") {
            $0.onLookup = { _, _, _ in .cannotTell("The provider does not say.") }
        },
        driver("arise.absence-proves", "Takes absence for proof at once.", caughtBy: "lookup.quiet-time") {
            $0.onPlan = { plan in LookupPlan(every: plan.every, quiet: 500) }
        },
        driver("arise.webhook-open", "Believes unsigned messages.", caughtBy: "webhook.unsigned") {
            $0.onNotices = { inner, message in
                do { return try inner.notices(in: message) } catch {
                    return [ProviderNotice(.reference("a1", [.sale]), nil, at: message.at, kind: "any")]
                }
            }
        },
        driver("arise.webhook-deaf", "Hears nothing.", caughtBy: "webhook.foreign") {
            $0.onNotices = { _, _ in [] }
        },
        driver("arise.secrets-unnamed", "Names none of its secrets.", caughtBy: "redaction.declared-secrets") {
            $0.given = []
        },
    ]

    /// Takes what is not seen for done; the walk through all faults catches it.
    static let guessing = driver("arise.guesses", "Takes any refund for done.", caughtBy: "") {
        $0.onLookup = { inner, inquiry, context in
            let seen = try await inner.lookup(inquiry, context)
            return seen == .notFound(seesBack: nil) ? .found(.approved(Approval(inquiry.amount))) : seen
        }
    }

    static let all = amounts + readings + decisions
}
