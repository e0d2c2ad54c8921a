internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

// What a configuration can say about ARISE: each setting and credential once.

extension RequiredSettingKey where Value == Origin {
    static var oauth: Self { Self("oauth", .origin, "Where access tokens are got.") }
}

extension RequiredSettingKey where Value == String {
    static var clientID: Self { Self("clientId", .text(), "The client id of the merchant's API token.") }
}

extension ProviderSettingKey where Value == String? {
    static var processor: Self {
        Self("processor", .text(), "The payment processor to use instead of the default one.")
    }
    static var requesterIPAddress: Self {
        Self(
            "requesterIpAddress", .text(),
            "The address of the machine that asks for transfers from and to bank accounts.")
    }
}

extension ProviderSettingKey where Value == ARISEPricing.SurchargeBase {
    static var surchargeBase: Self {
        Self(
            "surchargeBase", .choice, default: .originalBase,
            "Which amount a surcharge is a percentage of, in local previews.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.ReferenceEcho {
    static var referenceEcho: Self {
        Self(
            "referenceEcho", .choice, default: .orderNumber,
            "Where the reference of a request comes back; without one, lost answers are found by likeness.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.Integration {
    static var link: Self {
        Self(
            "link", .choice, default: .reader,
            "Who reads a card that is tapped: an own reader, or the vendor's kit on a phone.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.Failed {
    static var failed: Self {
        Self("failed", .choice, default: .open, "What a record proves that says that the payment failed.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.BankEntry {
    static var bankEntry: Self {
        Self("bankEntry", .choice, default: .web, "How holders of bank accounts agree to transfers.")
    }
}

extension ProviderSettingKey where Value == String {
    static var deviceName: Self {
        Self("deviceName", .text(), default: "iPhone", "What the device is called at ARISE.")
    }
}

extension ProviderCredentialKey where Value == SecretSource? {
    static var signIn: Self {
        Self("signIn", "Gives the client secret from the application's server whenever somebody signs in.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var clientSecret: Self {
        Self("clientSecret", unless: "signIn", "The client secret of the merchant's API token.")
    }
    static var webhookSecret: Self {
        Self("webhookSecret", "What webhooks are signed with; all are refused when left out.")
    }
}
