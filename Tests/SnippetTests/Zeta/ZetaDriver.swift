import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTransport

/// An adapter for a provider whose sends carry a key of ours and whose replies name nothing of ours.
struct ZetaDriver: PaymentDriver {
    let identity: ProviderIdentity
    let capabilities: Capabilities
    private let wire: JSONClient
    private let key: Secret

    init(_ identity: ProviderIdentity, _ endpoint: Origin, key: Secret, _ transport: any HTTPTransport) {
        (self.identity, self.key) = (identity, key)
        wire = JSONClient(transport, endpoint)
        var takes = Capabilities(sources: [.card], sendLimit: wire.sendLimitMilliseconds)
        takes.currencies = [.eur]
        capabilities = takes
    }

    var secrets: [Secret] { [key] }
    private func signed(_ attempt: AttemptID) -> HTTPHeaders {
        ["X-Api-Key": key.expose(), "Idempotency-Key": attempt.text]
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        LookupPlan(every: 1_000, giveUpAfter: 10_000, quiet: 5_000)
    }

    func classify(_ error: any Error) -> RequestFailure {
        ErrorTable.zeta.failure(error) { ($0?["error"]?.string ?? "", "") }
    }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let reply: JSONReply
        do {
            reply = try await context.exchange { _ in
                try await wire.send("GET", "/keys/\(inquiry.attempt)", more: signed(inquiry.attempt))
            }
        } catch {
            if error.code == .notFound { return .notFound(seesBack: nil) }
            throw error
        }
        return .found(try ZetaMapping.verdict(reply.body, of: inquiry.amount))
    }
}

extension ZetaDriver: SaleDriver {
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard case .card(let card) = request.source else {
            throw PaymentError.notExecuted(.unsupported, "Zeta takes typed cards only")
        }
        let body: JSON = [
            "amount": .number(JSONNumber(request.amount.minorUnits)),
            "currency": .string(request.amount.currency.code),
            "card": ["number": .string(card.number.expose())],
        ]
        let reply = try await context.exchange(.idempotent) { _ in
            try await wire.send("POST", "/charges", body: body, more: signed(context.attempt))
        }
        return try ZetaMapping.verdict(reply.body, of: request.amount)
    }
}

extension ZetaDriver: RefundDriver {
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        guard let charge = request.payment.references["charge"] else {
            throw PaymentError.notExecuted(.notFound, "the journal has no charge of Zeta's for this payment")
        }
        let body: JSON = ["amount": .number(JSONNumber(request.amount.minorUnits))]
        let reply = try await context.exchange(.idempotent) { _ in
            try await wire.send(
                "POST", "/charges/\(charge.pathPiece)/refunds", body: body, more: signed(context.attempt))
        }
        return try ZetaMapping.verdict(reply.body, of: request.amount)
    }
}

/// Domain ⇄ wire, as pure functions.
enum ZetaMapping {
    /// What Zeta said about a request of ours; only the amount can be held against what was asked.
    static func verdict(_ body: JSON?, of asked: Money) throws(PaymentError) -> Verdict {
        guard let id = body?["id"]?.string, let status = body?["status"]?.string else {
            throw PaymentError.unknown(.unreadableReply, "the answer names neither itself nor a status")
        }
        switch status {
        case "succeeded":
            guard let amount = body?["amount"]?.int64,
                let currency = body?["currency"]?.string.flatMap({ Currency.known($0) })
            else { throw PaymentError.unknown(.unreadableReply, "the answer names no amount") }
            let name = id.hasPrefix("r_") ? "refund" : "charge"
            return .approved(Approval(Money(minorUnits: amount, currency), references: [name: id]))
        case "processing": return .pending(Pending(references: ["refund": id], shouldPoll: true))
        case "failed":
            let why = body?["reason"]?.string ?? ""
            return .declined(Decline(reasons[why] ?? .unmapped, provider: ProviderMessage(code: why, message: "")))
        default: throw PaymentError.unmapped(status)
        }
    }

    static let reasons: [String: Decline.Reason] = [
        "funds": .insufficientFunds, "lost": .lostCard, "expired": .expiredCard, "no": .doNotHonor,
    ]
}

extension ErrorTable {
    static let zeta = ErrorTable([
        Row("badKey", "access", .authentication, .refused, userAction: true, "the key is wrong"),
        Row("malformed", "request", .invalidRequest, .refused, "the request could not be read"),
        Row("unknownKey", "request", .notFound, .refused, "nothing came under this key"),
        Row("unknownCharge", "request", .notFound, .refused, "there is no such charge"),
        Row("tooMuch", "request", .amountTooHigh, .refused, "more than is left of the charge"),
        Row(
            "busy", "service", .providerUnavailable, .refused, isRetryable: true, "busy for a moment, nothing was done"),
    ])
}
