extension CardSummary {
    /// The scheme of a card under one name for all providers.
    public struct Scheme: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Visa, Electron and V PAY.
        public static let visa = Scheme(rawValue: "visa")
        /// Mastercard.
        public static let mastercard = Scheme(rawValue: "mastercard")
        /// Maestro.
        public static let maestro = Scheme(rawValue: "maestro")
        /// American Express.
        public static let amex = Scheme(rawValue: "amex")
        /// Discover.
        public static let discover = Scheme(rawValue: "discover")
        /// Diners Club.
        public static let diners = Scheme(rawValue: "diners")
        /// JCB.
        public static let jcb = Scheme(rawValue: "jcb")
        /// UnionPay.
        public static let unionPay = Scheme(rawValue: "unionPay")
        /// Interac of Canada.
        public static let interac = Scheme(rawValue: "interac")
        /// eftpos of Australia.
        public static let eftpos = Scheme(rawValue: "eftpos")
        /// Cartes Bancaires of France.
        public static let cartesBancaires = Scheme(rawValue: "cartesBancaires")
        /// girocard of Germany.
        public static let girocard = Scheme(rawValue: "girocard")
        /// Bancontact of Belgium.
        public static let bancontact = Scheme(rawValue: "bancontact")
        /// Dankort of Denmark.
        public static let dankort = Scheme(rawValue: "dankort")
        /// Mir of Russia.
        public static let mir = Scheme(rawValue: "mir")
        /// mada of Saudi Arabia.
        public static let mada = Scheme(rawValue: "mada")

        /// The scheme that a provider means by a word; nil for a word that no list here has.
        init?(word: String) {
            let letters = word.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            if let known = Self.words[letters] {
                self = known
                return
            }
            // A scheme's word with the card's kind behind it.
            for kind in ["debit", "credit", "prepaid", "commercial", "corporate", "business", "card"]
            where letters.hasSuffix(kind) {
                if let known = Self.words[String(letters.dropLast(kind.count))] {
                    self = known
                    return
                }
            }
            return nil
        }

        private static let words: [String: Scheme] = [
            "visa": .visa, "electron": .visa, "visaelectron": .visa, "vpay": .visa, "vi": .visa,
            "mastercard": .mastercard, "mc": .mastercard, "master": .mastercard,
            "maestro": .maestro, "maestrouk": .maestro,
            "amex": .amex, "americanexpress": .amex, "ax": .amex,
            "discover": .discover, "disc": .discover, "diners": .diners, "dinersclub": .diners,
            "dinersclubinternational": .diners,
            "jcb": .jcb, "unionpay": .unionPay, "cup": .unionPay, "chinaunionpay": .unionPay, "upi": .unionPay,
            "interac": .interac, "eftpos": .eftpos, "eftposaustralia": .eftpos,
            "cartebancaire": .cartesBancaires, "cartesbancaires": .cartesBancaires, "cb": .cartesBancaires,
            "girocard": .girocard, "bancontact": .bancontact, "bcmc": .bancontact, "dankort": .dankort, "mir": .mir,
            "mada": .mada,
        ]
    }
}

extension CardSummary {
    /// How a card's data came, under one name for all providers.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        /// The card or a phone was held to the reader.
        case contactless
        /// The chip was read.
        case chip
        /// The stripe was read.
        case swipe
        /// A person typed the number.
        case keyed
        /// The provider or the merchant had it.
        case onFile

        /// How a provider's word says that the card's data came; nil for a word that no list here has.
        init?(word: String) {
            switch word.lowercased().filter({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            case "contactless", "tapped", "tap", "taptopay", "rfid", "nfc", "contactlesschip", "proximity":
                self = .contactless
            case "chip", "icc", "emv", "synchronousicc", "contact", "inserted": self = .chip
            case "swipe", "swiped", "magstripe", "magneticstripe", "track": self = .swipe
            case "keyed", "manual", "manuallyentered", "typed", "card": self = .keyed
            case "file", "onfile", "saved", "stored", "token", "cardonfile": self = .onFile
            default: return nil
            }
        }
    }
}

extension CardSummary {
    /// Whose money a card charges, under one name for all providers.
    public enum Funding: String, Hashable, Sendable, CaseIterable {
        /// The holder's account, at once.
        case debit
        /// The issuer's, which the holder pays back.
        case credit
        /// What was loaded before.
        case prepaid
        /// The holder's account, at the end of a month.
        case deferredDebit

        /// What a provider's word says of a card; nil for a word that no list here has.
        init?(word: String) {
            switch word.lowercased().filter({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            case "debit", "debitcard": self = .debit
            case "credit", "creditcard", "charge": self = .credit
            case "prepaid", "prepaidcard", "prepaidanonymous", "prepaidreloadable", "prepaidnonreloadable":
                self = .prepaid
            case "deferreddebit": self = .deferredDebit
            default: return nil
            }
        }
    }
}

extension CardSummary {
    /// The scheme under one name for all providers; nil where the provider says none, or a word that is not known. ``brand`` keeps
    /// the word.
    public var scheme: Scheme? { brand.flatMap { Scheme(word: $0) } }

    /// How the card's data came, under one name for all providers; ``entry`` keeps the provider's word.
    public var entryMode: Entry? { entry.flatMap { Entry(word: $0) } }

    /// Whose money the card charges, under one name for all providers; ``funding`` keeps the provider's word.
    public var fundingSource: Funding? { funding.flatMap { Funding(word: $0) } }
}
