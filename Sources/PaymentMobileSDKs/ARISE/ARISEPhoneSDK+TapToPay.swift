public import PaymentBase

extension ARISEPhoneSDK {
    /// Whether the phone can take cards, and what is in the way.
    public struct TTPCompatibilityResult: Hashable, Sendable {
        /// Whether the phone can take cards.
        public var isCompatible: Bool
        /// Whether the phone's model can take cards.
        public var deviceModelCheck: DeviceModelCheck
        /// Whether the phone's system can take cards.
        public var iosVersionCheck: IOSVersionCheck
        /// Whether the application may know the phone's place.
        public var locationPermission: LocationPermissionStatus
        /// Whether Apple lets the application take cards.
        public var tapToPayEntitlement: TapToPayEntitlementStatus
        /// What is in the way of taking cards; empty if nothing is.
        public var incompatibilityReasons: [String]

        /// Makes the result of checking a phone for card payments.
        public init(
            isCompatible: Bool, deviceModelCheck: DeviceModelCheck, iosVersionCheck: IOSVersionCheck,
            locationPermission: LocationPermissionStatus, tapToPayEntitlement: TapToPayEntitlementStatus,
            incompatibilityReasons: [String]
        ) {
            self.isCompatible = isCompatible
            self.deviceModelCheck = deviceModelCheck
            self.iosVersionCheck = iosVersionCheck
            self.locationPermission = locationPermission
            self.tapToPayEntitlement = tapToPayEntitlement
            self.incompatibilityReasons = incompatibilityReasons
        }
    }

    /// Whether a phone's model can take cards.
    public struct DeviceModelCheck: Hashable, Sendable {
        /// Whether the phone's model can take cards.
        public var isCompatible: Bool
        /// The phone's model, as Apple writes it.
        public var modelIdentifier: String

        /// Makes the result of checking a phone's model.
        public init(isCompatible: Bool, modelIdentifier: String) {
            (self.isCompatible, self.modelIdentifier) = (isCompatible, modelIdentifier)
        }
    }

    /// Whether a phone's system can take cards.
    public struct IOSVersionCheck: Hashable, Sendable {
        /// Whether the phone's system can take cards.
        public var isCompatible: Bool
        /// The version of the phone's system.
        public var version: String
        /// The oldest system that can take cards.
        public var minimumRequiredVersion: String

        /// Makes the result of checking a phone's system.
        public init(isCompatible: Bool, version: String, minimumRequiredVersion: String) {
            self.isCompatible = isCompatible
            self.version = version
            self.minimumRequiredVersion = minimumRequiredVersion
        }
    }

    /// A part of the data that verified the cardholder.
    public struct TTPCVMData: Hashable, Sendable {
        /// The tag of the cardholder's data.
        public var tag: String?
        /// The cardholder's data itself.
        public var value: Secret?

        /// Begins a part of the cardholder's data of which nothing is known.
        public init() {}
    }

    /// A tapped payment with its parts; no call of the document takes one.
    public struct TTPTransactionRequest: Hashable, Sendable {
        /// The payment's amount.
        public var amount: SDKDecimal
        /// The tip as text.
        public var tip: String?
        /// The reduction as text.
        public var discount: String?
        /// The amount before tip and reduction, as text.
        public var subTotal: String?
        /// The merchant's order.
        public var orderId: String?
        /// The rate of the surcharge, as text.
        public var surchargeRate: String?

        /// Makes a tapped payment.
        public init(amount: SDKDecimal) { self.amount = amount }
    }

    /// How a tapped payment ended, and what its card said.
    public struct TTPTransactionResult: Hashable, Sendable {
        /// The transaction's identifier at the processor.
        public var transactionId: String?
        /// The payment's result in the gateway's words.
        public var transactionOutcome: String?
        /// The payment's result, as the SDK reads those words.
        public var status: TTPTransactionStatus
        /// The merchant's order.
        public var orderId: String?
        /// The amount that was approved, as text without a documented unit.
        public var authorizedAmount: String?
        /// The payment's authorization code.
        public var authorizationCode: String?
        /// The acquirer's code of the result; spelt as in the document.
        public var authorisationResponseCode: String?
        /// When the payment was approved, as text.
        public var authorizedDate: String?
        /// How the text of the payment's approval time is to be read.
        public var authorizedDateFormat: String?
        /// The card's scheme.
        public var cardBrandName: String?
        /// The card's number, masked.
        public var maskedCardNumber: String?
        /// A reference of the payment; the document doesn't say whose.
        public var externalReferenceID: String?
        /// The card's application.
        public var applicationIdentifier: String?
        /// What the card calls its application.
        public var applicationPreferredName: String?
        /// The cryptogram of the card's chip.
        public var applicationCryptogram: Secret?
        /// How many payments the card's chip has counted.
        public var applicationTransactionCounter: String?
        /// What the reader found in checking the card.
        public var terminalVerificationResults: String?
        /// What the card's chip has to say to its issuer.
        public var issuerApplicationData: Secret?
        /// Which of several cards of the same number it is.
        public var applicationPANSequenceNumber: String?
        /// What a partner put in about the payment.
        public var partnerDataMap: [String: Secret]?
        /// The data that verified the cardholder.
        public var cvmTags: [TTPCVMData]?
        /// What was done to verify the cardholder.
        public var cvmAction: String?

        /// Makes the result of a tapped payment.
        public init(status: TTPTransactionStatus) { self.status = status }
    }
}
