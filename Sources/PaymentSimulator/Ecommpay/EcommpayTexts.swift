internal import PaymentBase

/// What a session offers, in the languages that the simulated provider speaks.
enum EcommpayTexts {
    private static let titles: [String: [String: String]] = [
        "en": ["methods": "Payment methods", "card": "Cards", "pay": "Pay", "email": "E-mail"],
        "de": ["methods": "Zahlungsarten", "card": "Karten", "pay": "Bezahlen", "email": "E-Mail-Adresse"],
        "fr": ["methods": "Moyens de paiement", "card": "Cartes", "pay": "Payer", "email": "Adresse e-mail"],
    ]

    private static func title(_ name: String, _ language: String?) -> JSON {
        .string(titles[language ?? "en"]?[name] ?? titles["en"]?[name] ?? name)
    }

    /// The field for an e-mail address.
    static func email(_ language: String?) -> JSON {
        ["name": "email", "is_required": true, "type": "email", "label": title("email", language)]
    }

    /// The members of an opened session that are for people.
    static func offer(_ language: String?, only code: String?) -> [(String, JSON)] {
        let logos = "https://paymentpage.example/logos"
        let methods: [JSON] = [
            [
                "code": "card", "name": title("card", language), "type": "card", "save_mode": "ask",
                "card_types": ["visa", "mastercard"], "icon_url": .string("\(logos)/card.svg"),
                "customer_fields": [email(language)],
            ],
            [
                "code": "etoken", "name": "Apple Pay", "type": "applePay", "save_mode": "never", "card_types": [],
                "icon_url": .string("\(logos)/applepay.svg"), "customer_fields": [],
            ],
        ]
        return [
            ("payment_methods", .array(methods.filter { code == nil || $0["code"]?.string == code })),
            (
                "strings",
                [
                    "payment.methodsTitle": title("methods", language), "payment.payButton": title("pay", language),
                    "field.email": title("email", language),
                ]
            ),
            (
                "logos",
                ["visa": .string("\(logos)/visa.svg"), "mastercard": .string("\(logos)/mastercard.svg")]
            ),
        ]
    }
}
