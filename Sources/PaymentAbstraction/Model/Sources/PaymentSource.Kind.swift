extension PaymentSource {
    /// The kinds of source that there are.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A card that is presented to the reader.
        case reader
        /// A card whose number was typed.
        case card
        /// A card that a reader of the application's own has read.
        case external
        /// A wallet's payment token.
        case wallet
        /// An instrument that the provider keeps.
        case saved
        /// A token that the provider gave out.
        case token
        /// A bank account.
        case bank
        /// Whatever the customer pays with on a page of the provider's.
        case page
    }
}
