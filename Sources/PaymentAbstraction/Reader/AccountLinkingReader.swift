public import PaymentBase

/// A reader whose device has to be linked to the merchant's account, with terms to accept.
public protocol AccountLinkingReader: CardReader {
    /// Whether the terms were accepted for the token's merchant.
    func isLinked(token: Secret) async throws -> Bool
    /// Shows the terms and links the device; `again` links it to another account than before.
    func link(token: Secret, again: Bool) async throws
}
