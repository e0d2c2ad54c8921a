public import PaymentBase

/// What a reader of the application's own took off a card.
public struct ExternalRead: Hashable, Sendable {
    /// How it was read.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        case swipe, nearField, chip, contactlessChip, fallbackSwipe
    }

    public let entry: Entry
    public var track1: Secret?
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
