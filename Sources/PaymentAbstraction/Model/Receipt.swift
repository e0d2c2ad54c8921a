public import PaymentBase

/// What belongs on a receipt and in an inquiry.
public struct Receipt: Hashable, Sendable {
    /// The issuer's approval code.
    public var authorizationCode: String?
    /// The response code of the host.
    public var responseCode: String?
    /// The response in words.
    public var responseText: String?
    /// The retrieval reference number.
    public var retrievalReference: String?
    /// When it happened, in milliseconds since 1970.
    public var at: Int64?
    /// What the address check said.
    public var addressCheck: Receipt.AddressCheck?
    /// How the holder was verified: `pin`, `signature`, `none` and so on.
    public var verification: String?
    /// Whether the customer has to sign.
    public var signatureRequired = false
    /// The tags of the chip that a receipt shows.
    public private(set) var tags: [Receipt.EMVTag] = []
    /// Who sold it.
    public var merchant: Receipt.Merchant?
    /// What the amount is made of.
    public var breakdown: Quote.Breakdown?
    /// Lines that the provider formatted.
    public var lines: [Receipt.Line] = []

    /// Makes an empty receipt.
    public init() {}

    /// Adds chip tags; those that carry a card number, track or PIN data are dropped.
    public mutating func add(_ tags: [Receipt.EMVTag]) { self.tags += tags.filter { !$0.isSensitive } }
}

extension Receipt {
    /// One line that the provider formatted for a receipt.
    public struct Line: Hashable, Sendable {
        /// Whose copy it belongs to.
        public enum Copy: String, Hashable, Sendable {
            /// The copy that the merchant keeps.
            case merchant
            /// The copy that the customer takes.
            case customer
        }

        /// Whose copy it belongs to.
        public let copy: Copy
        /// What the line is about, as the provider names it.
        public let key: String?
        /// The text on the left.
        public let label: String
        /// The text on the right.
        public let value: String?
        /// Whether it is printed bold.
        public let isBold: Bool

        /// Makes a line.
        public init(_ copy: Copy, _ label: String, value: String? = nil, key: String? = nil, isBold: Bool = false) {
            (self.copy, self.label, self.value) = (copy, label, value)
            (self.key, self.isBold) = (key, isBold)
        }
    }
}

extension Receipt {
    /// Who sold it, as printed on a receipt.
    public struct Merchant: Hashable, Sendable {
        /// The name on the receipt.
        public var name: String?
        /// The address on the receipt.
        public var address: String?
        /// The telephone number on the receipt.
        public var phone: String?
        /// The e-mail address on the receipt.
        public var email: String?
        /// The address on the web.
        public var website: String?
        /// The merchant's number at the acquirer.
        public var merchantID: String?
        /// The acquirer's number of the terminal, as it is printed.
        public var terminalID: String?

        /// Makes an empty block.
        public init() {}
    }
}

extension Receipt {
    /// What the check of the billing address said.
    public struct AddressCheck: Hashable, Sendable {
        /// The response code.
        public var code: String?
        /// What followed from it: `allow`, `deny` and so on.
        public var action: String?
        /// The result in words.
        public var result: String?

        /// Makes a check of a code.
        public init(code: String? = nil, action: String? = nil, result: String? = nil) {
            (self.code, self.action, self.result) = (code, action, result)
        }
    }
}

extension Receipt {
    /// One tag of a chip, as hexadecimal text.
    public struct EMVTag: Hashable, Sendable {
        /// The tag, in capitals.
        public let tag: String
        /// Its value.
        public let value: String

        /// Makes a tag.
        public init(_ tag: String, _ value: String) { (self.tag, self.value) = (tag.uppercased(), value) }

        /// Tags with the number, the tracks, the holder's name or PIN data, and templates that hold such tags.
        private static let sensitive: Set<String> = [
            "5A", "56", "57", "5F20", "5F34", "70", "77", "9F0B", "9F1F", "9F20", "9F61", "9F6B", "9F6C", "99", "DF31",
            "DF32", "DF812A", "DF812B",
        ]

        /// Tags that can't hold a number, and of which the digits may look like one: cryptograms, texts in hexadecimal, and names
        /// of applications.
        private static let unlike: Set<String> = ["4F", "50", "84", "9F06", "9F10", "9F12", "9F1C", "9F1E", "9F26"]

        /// Whether it must not leave the reader in the clear, however its name is written. What has the form of a card's
        /// number or of a track must not, under any other name.
        public var isSensitive: Bool {
            if Self.unlike.contains(tag) { return false }
            let name = String(tag.filter(\.isHexDigit).drop { $0 == "0" })
            return Self.sensitive.contains(name) || !Self.unlike.contains(name) && holdsNumber
        }

        /// Whether the value is a card's number up to its end, to what separates a track's parts (`D`), or to its filler (`F`); or
        /// has one between other signs, as behind the two digits of its length in a template.
        private var holdsNumber: Bool {
            let first = String(value.uppercased().prefix { $0 != "D" && $0 != "F" })
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let runs = value.utf8.split { !digits.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
            return ([first] + runs + runs.map { String($0.dropFirst(2)) }).contains { text in
                Masking.cardDigits.contains(text.utf8.count) && Masking.cardNumbers(in: text) != text
            }
        }
    }
}

extension Receipt.EMVTag: RedactedDescription {
    /// The tag with its value, or without where it must not be shown.
    public var description: String { "\(tag)=\(isSensitive ? "<secret>" : value)" }
}
