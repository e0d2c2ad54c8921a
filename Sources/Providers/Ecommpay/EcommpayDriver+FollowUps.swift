public import PaymentProviderKit

extension EcommpayDriver: AdjustmentDriver, VoidDriver, RefundDriver, CardOnFileDriver {
    /// More is asked for on top of what is held; less is let go of it.
    public func adjust(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let held = request.payment.amounts.capturable
        let isMore = request.amount.minorUnits > held.minorUnits
        let amount = try isMore ? request.amount.subtracting(held) : held.subtracting(request.amount)
        guard !amount.isZero, held.minorUnits > 0 else {
            throw PaymentError.notExecuted(.invalidRequest, "\(held) is held, and \(request.amount) is no change")
        }
        // No id of the client makes an increment or a part that is let go happen only once.
        return try await change(
            isMore ? "incremental" : "cancel", ["incremental", "cancel"], amount, .money, request, context)
    }

    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let amounts = request.payment.amounts
        if amounts.captured.minorUnits == 0, request.payment.firstOperation == .authorize {
            return try await change("cancel", ["cancel"], nil, .idempotent, request, context)
        }
        guard amounts.refunded.minorUnits == 0, amounts.refundPending.minorUnits == 0 else {
            throw PaymentError.notExecuted(.conflict, "a part was refunded; refund the rest instead")
        }
        return try await sendRefund(request, amounts.captured, "void", context)
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await sendRefund(request, request.amount, request.reason ?? "refund", context)
    }

    public func chargeCardOnFile(_ request: CardOnFileRequest, _ context: PaymentContext) async throws -> Verdict {
        var payment = EcommpayMapping.json(request.amount)
        if let text = request.displayText { payment = payment.adding("description", EcommpayMapping.description(text)) }
        guard let recurring = EcommpayMapping.registrationNumber(request.instrument) else {
            throw ProviderCodeError("3181")
        }
        var more: [(String, JSON)] = [
            ("payment", payment), ("recurring", ["id": EcommpayMapping.number(recurring)]),
        ]
        guard let customer = request.customer else {
            throw PaymentError.notExecuted(.invalidRequest, "a debit names the customer whose card it charges")
        }
        guard let address = configuration.customerIPAddress else {
            throw PaymentError.notExecuted(
                .configuration,
                "the Gate wants an address of the customer of every debit; set `customerIpAddress` in the settings of "
                    + "\(identity.id)")
        }
        more.append(("customer", ["id": .string(customer), "ip_address": .string(address)]))
        try context.note(Self.registrationNote, String(recurring))
        let name = context.attempt.text
        let body = EcommpayMapping.gate(name, configuration.project, more)
        let (ack, _) = try await context.exchange(.idempotent) { _ in
            try await beginning(.debit, request.amount, context) {
                try await send(signed: body, to: EcommpayPath.recurring) { EcommpayAck($0, about: name) }
            }
        }
        return try Self.waiting(for: ack, about: name)
    }

    /// Under which name is kept which registered card a debit charges, by the provider's number.
    static let registrationNote = "registration"

    /// The codes that say that the provider knows no such registration, or has ended it.
    private static let gone: Set<String> = ["3181", "3183", "3184"]

    /// Whether the provider will or may debit a registered card again on its own. The documents have no signature on this
    /// answer, which only makes a decline wait.
    func isDebitedAgain(_ registration: String, _ context: LookupContext) async throws -> Bool {
        guard let number = Int64(registration) else { return false }
        let body: JSON = [
            "general": ["project_id": EcommpayMapping.number(configuration.project)],
            "recurring": ["id": EcommpayMapping.number(number)],
        ]
        return try await context.exchange { _ -> Bool in
            do {
                return try await send(signed: body, to: EcommpayPath.registration) { json -> Bool? in
                    guard let json, json["recurring"] != nil else { return nil }
                    return json["retry_info"]?["next_retry_exists"]?.bool ?? false
                }
            } catch let refusal as HTTPErrorResponse {
                // What is refused for now says nothing: it is asked again. A project that may not ask leaves it to a
                // person, since only a registration that is gone is certainly not debited again.
                let failure = classify(refusal)
                guard failure.delivery == .refused, failure.code != .providerUnavailable else { throw refusal }
                return !Self.gone.contains(EcommpayRefusal(refusal.body).code)
            }
        }
    }

    // MARK: Messages

    private func sendRefund(
        _ request: FollowUpRequest, _ amount: Money, _ why: String, _ context: PaymentContext
    ) async throws -> Verdict {
        try await sendRefund(try name(request), amount, why, Self.method(of: request.payment), context)
    }

    /// Refunds an exact amount under our own name.
    func sendRefund(
        _ payment: String, _ amount: Money, _ why: String, _ method: String?, _ context: PaymentContext
    ) async throws -> Verdict {
        let order = EcommpayMapping.json(amount).adding("description", EcommpayMapping.description(why))
            .adding("merchant_refund_id", .string(context.attempt.text))
        let body = EcommpayMapping.gate(payment, configuration.project, [("payment", order)])
        let path = try EcommpayPath.action("refund", method ?? "card")
        return try await accepted(body, path, payment, .idempotent, name: context.attempt.text, context)
    }

    /// Changes what is held; the operations that there were before are remembered first.
    func change(
        _ verb: String, _ types: Set<String>, _ amount: Money?, _ effect: RequestEffect, _ request: FollowUpRequest,
        _ context: PaymentContext
    ) async throws -> Verdict {
        let payment = try name(request)
        var before = try await context.exchange(.readOnly) { _ in try await status(payment) }
        // A payment may not be shown for some seconds, which doesn't mean that nothing is held.
        for _ in 1...Self.patience where before.isUnknownSoFar {
            await context.pause(until: context.now + Self.shownAfterMilliseconds)
            before = try await context.exchange(.readOnly) { _ in try await status(payment) }
        }
        if before.isUnknownSoFar {
            throw PaymentError(
                .notFound, outcome: .notExecuted, retry: .safe, detail: "the payment is not shown so far; try later")
        }
        guard before.status == "awaiting capture" else {
            throw PaymentError(
                .conflict, outcome: .notExecuted, provider: ProviderMessage(code: before.status),
                detail: "nothing is held under this payment any more")
        }
        let known = before.operations.filter { types.contains($0.type) }.map(\.id)
        // What can't be read now may be read later, and would look like ours: then nothing is compared, and a person decides.
        if !before.isTorn { try context.note(Self.baselineNote, (["before"] + known).joined(separator: " ")) }
        let more: [(String, JSON)] = amount.map { [("payment", EcommpayMapping.json($0))] } ?? []
        let body = EcommpayMapping.gate(payment, configuration.project, more)
        let method = Self.method(of: request.payment) ?? "card"
        let path = verb == "incremental" ? EcommpayPath.incremental : try EcommpayPath.action(verb, method)
        return try await accepted(body, path, payment, effect, name: nil, context)
    }

    /// How a payment was made, as far as anything says so: the provider's word, or what was noted of a wallet.
    private static func method(of payment: PaymentSnapshot) -> String? {
        payment.references[EcommpayMapping.Name.method] ?? payment.notes[methodNote]
    }

    static let baselineNote = "baseline"
    /// How often a payment that is not shown yet is asked for again before it is changed.
    private static let patience = 2

    /// Sends a message that the provider accepts or refuses; what becomes of it is looked up.
    private func accepted(
        _ body: JSON, _ path: String, _ payment: String, _ effect: RequestEffect, name: String?,
        _ context: PaymentContext
    ) async throws -> Verdict {
        let ack = try await context.exchange(effect) { _ in
            do {
                return try await acknowledged(payment) {
                    try await send(signed: body, to: path) { EcommpayAck($0, about: payment) }
                }
            } catch let refusal as HTTPErrorResponse {
                // Sent again without our own name, it may meet a state that our own first request left behind.
                let isOurs =
                    effect == .idempotent && name == nil && refusal.status < 500
                    && EcommpayRefusal(refusal.body).code == Self.notNow
                guard isOurs else { throw refusal }
                return EcommpayAck(payment: payment, request: nil)
            }
        }
        return try Self.waiting(for: ack, about: payment)
    }

    /// What is known once the provider has accepted a request about a payment.
    private static func waiting(for ack: EcommpayAck, about payment: String) throws(PaymentError) -> Verdict {
        guard ack.payment == payment else {
            throw PaymentError.unknown(.mismatch, "the answer is about another payment")
        }
        var references: PaymentReferences = [:]
        references["request"] = ack.request
        return .pending(Pending(references: references, shouldPoll: true))
    }

    /// The code that says that a state does not allow something.
    static let notNow = "3060"

    private func name(_ request: FollowUpRequest) throws(PaymentError) -> String {
        if let name = request.payment.references["payment"] { return name }
        throw PaymentError.notExecuted(.conflict, "the name of the payment at \(identity.id) is not known")
    }
}

extension EcommpayDriver: SavedInstrumentDriver {
    public func instruments(of customer: String, _ context: LookupContext) async throws -> [SavedInstrument] {
        try await context.exchange { _ in try await accounts(of: customer) }
            .compactMap { EcommpayMapping.instrument($0, of: customer) }
    }

    public func remove(
        _ instrument: SavedInstrument.ID, of customer: String, _ context: LookupContext
    ) async throws {
        guard let account = Int64(instrument.rawValue) else { throw ProviderCodeError("3241") }
        let body = owner(customer, [("saved_account_id", EcommpayMapping.number(account))])
        guard try await isLost(body, EcommpayPath.removeAccount, context) else { return }
        if try await instruments(of: customer, context).contains(where: { $0.id == instrument }) {
            throw Self.undecided
        }
    }

    /// A message about a customer: the project's number is with the customer.
    func owner(_ customer: String, _ more: [(String, JSON)] = []) -> JSON {
        var body: JSONObject = [
            "customer": [
                "project_id": EcommpayMapping.number(configuration.project), "id": .string(customer),
            ]
        ]
        for (name, value) in more { body[name] = value }
        return .object(body)
    }

    /// The code that says that nothing is known of a customer.
    private static let noCustomer = "3241"

    /// What is kept for a customer; without a list nothing is, and a list is only believed as a whole.
    func accounts(of customer: String) async throws -> [JSON] {
        do {
            return try await ask(owner(customer, [("payment_method", "card")]), at: EcommpayPath.accounts) { json in
                guard let json, json["status"] == nil || json["status"]?.string == "success" else { return nil }
                guard let items = json["accounts"] else { return [] }
                return items.array?.allSatisfy { EcommpayMapping.instrument($0, of: nil) != nil } == true
                    ? items.array : nil
            }
        } catch let refusal as HTTPErrorResponse
            where refusal.status < 500 && EcommpayRefusal(refusal.body).code == Self.noCustomer
        {
            return []
        }
    }

    // MARK: Requests that move no money

    /// Sends one; returns whether it is unknown if it arrived. What became of it then is what the provider shows.
    func isLost(_ body: JSON, _ path: String, _ context: LookupContext) async throws(PaymentError) -> Bool {
        try await context.exchange { _ -> Bool in
            do {
                return try await send(signed: body, to: path) { $0?["status"]?.string == "success" ? false : nil }
            } catch  where !(error is CancellationError) && classify(error).delivery == .maybeSent { return true }
        }
    }

    /// What is said where the provider does not show what was asked for, and may do so later.
    static var undecided: PaymentError {
        PaymentError(
            .inDoubt, outcome: .notExecuted, retry: .afterStatusCheck,
            detail: "no answer came, and the provider does not show it so far; look again before it is sent again")
    }

    // MARK: Tokens of cards

    /// Makes a token through the Gate: accepted at first, and then shown among the customer's accounts. The provider
    /// has one token for a card of a customer, so that asking twice gives the same.
    func tokenize(
        _ card: KeyedCard, of customer: String, _ amount: Money, _ context: PaymentContext
    ) async throws -> Verdict {
        let mark = EcommpayMapping.mark(card.number.expose())
        let body = owner(customer, [("card", .object(EcommpayMapping.card(card)))])
        let request = try await context.send(.idempotent) { _ in
            // The list of accounts shows what was made, and its message alone says that it was refused.
            Outgoing(notes: [Self.ownerNote: customer, Self.cardNote: mark], canLookUp: false) {
                try await send(signed: body, to: EcommpayPath.tokenize) { json in
                    json?["status"]?.string == "success" ? json?["request_id"]?.string : nil
                }
            }
        }
        let references: PaymentReferences = ["request": request]
        // What was accepted keeps its name, whether or not it is shown already.
        if let saved = try? await kept(mark, of: customer, context.query) {
            var approval = Approval(amount, references: references, card: saved.card)
            approval.saved = saved
            return .approved(approval)
        }
        return .pending(Pending(references: references, shouldPoll: true))
    }

    /// Whether the token of a card is there; only one that fits shows it.
    func token(_ inquiry: LookupRequest, of customer: String, _ context: LookupContext) async throws -> LookupResult {
        let mark = inquiry.note(Self.cardNote) ?? ""
        guard let saved = try await kept(mark, of: customer, context) else {
            return .cannotTell("The customer's list has no card that fits.")
        }
        var approval = Approval(inquiry.amount, card: saved.card)
        approval.references["request"] = inquiry.note("request")
        approval.saved = saved
        return .found(.approved(approval))
    }

    /// The only account of a customer that has a token and fits a card.
    private func kept(
        _ mark: String, of customer: String, _ context: LookupContext
    ) async throws -> SavedInstrument? {
        let shown = try await context.exchange { _ in try await accounts(of: customer) }
        let fitting = shown.filter {
            $0["token"]?.string?.isEmpty == false && $0["number"]?.string.map(EcommpayMapping.mark) == mark
        }
        return fitting.count == 1 ? fitting.first.flatMap { EcommpayMapping.instrument($0, of: customer) } : nil
    }

    static let ownerNote = "customer"
    static let cardNote = "card"
}
