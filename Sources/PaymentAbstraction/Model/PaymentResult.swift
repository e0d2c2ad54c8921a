public import PaymentBase

/// What came of a money operation; each case lies in a box of its own, so that a copy is one count.
public indirect enum PaymentResult: Hashable, Sendable {
    /// It was done; the payment as it is now.
    case approved(Payment)
    /// It was refused, finally.
    case declined(Decline)
    /// It was ended before it was decided.
    case cancelled(Cancellation)
    /// It was accepted and is not final; a webhook or a later status decides it.
    case pending(Pending)

    /// The payment, when it was approved.
    public var payment: Payment? {
        if case .approved(let payment) = self { return payment }
        return nil
    }
}

/// A payment as it is after an approved operation.
public struct Payment: Hashable, Sendable {
    /// Our name for it.
    public let id: PaymentID
    /// The attempt whose approval this is.
    public let attempt: AttemptID
    /// What was approved.
    public let operation: PaymentOperation
    /// What was asked for.
    public let requested: Money
    /// What was approved; less than asked for when the approval is partial.
    public let approved: Money
    /// All amounts of the payment.
    public let amounts: PaymentAmounts
    /// The application's reference.
    public let reference: String
    /// Who took it.
    public let provider: ProviderIdentity
    /// What the provider calls it.
    public let references: PaymentReferences
    /// The card, as far as it may be shown.
    public let card: CardSummary?
    /// What belongs on a receipt.
    public let receipt: Receipt?
    /// The instrument that was saved on the way.
    public let saved: SavedInstrument?
    /// Whether it was approved without the issuer and is still to be forwarded.
    public let isOffline: Bool
    /// Whether nothing real happened.
    public let isDryRun: Bool
    /// Whether the journal holds the outcome; when not, recovery writes it later.
    public package(set) var isRecorded = true
    /// Whether a void, or refunds of all that is left, are under way or not decided: hand over nothing for it.
    public package(set) var isGoingBack = false

    /// Whether less than asked for was approved.
    public var isPartial: Bool { approved.minorUnits < requested.minorUnits }

    package init(
        _ approval: Approval, _ intent: Attempt.Intent, _ account: ProviderIdentity, _ amounts: PaymentAmounts
    ) {
        id = intent.paymentID
        attempt = intent.attempt
        operation = intent.operation
        requested = intent.amount
        approved = approval.amount
        self.amounts = amounts
        reference = intent.reference ?? ""
        provider = account
        references = approval.references
        card = approval.card
        receipt = approval.receipt
        saved = approval.saved
        isOffline = approval.isOffline
        isDryRun = approval.isDryRun
    }
}

/// All amounts of one payment, in its currency.
public struct PaymentAmounts: Hashable, Sendable {
    /// Held or charged at first, as adjusted since.
    public package(set) var authorized: Money
    /// Charged.
    public package(set) var captured: Money
    /// Accepted for charging and not final.
    public package(set) var capturePending: Money
    /// Refunded, or taken back by the customer's bank.
    public package(set) var refunded: Money
    /// How much of `refunded` the customer's bank took back.
    public package(set) var chargedBack: Money
    /// Accepted as a refund and not final.
    public package(set) var refundPending: Money
    /// Of operations whose outcome is not known yet.
    public package(set) var inDoubt: Money
    /// Of operations that are under way.
    public package(set) var inFlight: Money
    /// Held once and let go, because one capture took less.
    public package(set) var released: Money
    /// Whether the payment was undone as a whole.
    public package(set) var isVoided = false
    /// Whether a device approved the payment without the issuer and has not forwarded it yet: until then it can only be
    /// voided.
    public package(set) var isOffline = false

    /// How much of `inDoubt` captures that are approved may have moved once more: it takes nothing from what was captured.
    package var capturesInDoubt: Money
    /// Whether no capture begins any more, because a part was refunded: what is held is left to the provider.
    package var isCaptureRefused = false

    package init(_ currency: Currency) {
        let zero = Money.zero(currency)
        (authorized, captured, capturePending) = (zero, zero, zero)
        (refunded, chargedBack, refundPending) = (zero, zero, zero)
        (inDoubt, inFlight, released, capturesInDoubt) = (zero, zero, zero, zero)
    }

    /// What can still be refunded, to be shown: pending reserves, and what is in doubt or under way is not there. Whether a refund
    /// may begin, `PaymentTotals` decides.
    public var refundable: Money {
        if isVoided || isOffline { return .zero(captured.currency) }
        return captured.less(refunded, refundPending, inDoubt.less(capturesInDoubt), inFlight)
    }

    /// What can still be charged of what is held; while ``isOffline``, once the device has forwarded it.
    public var capturable: Money {
        if isVoided { return .zero(captured.currency) }
        return authorized.less(captured, capturePending, inDoubt, inFlight, released)
    }

    /// What is held and captures may take, also once a device has forwarded what it approved.
    package var heldForCaptures: Money { isCaptureRefused ? .zero(captured.currency) : capturable }
    /// What a capture that begins now may take, to be shown.
    package var capturableNow: Money { isOffline ? .zero(captured.currency) : heldForCaptures }
}

/// A card as far as it may be shown: never its number.
public struct CardSummary: Hashable, Sendable {
    /// The scheme, as the provider names it.
    public var brand: String?
    /// The last four digits.
    public var last4: String?
    /// When it ends, as `MM/YY`.
    public var expiry: String?
    /// How it was read: `contactless`, `chip`, `swipe`, `keyed` and so on.
    public var entry: String?
    /// `debit`, `credit`, `prepaid`, as far as known.
    public var funding: String?
    /// The issuer's country.
    public var issuerCountry: String?
    /// The holder's name.
    public var holder: PersonalData?

    /// Makes a summary; of a masked number only the last four digits are kept.
    public init(brand: String? = nil, maskedNumber: String? = nil, last4: String? = nil) {
        self.brand = brand
        let digits = (last4 ?? maskedNumber ?? "").utf8.filter { (48...57).contains($0) }.suffix(4)
        self.last4 = digits.count == 4 ? String(decoding: digits, as: UTF8.self) : nil
    }
}

/// Something that was accepted and is not final.
public struct Pending: Hashable, Sendable {
    /// What the provider calls it.
    public var references: PaymentReferences
    /// What the provider said.
    public let provider: ProviderMessage?
    /// Whether the client shall ask again within the same call.
    public let shouldPoll: Bool
    /// What belongs on a receipt already, such as a refund's that was received; it does not say that it was done.
    public var receipt: Receipt?
    /// The attempt that is pending; the client fills it in.
    public package(set) var attempt: AttemptID?

    /// Makes a pending answer; with `shouldPoll` the client polls by the driver's plan before it gives up.
    public init(references: PaymentReferences = [:], provider: ProviderMessage? = nil, shouldPoll: Bool) {
        (self.references, self.provider, self.shouldPoll) = (references, provider, shouldPoll)
    }

    var recordable: Pending {
        var copy = Pending(references: references, provider: provider?.recordable, shouldPoll: shouldPoll)
        (copy.receipt, copy.attempt) = (receipt, attempt)
        return copy
    }
}

/// How a payment was ended before it was decided.
public struct Cancellation: Hashable, Sendable {
    /// Who or what ended it.
    public let cause: Cause
    /// What the provider or the reader said.
    public let provider: ProviderMessage?
    /// What the provider calls it.
    public var references: PaymentReferences
    /// Whether it was done and then undone as a whole: what says that it was done is about before.
    public let wasReversed: Bool

    /// Makes a cancellation.
    public init(
        cause: Cause, provider: ProviderMessage? = nil, references: PaymentReferences = [:], wasReversed: Bool = false
    ) {
        (self.cause, self.provider, self.references) = (cause, provider, references)
        self.wasReversed = wasReversed
    }

    var recordable: Cancellation {
        Cancellation(cause: cause, provider: provider?.recordable, references: references, wasReversed: wasReversed)
    }

    /// Who or what ended it; an open set.
    public struct Cause: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer.
        public static let customer = Cause(rawValue: "customer")
        /// The application or the person at the till.
        public static let merchant = Cause(rawValue: "merchant")
        /// At the card reader, by the customer or the person at the till; the reader doesn't say which of them.
        public static let reader = Cause(rawValue: "reader")
        /// It was not acted on in time.
        public static let timeout = Cause(rawValue: "timeout")
        /// The screen was recorded or mirrored.
        public static let screenCapture = Cause(rawValue: "screenCapture")
        /// The application left the foreground.
        public static let background = Cause(rawValue: "background")
        /// The device failed a security check.
        public static let deviceCompromised = Cause(rawValue: "deviceCompromised")
        /// The provider.
        public static let provider = Cause(rawValue: "provider")
    }
}
