/// What the errors of Apple's ProximityReader prove about a payment; pure data, so that it stands on any system.
///
/// A read never moves money by itself. What was sent with an earlier read is another matter, so an error after a seen
/// submission proves nothing; and a card's own refusal is a decline.
public enum ProximityReaderErrors {
    /// What an error of `PaymentCardReader` proves about the payment, by Apple's name; unknown for one not listed.
    public static func outcome(ofReader name: String, seen evidence: SDKEvidence) -> SDKOutcome {
        reader.outcome(of: name, in: Call.prepare, seen: evidence)
    }

    /// What an error of a card's read proves about the payment, by Apple's name for it; unknown for one not listed.
    public static func outcome(ofRead name: String, seen evidence: SDKEvidence) -> SDKOutcome {
        read.outcome(of: name, in: Call.readPaymentCard, seen: evidence)
    }

    /// The framework's calls around a payment, none of which pays.
    public enum Call: String, SDKCall {
        /// Makes a reader's session ready.
        case prepare
        /// Reads a card.
        case readPaymentCard

        /// Whether an error leaves a question about money: each of them may stand in the midst of a payment.
        public var isAboutMoney: Bool { true }
    }

    /// The 33 errors of the reader itself, `PaymentCardReaderError`.
    public static let reader = SDKErrorTable(readerRows)
    /// The 34 errors of a card's read, `PaymentCardReaderSession.ReadError`.
    public static let read = SDKErrorTable(readRows)
}
