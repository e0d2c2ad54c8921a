public import PaymentBase

/// A page of the provider's on which the customer pays: the application leads the customer there.
///
/// ```swift
/// options.answers.on(PaymentLink.self) { link in
///     await shop.redirect(link.attempt, to: link.address)
///     return false
/// }
/// ```
///
/// From the moment it is handed over until the provider ends it, the page can be paid. The answer says whether the
/// customer is known to have come back; then the payment is asked for at once. Otherwise it is pending, and the
/// provider's message decides.
public struct PaymentLink: Question {
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(30 * 60)
    /// The payment's attempt.
    public let attempt: AttemptID
    /// Where the customer's browser goes.
    public let address: String
    /// Until when the provider was told to take money there, in milliseconds since 1970 by this machine's clock; nil
    /// where it wasn't told. The provider goes by its own clock.
    public let until: Int64?

    /// Names a page.
    public init(_ attempt: AttemptID, address: String, until: Int64? = nil) {
        (self.attempt, self.address, self.until) = (attempt, address, until)
    }
}

extension PaymentLink: RedactedDescription {
    /// The attempt alone: whoever has the address can pay, and sees what is paid for.
    public var description: String { "PaymentLink(\(attempt))" }
}
