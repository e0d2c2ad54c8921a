public import PaymentBase

extension SimulatedReader {
    /// The card in front of the reader, and what its holder does.
    public struct Card: Sendable {
        /// How the holder is asked for the PIN while the card is read.
        public enum Verification: String, Hashable, Sendable, CaseIterable {
            /// Not at all; the provider may ask for it afterwards.
            case none
            /// The holder types the right one.
            case rightPIN
            /// The holder types a wrong one.
            case wrongPIN
            /// The holder goes on without one; also when asked afterwards.
            case bypassedPIN
        }

        /// How a read ends without card data.
        public enum Failure: String, Hashable, Sendable, CaseIterable {
            /// The card could not be read.
            case unreadable
            /// The reader takes no cards of this kind.
            case notSupported
        }

        /// The card's number.
        public var number: Secret
        /// The PIN that the holder types when the provider asks for it afterwards; nil when nobody types one.
        public var typedPIN: Secret?
        /// The PIN that is right.
        public var expectedPIN: Secret
        /// How long until the tap, in milliseconds.
        public var tapMilliseconds: Int64 = 500
        /// How long it is in the field before it is read, in milliseconds; nobody can cancel any more.
        public var fieldMilliseconds: Int64 = 0
        /// What is asked while the card is read.
        public var verification = Verification.none
        /// How often the holder takes the card away too early before it is read.
        public var earlyRemovals = 0
        /// How the read fails, if it does.
        public var failure: Failure?
        /// Whether the card itself refuses.
        public var isDeclinedByCard = false

        /// Makes a card; its holder knows the PIN.
        public init(number: String = "4111111111111111", pin: String = "1234") {
            self.number = Secret(number)
            (typedPIN, expectedPIN) = (Secret(pin), Secret(pin))
        }

        /// A PIN that is not the right one.
        var wrongPIN: Secret { Secret(expectedPIN == Secret("0000") ? "1111" : "0000") }
    }
}
