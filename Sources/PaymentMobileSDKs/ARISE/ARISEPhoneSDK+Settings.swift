public import PaymentBase

extension ARISEPhoneSDK {
    /// How the merchant's payments are set up.
    public struct PaymentSettingsResponse: Hashable, Sendable {
        /// The currencies that payments can be made in.
        public var availableCurrencies: [NamedOption]
        /// How the merchant passes the cost of card payments on.
        public var zeroCostProcessingOption: ZeroCostProcessingOption?
        /// The usual surcharge on card payments, in hundredths.
        public var defaultSurchargeRate: SDKDecimal?
        /// The usual discount on cash payments, in hundredths.
        public var defaultCashDiscountRate: SDKDecimal?
        /// How far the card's price is above the cash price, in hundredths.
        public var defaultDualPricingRate: SDKDecimal?
        /// Whether payments may have a tip.
        public var isTipsEnabled: Bool
        /// The tips that customers may choose, in hundredths.
        public var defaultTipsOptions: [SDKDecimal]?
        /// The card schemes that the merchant takes.
        public var availableCardTypes: [NamedOption]
        /// The kinds of transactions that the merchant may make.
        public var availableTransactionTypes: [NamedOption]
        /// The processors that payments can go to.
        public var availablePaymentProcessors: [PaymentProcessor]
        /// How customers' addresses are compared.
        public var avs: AvsOptions?
        /// Whether a terminal may keep the customer's card after a payment.
        public var isCustomerCardSavingByTerminalEnabled: Bool
        /// The profile for taking cards on a phone.
        public var ttpIosTerminalProfileId: String?

        /// Makes a merchant's settings.
        public init(
            availableCurrencies: [NamedOption], isTipsEnabled: Bool, availableCardTypes: [NamedOption],
            availableTransactionTypes: [NamedOption], availablePaymentProcessors: [PaymentProcessor],
            isCustomerCardSavingByTerminalEnabled: Bool
        ) {
            self.availableCurrencies = availableCurrencies
            self.isTipsEnabled = isTipsEnabled
            self.availableCardTypes = availableCardTypes
            self.availableTransactionTypes = availableTransactionTypes
            self.availablePaymentProcessors = availablePaymentProcessors
            self.isCustomerCardSavingByTerminalEnabled = isCustomerCardSavingByTerminalEnabled
        }
    }

    /// How customers' addresses are compared.
    public struct AvsOptions: Hashable, Sendable {
        /// Whether addresses are compared at all.
        public var isEnabled: Bool?
        /// How strictly customers' addresses are compared, as a number.
        public var profileId: Int32?
        /// How strictly customers' addresses are compared.
        public var profile: String?

        /// Begins a comparison of addresses with nothing known.
        public init() {}
    }

    /// A currency that payments can be made in.
    public struct CurrencyOption: Hashable, Sendable {
        /// The currency's number in ISO 4217.
        public var id: Int32
        /// The currency's code.
        public var name: String?

        /// Makes a currency to choose.
        public init(id: Int32) { self.id = id }
    }

    /// A currency, card scheme or kind of transaction that a merchant may use.
    public struct NamedOption: Hashable, Sendable {
        /// The number of the merchant's choice.
        public var id: Int32
        /// The name of the merchant's choice.
        public var name: String?

        /// Makes a choice of a merchant.
        public init(id: Int32) { self.id = id }
    }

    /// A processor that the merchant's payments can go to.
    public struct PaymentProcessor: Hashable, Sendable {
        /// The processor's identifier.
        public var id: String?
        /// The processor's name.
        public var name: String?
        /// Whether payments go there if nothing is said.
        public var isDefault: Bool?
        /// What the processor does; the document gives it the type of a transaction.
        public var operationType: OperationType?
        /// When the processor settles the day's payments.
        public var settlementBatchTimeSlots: [SettlementBatchTimeSlot]?

        /// Begins a processor of which nothing is known.
        public init() {}
    }

    /// A time of day at which payments are settled.
    public struct SettlementBatchTimeSlot: Hashable, Sendable {
        /// The hour at which payments are settled.
        public var hours: Int32?
        /// The minutes after that hour of the settlement.
        public var minutes: Int32?
        /// The time zone of the settlement's hour.
        public var timezoneName: String?

        /// Begins a time of settlement with nothing known.
        public init() {}
    }

    /// The merchant's phones.
    public struct DevicesResponse: Hashable, Sendable {
        /// Every phone that payments were set up on.
        public var devices: [DeviceInfo]

        /// Makes the list of a merchant's phones.
        public init(devices: [DeviceInfo]) { self.devices = devices }
    }

    /// A phone of the merchant.
    public struct DeviceInfo: Hashable, Sendable {
        /// The phone's identifier.
        public var deviceId: String
        /// The phone's name.
        public var deviceName: String?
        /// When somebody last signed in on the phone, in milliseconds since 1970.
        public var lastLoginAt: Int64?
        /// How far the phone is set up for taking cards.
        public var tapToPayStatus: String?
        /// How far the phone is set up for taking cards, as a number from 0 to 4.
        public var tapToPayStatusId: Int?
        /// Whether the phone may take cards.
        public var tapToPayEnabled: Bool
        /// Who uses the phone.
        public var userProfiles: [DeviceUser]

        /// Makes a phone of a merchant.
        public init(deviceId: String, tapToPayEnabled: Bool, userProfiles: [DeviceUser]) {
            (self.deviceId, self.tapToPayEnabled, self.userProfiles) = (deviceId, tapToPayEnabled, userProfiles)
        }
    }

    /// A person who uses a phone of the merchant.
    public struct DeviceUser: Hashable, Sendable {
        /// The person's identifier.
        public var id: String?
        /// The person's first name.
        public var firstName: PersonalData?
        /// The person's family name.
        public var lastName: PersonalData?
        /// The person's e-mail address; the document's table has lost the member's name.
        public var email: PersonalData?

        /// Begins a person of whom nothing is known.
        public init() {}
    }
}
