public import PaymentModel

/// What a harness admits beforehand: what stays open, what can't be played, what the provider does not prevent.
public struct ConformanceProfile: Sendable {
    /// One operation under one fault.
    public struct FaultLocation: Hashable, Sendable, CustomStringConvertible {
        /// The operation.
        public let operation: PaymentOperation
        /// The fault's name.
        public let fault: String

        /// Names an operation under a fault.
        public init(_ operation: PaymentOperation, _ fault: String) {
            (self.operation, self.fault) = (operation, fault)
        }

        public var description: String { "\(operation.rawValue) under \(fault)" }
    }

    /// What stays open at a place.
    public struct OpenAttempts: Hashable, Sendable {
        /// In how many cases of a walk through all single faults an attempt stays open there.
        public let cases: Int
        /// Why it stays open.
        public let reason: String

        /// Says how often an attempt stays open, and why.
        public init(_ cases: Int, _ reason: String) { (self.cases, self.reason) = (cases, reason) }
    }

    /// Every fault that the provider can play.
    public var faults: [InjectedFault]
    /// Faults that are left out, with the reason; a check that plays another one that is missing fails.
    public private(set) var unsupportedFaults: [String: String] = [:]
    /// Where an attempt may stay open; it must do so in exactly as many cases, or the entry fails. A journal write that
    /// fails is the fault `journal.lost`, one that is kept and not confirmed is `journal.kept`.
    public var expectedOpenAttempts: [FaultLocation: OpenAttempts] = [:]
    /// Faults under which the provider books more than once and no driver could prevent it, with the reason; it must
    /// happen in a full walk. Where nothing is left for the second time, its refusal may hide that the first was done.
    public var expectedDoubleCharges: [String: String] = [:]
    /// Scripts that can't be played, with the reason.
    public var unsupportedOutcomes: [SimulatedOutcome: String] = [:]
    /// Operations that the provider only receives at first and decides later, with the reason; a verdict at once is
    /// allowed only to a refund without an original.
    public var asynchronousOperations: [PaymentOperation: String] = [:]
    /// Operations whose sends carry our own key (`RequestEffect.idempotent`), so that the client sends
    /// them again within the call; the checks then lose every send, where they lose one of others.
    public var idempotentOperations: Set<PaymentOperation> = []
    /// Why parts are approved for who did not ask for any; nil where a provider gives them only to who asks.
    public var unrequestedPartialApprovals: String?
    /// Why the application has no part in the result of a challenge, which the bank's page sends to the provider; nil where
    /// the application hands it on, so that a result that says no can be played.
    public var challengeResultsElsewhere: String?
    /// Why the client sends nothing that begins a payment, so that no refusal of it can be played; nil where something
    /// is. The check `sale.sends-nothing` proves it.
    public var startsWithoutRequest: String?
    /// Why a request that never left is not known to be one, as where a vendor's kit sends it; nil where it is. The
    /// check `attempt.begun-again` proves it.
    public var unsentIsUnknown: String?
    /// Why what proves a message covers nothing that it says, such as a shared secret in a header field; nil where it
    /// covers all that decides about money.
    public var unprovenWebhookBodies: String?
    /// How long after it was sent a request may still be executed, as the provider's documents say and not as the driver
    /// has it, in milliseconds; nil where absence proves nothing.
    public var executesWithinMilliseconds: Int64?
    /// How long after a payment began at a terminal of the provider's the card is in it, in milliseconds.
    public var cardAfterMilliseconds: Int64 = 0
    /// Currencies to try, at least one for each exponent that is taken.
    public var currencies: [Currency] = [.eur]
    /// Credentials that must never be printed or kept.
    public var secrets: [String] = []
    /// How long after an exchange everything that can be decided is decided, in milliseconds.
    public var decidedAfterMilliseconds: Int64 = 120_000
    /// What is let off for a while.
    public var waivers: [Waiver] = []

    /// Declares the faults that can be played, and nothing else.
    public init(faults: [InjectedFault]) { self.faults = faults }

    /// Leaves out a fault that the provider can't play, and the checks about it.
    public mutating func leaveOut(_ fault: String, because reason: String) {
        faults.removeAll { $0.id == fault }
        unsupportedFaults[fault] = reason
    }
}

/// A check that may fail for a while: never silently, and never for ever.
public struct Waiver: Hashable, Sendable {
    /// The check.
    public let check: String
    /// Why it may fail.
    public let reason: String
    /// Who answers for it.
    public let owner: String
    /// Until when, in milliseconds since 1970.
    public let expires: Int64

    /// Makes a waiver; it counts only with a reason and an owner.
    public init(_ check: String, reason: String, owner: String, expires: Int64) {
        (self.check, self.reason, self.owner, self.expires) = (check, reason, owner, expires)
    }

    /// Whether it still counts.
    public func isActive(at now: Int64) -> Bool { !reason.isEmpty && !owner.isEmpty && now < expires }
}
