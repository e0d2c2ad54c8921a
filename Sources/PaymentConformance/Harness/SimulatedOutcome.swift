/// What a payment is meant to meet; a harness says by which amount or card.
public enum SimulatedOutcome: String, Hashable, Sendable, CaseIterable {
    /// It is approved.
    case approved
    /// It is declined for want of money.
    case insufficientFunds
    /// The card was reported lost.
    case lostCard
    /// The card has expired.
    case expiredCard
    /// The issuer says no and gives no reason.
    case doNotHonor
    /// The security code is wrong.
    case wrongSecurityCode
    /// It is accepted and decided later.
    case pending
    /// It is received first and approved by the provider itself after seconds, while the call may still ask.
    case decidedSoon
    /// It is received first and approved by the provider itself, later than the driver asks within the call.
    case decidedLate
    /// The customer takes as long at the provider's own terminal as one may, and is then approved.
    case slowCustomer
    /// Only a part is approved, where the request allows it.
    case partial
    /// The cardholder is challenged first.
    case challenge
    /// More fields are asked for first.
    case clarification
    /// The PIN is asked for after the card was read.
    case pin
    /// The PIN is asked for, and the holder types a wrong one.
    case wrongPIN
    /// The PIN is asked for, and nobody types it.
    case noPIN
    /// No card ever comes to the reader.
    case noCard
    /// The card can't be read.
    case unreadableCard
    /// It is done, and the answer is lost.
    case replyLost
    /// The request is lost before it was read.
    case requestLost
    /// It is done, and the answer is a word that no document lists.
    case unknownWord
    /// It is done, and the answer is a server failure.
    case failsAfter
    /// It is refused once for a moment, and nothing is done.
    case busyOnce
    /// It is done, and the answer names another amount.
    case wrongEcho
}
