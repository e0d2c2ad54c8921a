internal import PaymentBase
internal import PaymentProviderKit

// What a configuration can say about Halo: each setting and credential once.

extension ProviderSettingKey where Value == HaloConfiguration.Algorithm {
    static var algorithm: Self { Self("algorithm", .choice, default: .rs256, "How tokens have to be signed.") }
}

extension ProviderSettingKey where Value == String? {
    static var audience: Self {
        Self("audience", .text(), "The host that tokens are for; the endpoint's when left out.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.Integration {
    static var link: Self {
        Self("link", .choice, default: .reader, "Who reads the card: an own reader, or the vendor's kit on a phone.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.LocationPolicy {
    static var location: Self {
        Self("location", .choice, default: .optional, "Whether a payment needs the device's location.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.RecordAmounts {
    static var recordAmounts: Self {
        Self("recordAmounts", .choice, default: .printed, "Where the amounts of records are read, and in which unit.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.ReplyAmounts {
    static var answerAmounts: Self {
        Self("answerAmounts", .choice, default: .minor, "The unit of the amounts in answers to taps.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.RefundAmounts {
    static var refundAmounts: Self {
        Self("refundAmounts", .choice, default: .major, "How amounts are written for refunds of the back office.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.AbsenceProof {
    static var search: Self {
        Self("search", .choice, default: .unproven, "Whether a search that finds nothing proves that nothing is there.")
    }
}

extension ProviderSettingKey where Value == String? {
    static var searchMerchant: Self {
        Self("searchMerchant", .text(), "What searches call the merchant; as tokens do when left out.")
    }
    static var passthroughFields: Self {
        Self("passthroughFields", .text(charactersMax: 1_024), "What newer kits send with each tap, as JSON.")
    }
}

extension ProviderCredentialKey where Value == SecretSource {
    static var token: Self { Self("token", "Gives a fresh signed token.") }
}

extension ProviderCredentialKey where Value == Secret? {
    static var officeKey: Self {
        Self("officeKey", "The key of the back office; without one, originals can't be refunded.")
    }
}
