public import PaymentAbstraction
public import PaymentBase
internal import PaymentTransport

extension ProviderClient {
    /// What only ecommpay has beside payments; nil at every other provider.
    public var ecommpay: EcommpayGate? {
        (driver(as: EcommpayMobileDriver.self)?.apiDriver ?? driver(as: EcommpayDriver.self)).map {
            EcommpayGate($0, queries)
        }
    }
}

/// Tokens, customers and registered cards, as only the Gate of ecommpay has them; no money moves by it.
///
/// ```swift
/// let gate = try client.provider("ecommpay").ecommpay
/// try await gate?.end(registration, as: AttemptID("end-42"))
/// ```
///
/// What is asked for here is accepted first and done later. Where an answer is lost, what the provider shows decides;
/// an error of the code `inDoubt` means that it does not show it so far.
public struct EcommpayGate: Sendable {
    private let driver: EcommpayDriver
    private let reads: LookupContext

    init(_ driver: EcommpayDriver, _ reads: LookupContext) { (self.driver, self.reads) = (driver, reads) }

    // MARK: Customers and tokens

    /// What the provider knows about a customer; fields without a place of their own stand under its names. Nil where
    /// it knows nobody of that name.
    public func customer(_ customer: String) async throws(PaymentError) -> CustomerContact? {
        try await known(["3241"], driver.owner(customer), EcommpayPath.customer, reads) { json in
            json?["customer"]?["id"]?.string == customer ? json?["customer"].map(EcommpayMapping.contact) : nil
        }
    }

    /// The instrument behind a token of a customer's; nil where the token is none, or none any more.
    public func instrument(
        of token: Secret, customer: String
    ) async throws(PaymentError) -> SavedInstrument? {
        let body = driver.owner(customer, [("token", .string(token.expose()))])
        return try await known(["3027", "3221"], body, EcommpayPath.byToken, reads.hiding([token])) { json in
            json?["account"].flatMap { EcommpayMapping.instrument($0, of: customer) }
        }
    }

    /// Makes a token worthless; the provider forgets the saved card behind it too.
    public func revoke(_ token: Secret, of customer: String) async throws(PaymentError) {
        let body = driver.owner(customer, [("token", .string(token.expose()))])
        guard try await driver.isLost(body, EcommpayPath.revoke, reads.hiding([token])) else { return }
        if try await instrument(of: token, customer: customer) != nil { throw EcommpayDriver.undecided }
    }

    /// Asks for something; nil where the provider answers that there is no such thing.
    private func known<Message>(
        _ absent: Set<String>, _ body: JSON, _ path: String, _ reads: LookupContext,
        as read: (JSON?) -> Message?
    ) async throws(PaymentError) -> Message? {
        try await reads.exchange { _ -> Message? in
            do { return try await driver.ask(body, at: path, as: read) } catch let refusal as HTTPErrorResponse {
                guard refusal.status < 500, absent.contains(EcommpayRefusal(refusal.body).code) else { throw refusal }
                return nil
            }
        }
    }

    // MARK: Registered cards

    /// When and over what a registered card is charged.
    public func registration(_ id: SavedInstrument.ID) async throws(PaymentError) -> EcommpayRegistration {
        let body = try message(id, nil)
        return try await reads.exchange { _ in
            // The documents have no signature on this answer.
            try await driver.send(signed: body, to: EcommpayPath.registration) { json in
                EcommpayRegistration(json?["recurring"]).flatMap { $0.id == id ? $0 : nil }
            }
        }
    }

    /// Changes when and over what it is charged; what the terms leave out stays.
    ///
    /// - Parameter name: Our name for the change, which is made once however often it is asked for.
    /// - Returns: How it stands afterwards; a change that was accepted may show later.
    @discardableResult
    public func change(
        _ id: SavedInstrument.ID, to terms: CardOnFileTerms, _ recurrence: EcommpayRecurrence? = nil,
        as name: AttemptID
    ) async throws(PaymentError) -> EcommpayRegistration {
        let before = try await registration(id)
        guard terms.amount.map({ $0.currency == before.currency }) ?? true, recurrence?.schedule.isEmpty ?? true else {
            throw PaymentError.notExecuted(
                .invalidRequest, "a change is in the registration's own currency, and has no single charges")
        }
        let body = try message(id, name, try EcommpayMapping.terms(terms, recurrence))
        let isLost = try await driver.isLost(body, EcommpayPath.changeRegistration, reads)
        let after = try await registration(id)
        guard !isLost || after.fits(terms, recurrence) else { throw EcommpayDriver.undecided }
        return after
    }

    /// Ends a registration: nothing is charged by it any more.
    ///
    /// - Parameter name: Our name for the end, which comes once however often it is asked for.
    /// - Returns: How it stands afterwards; an end that was accepted may show later.
    @discardableResult
    public func end(
        _ id: SavedInstrument.ID, as name: AttemptID
    ) async throws(PaymentError) -> EcommpayRegistration {
        let isLost = try await driver.isLost(try message(id, name), EcommpayPath.endRegistration, reads)
        let after = try await registration(id)
        guard !isLost || after.isEnded else { throw EcommpayDriver.undecided }
        return after
    }

    /// Lets a debit that was declined not be tried again by the provider itself.
    ///
    /// - Parameter operation: The provider's number of the debit's operation: `operation` of its references.
    public func stopRetries(of operation: String, under id: SavedInstrument.ID) async throws(PaymentError) {
        guard let trigger = Int64(operation) else { throw Self.noNumber("an operation") }
        let body = try message(id, nil).adding("trigger_operation_id", EcommpayMapping.number(trigger))
        guard try await driver.isLost(body, EcommpayPath.stopRetries, reads) else { return }
        throw EcommpayDriver.undecided
    }

    private func message(
        _ id: SavedInstrument.ID, _ name: AttemptID?, _ terms: JSONObject = [:]
    ) throws(PaymentError) -> JSON {
        guard let number = Int64(id.rawValue) else { throw Self.noNumber("a registration") }
        var recurring = terms
        recurring["id"] = EcommpayMapping.number(number)
        let general: JSON = ["project_id": EcommpayMapping.number(driver.configuration.project)]
        return [
            "general": name.map { general.adding("payment_id", .string($0.text)) } ?? general,
            "recurring": .object(recurring),
        ]
    }

    private static func noNumber(_ what: String) -> PaymentError {
        PaymentError.notExecuted(.invalidRequest, "the name of \(what) is a number here")
    }
}
