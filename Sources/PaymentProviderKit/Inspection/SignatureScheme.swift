public import PaymentAbstraction
public import PaymentBase
public import PaymentTransport

/// How a provider's messages are signed, for those who want to make or check a signature by hand.
public protocol SignatureScheme: Sendable {
    /// The signature of a message, as the wire has it.
    ///
    /// - Throws: `invalidRequest` when the message is none that can be signed; `unsupported` without cryptography.
    func sign(_ message: [UInt8], secret: Secret, crypto: any Crypto) throws(PaymentError) -> String

    /// Whether a signature fits a message, compared in constant time.
    ///
    /// - Parameter signature: The one to check; nil for the one inside the message.
    /// - Throws: `invalidRequest` when the message is none that can be signed, or has no signature inside.
    func verifies(
        _ message: [UInt8], signature: String?, secret: Secret, crypto: any Crypto
    ) throws(PaymentError) -> Bool
}
