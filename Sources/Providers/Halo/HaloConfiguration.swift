public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

/// What the driver of Halo needs to know.
public struct HaloConfiguration: Sendable {
    /// How tokens have to be signed.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        /// RSA with SHA-256.
        case rs256 = "RS256"
        /// RSA with SHA-512.
        case rs512 = "RS512"
    }

    /// Who reads the card and submits the payment.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// A reader of the application's, whose taps the driver submits.
        case reader
        /// The vendor's kit on a phone, which reads, asks for the PIN and submits in one call.
        case mobile = "kit"
    }

    /// Whether a payment goes on without the device's location.
    public enum LocationPolicy: String, Hashable, Sendable, CaseIterable {
        /// It is sent where it is known.
        case optional
        /// No payment begins without it.
        case required
    }

    /// Where the amounts of records are read; the documents show two forms and name no unit.
    public enum RecordAmounts: String, Hashable, Sendable, CaseIterable {
        /// As printed on the receipt, with the currency; a record without a receipt has none.
        case printed
        /// The record's own member, in the currency's smallest unit.
        case minor
        /// The record's own member, in major units.
        case major
    }

    /// The unit of the amounts in answers to taps.
    public enum ReplyAmounts: String, Hashable, Sendable, CaseIterable {
        /// The currency's smallest unit.
        case minor
        /// Major units.
        case major
    }

    /// How amounts are written for refunds of the back office.
    public enum RefundAmounts: String, Hashable, Sendable, CaseIterable {
        /// Numbers in major units.
        case major
        /// Numbers in the currency's smallest unit.
        case minor
        /// Texts in major units.
        case text
    }

    /// What a search that finds nothing proves.
    public enum AbsenceProof: String, Hashable, Sendable, CaseIterable {
        /// Nothing: nobody has seen yet that searches show every payment of the merchant at once.
        case unproven
        /// That there is nothing: somebody has seen at the provider that a payment is found as soon as it is done.
        case proven
    }

    /// The name under which it is configured.
    public var name = "halo"
    /// The environment, as payments are recorded with it.
    public var environment = "production"
    /// The kernel server.
    public let endpoint: Origin
    /// The merchant's or the application's id.
    public let merchant: String
    /// Gives a signed token whenever one is needed.
    public let token: SecretSource
    /// How tokens have to be signed.
    public var algorithm = ProviderSettingKey.algorithm.default
    /// For which host tokens are made; the endpoint's own when nil.
    public var audience: String?
    /// Who reads the card and submits the payment.
    public var link = ProviderSettingKey.link.default
    /// Whether a payment goes on without the device's location.
    public var locationPolicy = ProviderSettingKey.location.default
    /// Where the amounts of records are read.
    public var recordAmounts = ProviderSettingKey.recordAmounts.default
    /// The unit of the amounts in answers to taps.
    public var answerAmounts = ProviderSettingKey.answerAmounts.default
    /// How amounts are written for refunds of the back office.
    public var refundAmounts = ProviderSettingKey.refundAmounts.default
    /// What a search that finds nothing proves.
    public var search = ProviderSettingKey.search.default
    /// What searches call the merchant; as tokens do when nil.
    public var searchMerchant: String?
    /// What newer kits send with each tap, as JSON; nothing when nil.
    public var passthroughFields: String?
    /// The key of the back office; without one nothing can be given back to an original.
    public var backOfficeKey: Secret?

    /// Makes a configuration.
    public init(endpoint: Origin, merchant: String, token: SecretSource) {
        (self.endpoint, self.merchant, self.token) = (endpoint, merchant, token)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(endpoint: settings.endpoint, merchant: settings.merchant, token: try settings[.token])
        (name, environment) = (settings.id.rawValue, settings.environment)
        (algorithm, audience) = (try settings[.algorithm], try settings[.audience])
        (recordAmounts, answerAmounts) = (try settings[.recordAmounts], try settings[.answerAmounts])
        (refundAmounts, search) = (try settings[.refundAmounts], try settings[.search])
        (searchMerchant, passthroughFields) = (try settings[.searchMerchant], try settings[.passthroughFields])
        link = try settings[.link]
        (locationPolicy, backOfficeKey) = (try settings[.location], try settings[.officeKey])
    }
}
