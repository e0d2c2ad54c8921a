public import PaymentBase

/// Who pays; masked wherever it is printed.
public struct CustomerContact: Hashable, Sendable {
    /// The first name.
    public var firstName: PersonalData?
    /// The last name.
    public var lastName: PersonalData?
    /// The company.
    public var company: PersonalData?
    /// The e-mail address.
    public var email: PersonalData?
    /// The telephone number.
    public var phone: PersonalData?
    /// Fields that only some providers ask for, by the provider's own name.
    public var additional: [String: PersonalData] = [:]

    /// Makes an empty contact.
    public init() {}
}

/// An address; masked wherever it is printed.
public struct PostalAddress: Hashable, Sendable {
    /// Street and number.
    public var line1: PersonalData?
    /// What belongs to the street beside its number.
    public var line2: PersonalData?
    /// The city.
    public var city: PersonalData?
    /// The postal code.
    public var postalCode: PersonalData?
    /// The state, province or region.
    public var region: PersonalData?
    /// The country, as two letters.
    public var country: String?

    /// Makes an empty address.
    public init() {}
}

// MARK: - What a provider may say back in words

extension SaleRequest {
    /// What is said of people.
    package var people: [Secret] {
        let contacts = [contact, recipient].compactMap { $0 }.flatMap(\.people)
        return PersonalData.words(source.people + contacts + [billing, shipping].compactMap { $0 }.flatMap(\.people))
    }
}

extension VerificationRequest {
    /// What is said of people.
    package var people: [Secret] {
        PersonalData.words(source.people + (contact?.people ?? []) + (billing?.people ?? []))
    }
}

extension UnlinkedRefundRequest {
    /// What is said of people.
    package var people: [Secret] { PersonalData.words(source.people) }
}

extension CustomerContact {
    fileprivate var people: [PersonalData] {
        [firstName, lastName, company, email, phone].compactMap { $0 } + additional.values
    }
}

extension PostalAddress {
    /// The street and the house. A town and its postal code are those of many, and stand on the merchant's receipts.
    fileprivate var people: [PersonalData] { [line1, line2].compactMap { $0 } }
}

extension PersonalData {
    /// A shorter text may be a word of any message.
    private static let wordBytesMin = 6

    /// Texts as they may come back: as they are, or in capital letters.
    fileprivate static func words(_ texts: [PersonalData]) -> [Secret] {
        let long = texts.map(\.value).filter { $0.utf8.count >= wordBytesMin }
        return Set(long + long.map { $0.uppercased() }).map { Secret($0) }
    }
}
