internal import PaymentAbstraction

/// Our payments at one provider, with the names by which a statement knows them.
struct BookIndex: Sendable {
    /// An attempt with the payment that it belongs to.
    struct Place: Sendable {
        let payment: PaymentRecord
        let attempt: AttemptRecord
    }

    private(set) var payments: [PaymentRecord] = []
    private var byName: [String: [Place]] = [:]
    private var byAttempt: [String: Place] = [:]
    private var byReference: [String: [PaymentRecord]] = [:]

    /// Reads the journal: all that was taken at one account of a provider.
    init(_ client: PaymentClient, _ provider: ProviderIdentity) async throws {
        for try await payment in client.everyPayment() where payment.provider == provider { add(payment) }
    }

    private mutating func add(_ payment: PaymentRecord) {
        payments.append(payment)
        byReference[payment.reference, default: []].append(payment)
        for attempt in payment.attempts {
            let place = Place(payment: payment, attempt: attempt)
            byAttempt[attempt.intent.attempt.text] = place
            for name in attempt.facts.names where name.provider == payment.provider {
                byName[name.value, default: []].append(place)
            }
        }
    }

    /// What the provider calls so; what followed a payment often carries the payment's name beside its own.
    ///
    /// - Parameter isPayment: Whether the payment itself is meant rather than something that followed.
    func holder(_ names: [String], isPayment: Bool) -> Place? {
        let held = names.flatMap { byName[$0] ?? [] }
        return held.first { $0.attempt.intent.isOrigin == isPayment } ?? held.first
    }

    /// The attempt that a merchant's reference names, where it is our own id.
    func attempt(_ text: String?) -> Place? { text.flatMap { byAttempt[$0] } }

    /// The payments under a reference.
    func payments(under reference: String?) -> [PaymentRecord] { reference.flatMap { byReference[$0] } ?? [] }
}

extension AttemptRecord {
    /// Whether a statement about money should show it: it moved some, and was no rehearsal.
    var movedMoney: Bool {
        facts.hasMoved && !facts.isRehearsal && intent.amount.minorUnits > 0
            && ![.verify, .tokenize].contains(intent.operation)
    }

    /// Whether nobody knows what became of it, and the provider hasn't said that it is at it.
    var isInDoubt: Bool { isOpen && !isPending }
}
