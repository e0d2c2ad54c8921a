internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

// What a configuration can say about Adyen: each setting and credential once.

extension ProviderSettingKey where Value == AdyenConfiguration.Integration {
    static var link: Self { Self("link", .choice, default: .cloudSync, "How the terminal is reached.") }
}

extension ProviderSettingKey where Value == AdyenConfiguration.Refunds {
    static var refunds: Self { Self("refunds", .choice, default: .terminal, "Where refunds to the original go.") }
}

extension ProviderSettingKey where Value == AdyenInterface {
    static var interface: Self { Self("interface", .choice, default: .tapToPay, "What a phone reads cards with.") }
}

extension ProviderSettingKey where Value == String {
    static var saleID: Self { Self("saleID", .text(), default: "TILL", "What this till calls itself to the terminal.") }
    static var returnURL: Self {
        Self(
            "returnUrl", .text(), default: "https://return.invalid/",
            "Where a shopper would come back to; the back office requires it although saved cards send nobody away.")
    }
    static var keyIdentifier: Self {
        Self("keyIdentifier", .text(), default: "till", "What the terminal knows the passphrase by.")
    }
}

extension ProviderSettingKey where Value == Bool {
    static var capturesSeveral: Self {
        Self(
            "capturesSeveral", .boolean, default: false,
            "Whether the account may capture one authorisation in several parts.")
    }
    static var trustsNotFound: Self {
        Self(
            "trustsNotFound", .boolean, default: false,
            "Whether a terminal that doesn't know a message proves that nothing came of it.")
    }
}

extension ProviderSettingKey where Value == Int64 {
    static var keyVersion: Self {
        Self("keyVersion", .integer(0...Int64(Int32.max)), default: 1, "Which version of the passphrase it is.")
    }
}

extension ProviderSettingKey where Value == String? {
    static var terminal: Self { Self("terminal", .text(), "The terminal, as model-serial; a phone needs none.") }
    static var tenderOptions: Self {
        Self("tenderOptions", .text(), "Further wishes about each payment, with commas between.")
    }
    static var store: Self { Self("store", .text(), "The store that payments belong to.") }
}

extension ProviderSettingKey where Value == WebURL? {
    static var checkout: Self {
        Self("checkout", .address, "Where the back office is, with the version; the live one is personal.")
    }
}

extension ProviderSettingKey where Value == Origin? {
    static var connectTo: Self {
        Self(
            "connectTo", .origin,
            "Where to connect to a terminal on the same network, whose certificate names another host.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var apiKey: Self {
        Self(
            "apiKey", isExpected: true,
            "The key of the account's user with the roles for terminals and the back office; never on a phone.")
    }
    static var webhookKey: Self {
        Self("webhookKey", "The key that webhooks are signed with; all are refused without it.")
    }
    static var nextWebhookKey: Self {
        Self("nextWebhookKey", "The key that takes the first one's place, while both are in use.")
    }
    static var passphrase: Self {
        Self(
            "passphrase",
            "What messages to a terminal on the same network are encrypted with; ASCII alone, since of other letters one "
                + "of the vendor's own libraries derives other keys.")
    }
    static var terminalRoots: Self {
        Self(
            "terminalRoots",
            "The roots of terminals' certificates on the same network, as PEM on one line with \\n for each break.")
    }
}
