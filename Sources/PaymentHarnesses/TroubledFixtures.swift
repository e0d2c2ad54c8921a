internal import PaymentConformance
internal import PaymentModel
internal import PaymentSimulator

extension AdyenFixture: TroubledFixture {
    package func cutOff(_ isCutOff: Bool) -> Bool {
        backend.cutOff(isCutOff)
        return true
    }

    package func refuseFirstCard() -> Bool {
        backend.refuseFirstCard(at: terminal)
        return true
    }

    package func announceCaptures() { backend.announceCaptures() }
}

extension EcommpayFixture: TroubledFixture {
    package func refundByHand(_ payment: AttemptID, of minorUnits: Int64?, label: String) -> Bool {
        backend.refundByHand(payment.text, of: minorUnits, label: label)
    }

    package func sharingItsAccount() -> EcommpayFixture {
        var shared = self
        shared.isShared = true
        return shared
    }
}
