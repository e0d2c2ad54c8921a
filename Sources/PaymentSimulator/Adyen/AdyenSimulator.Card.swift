extension AdyenSimulator {
    /// A card and what its holder does with it.
    public struct Card: Hashable, Sendable {
        /// What the holder does when the terminal asks for the PIN.
        public enum PIN: String, Hashable, Sendable, CaseIterable {
            /// Nobody is asked.
            case none
            /// The right one is typed.
            case right
            /// A wrong one is typed.
            case wrong
            /// The holder gives up.
            case cancelled
        }

        /// Its scheme, as the wire has it.
        public var brand = "mc"
        /// Its number with only the first six and the last four digits.
        public var maskedNumber = "541333 **** 9999"
        /// How it is read, as the wire has it.
        public var entry = "Contactless"
        /// What the holder does when the PIN is asked.
        public var pin = PIN.none
        /// How long after a payment began it is in the terminal, in milliseconds.
        public var comesAfterMilliseconds = AdyenSimulator.cardMilliseconds

        /// Makes a good card.
        public init() {}
    }
}
