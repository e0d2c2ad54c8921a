import PaymentAbstraction
import PaymentBase

/// Texts that can be recognised wherever they come out, and the sources and people that they are planted in.
enum Planted {
    /// One secret, or one thing about a person.
    struct Needle: Sendable, CustomStringConvertible {
        let name: String
        let text: String
        var description: String { name }

        /// The text as it is and as it may be written otherwise.
        var forms: [(form: Form, text: String)] { Form.allCases.map { ($0, $0.write(text)) } }
    }

    /// How a text can be written.
    enum Form: String, CaseIterable, Sendable {
        case plain, percent, base64, base64Safe, hex, hexCapital

        func write(_ text: String) -> String {
            let bytes = Array(text.utf8)
            switch self {
            case .plain: return text
            case .percent: return PercentEncoding.queryComponent(text)
            case .base64: return Base64.standard.encode(bytes)
            case .base64Safe: return Base64.urlSafe.encode(bytes)
            case .hex: return Hex.encode(bytes)
            case .hexCapital: return Hex.encode(bytes, uppercase: true)
            }
        }
    }

    static let number = "4539578763621486"
    static let code = "9137"
    static let track1 = "%B\(number)^PLANTED/CARD^30121010000000000?"
    static let track2 = ";\(number)=30121010000000000?"
    static let tags = "5A08\(number)5F3401"
    static let pinBlock = "0412AC89ABCDEF67"
    static let keySerial = "FFFF9876543210E00001"
    static let account = "DE89PLANTED0440532013"
    static let routing = "PLANTED-021000021"
    static let taxID = "PLANTED-987-65-4329"
    static let wallet = "{\"wallet\": \"PLANTED payload/+?\"}"
    static let token = "tok_PLANTED+payment/token=="
    static let access = "at_PLANTED.access.token"
    static let refresh = "rt_PLANTED.refresh.token"
    static let clientSecret = "memory-client-secret"
    static let webhookSecret = "memory-webhook-secret"
    static let readerToken = "reader_PLANTED_token"
    static let cardData = "PLANTED opaque card data"
    static let signature = "PLANTED signature image"

    static let secrets: [Needle] = [
        Needle(name: "PAN", text: number), Needle(name: "CVV", text: code), Needle(name: "track 1", text: track1),
        Needle(name: "track 2", text: track2), Needle(name: "EMV data", text: tags),
        Needle(name: "PIN block", text: pinBlock), Needle(name: "KSN", text: keySerial),
        Needle(name: "account", text: account), Needle(name: "routing", text: routing),
        Needle(name: "tax id", text: taxID), Needle(name: "wallet", text: wallet), Needle(name: "token", text: token),
        Needle(name: "access", text: access), Needle(name: "refresh", text: refresh),
        Needle(name: "client secret", text: clientSecret), Needle(name: "webhook secret", text: webhookSecret),
        Needle(name: "reader token", text: readerToken), Needle(name: "card data", text: cardData),
        Needle(name: "signature", text: signature),
    ]

    static let firstName = "Plantina"
    static let lastName = "Personova"
    static let email = "plantina@personal.example"
    static let phone = "+49 170 5550199"
    static let street = "Planting Street 77"
    static let city = "Plantsville"
    static let postalCode = "PL4 NT5"

    static let people: [Needle] = [
        Needle(name: "first name", text: firstName), Needle(name: "last name", text: lastName),
        Needle(name: "e-mail", text: email), Needle(name: "phone", text: phone), Needle(name: "street", text: street),
        Needle(name: "city", text: city), Needle(name: "postal code", text: postalCode),
    ]

    static let everything = secrets + people

    // MARK: - Where they are planted

    static func card() throws -> KeyedCard {
        try KeyedCard(
            number: number, expiryMonth: 12, expiryYear: 30, securityCode: code, holder: "\(firstName) \(lastName)")
    }

    static var read: ExternalCardData {
        var read = ExternalCardData(.chip)
        (read.track1, read.track2, read.tags) = (Secret(track1), Secret(track2), [Secret(tags)])
        (read.pinBlock, read.pinKeySerial) = (Secret(pinBlock), Secret(keySerial))
        return read
    }

    static var bank: BankAccount {
        var bank = BankAccount(number: Secret(account), routing: Secret(routing))
        (bank.taxID, bank.name) = (Secret(taxID), PersonalData("\(firstName) \(lastName)"))
        return bank
    }

    static func sources() throws -> [PaymentSource] {
        [
            .card(try card()), .external(read), .wallet(WalletToken(.applePay, payload: Secret(wallet))),
            .saved(.init(rawValue: "i-1"), securityCode: Secret(code)),
            .token(Secret(token), last4: "1111", securityCode: Secret(code)),
            .bank(bank),
        ]
    }

    static var contact: CustomerContact {
        var contact = CustomerContact()
        (contact.firstName, contact.lastName) = (PersonalData(firstName), PersonalData(lastName))
        (contact.email, contact.phone) = (PersonalData(email), PersonalData(phone))
        contact.additional = ["second": PersonalData(email)]
        return contact
    }

    static var address: PostalAddress {
        var address = PostalAddress()
        (address.line1, address.city, address.postalCode) = (
            PersonalData(street), PersonalData(city), PersonalData(postalCode)
        )
        (address.line2, address.region, address.country) = (PersonalData(street), PersonalData(city), "DE")
        return address
    }

    static var accessToken: AccessToken {
        var made = AccessToken(Secret(access), expiresAt: .max, refreshToken: Secret(refresh))
        made.additional = ["reader": Secret(readerToken)]
        return made
    }

    static func sale(_ amount: Money, from source: PaymentSource) -> SaleRequest {
        var request = SaleRequest(amount, from: source, reference: "o")
        (request.contact, request.recipient) = (contact, contact)
        (request.billing, request.shipping) = (address, address)
        return request
    }
}
