internal import PaymentBase
internal import PaymentProviderKit
internal import PaymentTransport

// What a configuration can say about ecommpay: each setting and credential once.

extension ProviderSettingKey where Value == Origin? {
    static var sessions: Self {
        Self("sessions", .origin, "Where sessions are opened; the Gate's host when left out.")
    }
    static var page: Self {
        Self("page", .origin, "Where the Payment Page is; the Gate's host when left out.")
    }
    static var events: Self {
        Self("events", .origin, "Where sessions push their events; the sessions' host when left out.")
    }
}

extension ProviderSettingKey where Value == Int64 {
    static var pageMinutes: Self {
        Self(
            "pageMinutes", .integer(1...43_200), default: 30,
            "How long a link to the Payment Page can be paid, in minutes; the provider goes by its own clock.")
    }
}

extension ProviderSettingKey where Value == String {
    static var sessionPath: Self {
        Self("sessionPath", .text(), default: "/msdk/v1", "Where the interface of sessions begins.")
    }
}

extension ProviderSettingKey where Value == Bool {
    static var authenticates: Self {
        Self(
            "authenticates", .boolean, default: true,
            "Whether customers are authenticated, so that Visa cards need an e-mail address or a number.")
    }
    static var hidesSaved: Self {
        Self("hidesSaved", .boolean, default: false, "Whether sessions leave saved instruments out.")
    }
    static var tokenizesAtGate: Self {
        Self(
            "tokenizesAtGate", .boolean, default: false,
            "Whether tokens of cards are made through the Gate and not in sessions.")
    }
}

extension ProviderSettingKey where Value == EcommpayConfiguration.Integration {
    static var link: Self {
        Self(
            "link", .choice, default: .gate,
            "Where payments begin: in the vendor's kit on a phone, at the Gate on a server that may hold card numbers, "
                + "on the Payment Page for a server that may not, or in sessions of the simulated provider.")
    }
}

extension ProviderSettingKey where Value == String? {
    static var customerIPAddress: Self {
        Self(
            "customerIpAddress", .text(),
            "The address that is named as the customer's where no request names one, as with debits of registered cards."
        )
    }
    static var returnAddress: Self {
        Self(
            "returnAddress", .text(), "Where the customer's browser goes after a page of the bank's or the provider's.")
    }
    static var forcedMethod: Self { Self("forcedMethod", .text(), "The payment method that sessions begin with.") }
    static var googlePayMerchant: Self {
        Self("googlePayMerchant", .text(), "The merchant's name at Google Pay.")
    }
    static var region: Self {
        Self("region", .text(charactersMax: 2), "The customer's region, as two letters.")
    }
}

extension ProviderSettingKey where Value == EcommpayConfiguration.GooglePay.Environment? {
    static var googlePayEnvironment: Self {
        Self("googlePayEnvironment", .choice, "Where Google Pay's tokens come from.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var secret: Self {
        Self("secret", "The project's secret: only on a server; a phone gives a signer instead.")
    }
}
