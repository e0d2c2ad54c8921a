internal import PaymentAbstraction
internal import PaymentConformance

extension ConformanceProfile {
    /// What nobody can play where every card is tapped; why nothing is asked for, differs.
    mutating func takesTapsAlone(clarification: String) {
        let atOnce = "a tap is answered with its decision, or it is pending until somebody decides it"
        unsupportedOutcomes = [
            .wrongSecurityCode: "a card that is tapped has no security code to type",
            .decidedSoon: atOnce, .decidedLate: atOnce,
            .partial: "nothing on this wire asks for a partial approval",
            .challenge: "a card that is present is not challenged",
            .clarification: clarification,
        ]
    }

    /// What stays open of an operation under some faults, in so many cases of each.
    mutating func leavesOpen(_ operation: PaymentOperation, _ cases: Int, under faults: [String], _ reason: String) {
        for fault in faults { expectedOpenAttempts[.init(operation, fault)] = .init(cases, reason) }
    }

    /// What is different where a vendor's kit reads the card.
    mutating func kitReadsCards() {
        cardAfterMilliseconds = 550
        unsupportedOutcomes[.unreadableCard] =
            "the kit's document has no word for a card that can't be read; the reader's own screen asks again"
    }

    /// What is different where a vendor's kit has no word for what is busy behind it.
    mutating func kitKnowsNoBusy(_ what: String) {
        unsupportedOutcomes[.busyOnce] =
            "the kit's document has no word for a \(what) that is busy: it is unknown until it is looked up"
        faults.removeAll { $0.id == "status.429" }
    }
}

extension ConformanceHarness {
    /// The same with another value of a member.
    func with<Value>(_ member: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: member] = value
        return copy
    }
}
