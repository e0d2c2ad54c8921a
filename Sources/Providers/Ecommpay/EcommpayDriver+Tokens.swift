public import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

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

    /// A message about a customer: the project's number stands with the customer.
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

    /// Sends one; gives whether nobody knows if it arrived. What became of it then is what the provider shows.
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

    /// Whether the token of a card is there; only one that fits tells.
    func token(_ inquiry: LookupRequest, of customer: String, _ context: LookupContext) async throws -> LookupResult {
        let mark = inquiry.note(Self.cardNote) ?? ""
        guard let saved = try await kept(mark, of: customer, context) else {
            return .cannotTell("The provider does not say.")
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
