/// Why a kit's call failed, in words that no vendor owns.
///
/// The spellings are those of the payment client's own error codes, so that one switch serves all drivers.
public enum SDKErrorCause: String, Sendable, Hashable, CaseIterable {
    /// The request can't be right: an amount, a currency, a reference, a missing member.
    case invalidRequest
    /// Something was set up wrongly: the application, the merchant, the order of the kit's calls.
    case configuration
    /// The token or the credentials were refused.
    case authentication
    /// The merchant or the person may not do this.
    case permission
    /// Something of the same name exists already, or is in a state that forbids the request.
    case conflict
    /// The payment or thing that was asked for is not there.
    case notFound
    /// Somebody or something stopped the payment before it was decided.
    case cancelled
    /// An answer about the payment took too long.
    case timedOut
    /// The payment's connection failed on the way there or back.
    case network
    /// A service that the payment needs can't be reached or refuses to work now.
    case unavailable
    /// An answer came that can't be read, or the error is not listed.
    case unreadableReply
    /// The vendor of the payment failed without saying how.
    case providerFailed
    /// The card reader can't read now.
    case readerUnavailable
    /// The card reader serves another payment.
    case readerBusy
    /// The phone can't take cards at all, or not as it is set.
    case deviceUnsupported
    /// The phone is not safe enough to take cards.
    case deviceCompromised
    /// The phone's place must be known and is not.
    case locationRequired
    /// The merchant has not accepted the terms for taking cards.
    case termsNotAccepted
    /// The merchant's account is not linked to the phone.
    case accountNotLinked
    /// The card, its issuer or a limit refused the payment.
    case declined
}
