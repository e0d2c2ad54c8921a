public import PaymentBase

/// What a reader of the application's own took off a card.
public struct ExternalCardData: Hashable, Sendable {
    /// How it was read.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        /// The magnetic stripe.
        case swipe
        /// A contactless stripe.
        case nearField
        /// The chip.
        case chip
        /// The chip without contact.
        case contactlessChip
        /// The stripe, because the chip failed.
        case fallbackSwipe
    }

    /// How the card was read.
    public let entry: Entry
    /// The first track.
    public var track1: Secret?
    /// The second track.
    public var track2: Secret?
    /// The tags of the chip, each as hexadecimal text.
    public var tags: [Secret] = []
    /// The version of the payment application on the reader.
    public var applicationVersion: String?
    /// The encrypted PIN.
    public var pinBlock: Secret?
    /// The serial number of the key that encrypted it.
    public var pinKeySerial: Secret?
    /// Why the stripe was read although there is a chip.
    public var fallbackReason: String?
    /// How the last attempt to read the chip ended.
    public var lastChipRead: String?

    /// Makes a read of one kind.
    public init(_ entry: Entry) { self.entry = entry }

    var secrets: [Secret] { [track1, track2, pinBlock, pinKeySerial].compactMap { $0 } + tags }
}
