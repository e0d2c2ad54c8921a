extension ARISEPhoneSDK {
    /// What is done in a transaction, as a word.
    public struct TransactionType: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An authorization hold.
        public static let authorization = Self(rawValue: "Authorization")
        /// A sale.
        public static let sale = Self(rawValue: "Sale")
        /// A capture of an authorization.
        public static let capture = Self(rawValue: "Capture")
        /// A void before the settlement.
        public static let void = Self(rawValue: "Void")
        /// A refund after the settlement.
        public static let refund = Self(rawValue: "Refund")
        /// A check of a card without a payment.
        public static let cardAuthentication = Self(rawValue: "CardAuthentication")
        /// A refund without an earlier transaction.
        public static let refundWORef = Self(rawValue: "RefundWORef")
        /// A change of a transaction's tip.
        public static let tipAdjustment = Self(rawValue: "TipAdjustment")
        /// A debit of a bank account.
        public static let achDebit = Self(rawValue: "AchDebit")
        /// A refund to a bank account.
        public static let achRefund = Self(rawValue: "AchRefund")
        /// A debit that is held back.
        public static let achHold = Self(rawValue: "AchHold")
        /// A held debit that is let go.
        public static let achUnHold = Self(rawValue: "AchUnHold")
        /// A debit that is cancelled.
        public static let achCancel = Self(rawValue: "AchCancel")
        /// A credit to a bank account.
        public static let achCredit = Self(rawValue: "AchCredit")
    }

    /// Where a transaction stands.
    public struct TransactionStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The amount is held and not captured.
        public static let authorized = Self(rawValue: "Authorized")
        /// The amount is captured.
        public static let captured = Self(rawValue: "Captured")
        /// The transaction was voided before the settlement.
        public static let voided = Self(rawValue: "Voided")
        /// The amount was given back after the settlement.
        public static let refunded = Self(rawValue: "Refunded")
        /// The card was checked without a payment.
        public static let verified = Self(rawValue: "Verified")
        /// The amount was transferred.
        public static let settled = Self(rawValue: "Settled")
        /// A part of the amount is held.
        public static let partiallyAuthorized = Self(rawValue: "PartiallyAuthorized")
        /// The transaction is there for information.
        public static let informational = Self(rawValue: "Informational")
        /// The bank debit waits for its day.
        public static let scheduled = Self(rawValue: "Scheduled")
        /// The bank debit was cancelled.
        public static let cancelled = Self(rawValue: "Cancelled")
        /// The bank debit was charged back.
        public static let chargedBack = Self(rawValue: "ChargedBack")
        /// The bank debit is on its way.
        public static let inProgress = Self(rawValue: "InProgress")
        /// The bank debit is through.
        public static let cleared = Self(rawValue: "Cleared")
        /// The bank debit is held back.
        public static let held = Self(rawValue: "Held")
        /// The bank debit is held back by the processor.
        public static let heldByProcessor = Self(rawValue: "HeldByProcessor")
    }

    /// Why a card's chip gave way to its stripe.
    public struct EMVFallbackCondition: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The terminal had an error with the card's chip.
        public static let iccTerminalError = Self(rawValue: "iccTerminalError")
        /// The card's chip had no application in common with the terminal.
        public static let noCandidateList = Self(rawValue: "noCandidateList")
    }

    /// How a card's chip was read the time before.
    public struct EMVFallbackLastChipRead: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The card's chip was read.
        public static let successful = Self(rawValue: "successful")
        /// The card's chip was not read.
        public static let failed = Self(rawValue: "failed")
        /// The card was not used by its chip.
        public static let notAChipTransaction = Self(rawValue: "notAChipTransaction")
        /// Nobody knows how the card was read.
        public static let unknown = Self(rawValue: "unknown")
    }

    /// Whether the application may know the phone's place, which card payments need.
    public struct LocationPermissionStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The merchant has allowed it.
        public static let granted = Self(rawValue: "granted")
        /// The merchant has refused it.
        public static let denied = Self(rawValue: "denied")
        /// The merchant was not asked yet.
        public static let undetermined = Self(rawValue: "undetermined")
    }

    /// Whether Apple lets the application take cards.
    public struct TapToPayEntitlementStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Apple lets the application take cards.
        public static let available = Self(rawValue: "available")
        /// Apple doesn't let the application take cards.
        public static let unavailable = Self(rawValue: "unavailable")
    }

    /// Whether the phone is activated for taking cards.
    public struct TTPStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The phone can take cards.
        public static let active = Self(rawValue: "active")
        /// The phone has yet to be activated for taking cards.
        public static let inactive = Self(rawValue: "inactive")
    }

    /// How a tapped payment ended.
    public struct TTPTransactionStatus: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The processor approved the payment.
        public static let approved = Self(rawValue: "approved")
        /// The processor declined the payment.
        public static let declined = Self(rawValue: "declined")
        /// The payment was cancelled, by a person or by the system.
        public static let cancelled = Self(rawValue: "cancelled")
        /// The payment failed, and when is not said.
        public static let failed = Self(rawValue: "failed")
    }
}
