internal import PaymentBase

/// What goes wrong between a terminal, its customer and the issuers, and what the provider does on its own.
extension AdyenSimulator {
    /// Cuts every terminal off from the issuers: it approves on its own. When it reaches them again, they decide.
    package func cutOff(_ isCutOff: Bool) {
        looking { state in
            state.isCutOff = isCutOff
            if !isCutOff { Self.forward(&state, from: Self.terminal, at: clock.now) }
        }
    }

    /// Sends on what was taken while there was no network; the kit does it on its own. The amount says what the issuer says.
    static func forward(_ state: inout State, from name: String, at now: Int64) {
        for psp in state.stored {
            guard var payment = state.payments[psp] else { continue }
            let units = payment.amounts.held + payment.amounts.captured
            // What was voided before it was forwarded is not sent on.
            if units == 0 { continue }
            let isRefused = AdyenTestAmount(units)?.refusal != nil && payment.amounts.refunded == 0
            if isRefused {
                state.uncaptured.removeAll { $0 == psp }
                payment.amounts.void(.init("offlineRefused", by: payment.reference, at: now), &state.ledger)
                state.payments.keep(payment)
            }
            announce(
                Item(
                    "AUTHORISATION", psp: psp, reference: payment.reference, units: units,
                    currency: payment.currency, succeeds: !isRefused, reason: isRefused ? "Refused" : "", at: now),
                ["tenderReference": .string(tender(psp)), "terminalId": .string(name)], &state)
        }
        state.stored = []
    }

    /// How long a customer whose card was refused takes to present another one, in milliseconds.
    private static let anotherMilliseconds: Int64 = 15_000

    /// Lets the issuer refuse the next card at a terminal; its holder presents another one, and the call continues.
    package func refuseFirstCard(at terminal: String) {
        looking { $0.terminals[terminal, default: Terminal()].refusesFirst = true }
    }

    /// Whether the card in the terminal is refused, and its holder takes another one.
    static func takesAnother(_ poiID: String, _ work: Work, _ state: inout State, _ now: Int64) -> Bool {
        guard state.terminals[poiID]?.refusesFirst == true, !state.isCutOff, let asked = Asked(work.request),
            let card = state.terminals[poiID]?.card, card.comesAfterMilliseconds <= cardMilliseconds
        else { return false }
        _ = declined("Refusal", "message=DECLINED", work, card, asked, &state, now)
        state.terminals[poiID]?.refusesFirst = false
        state.terminals[poiID]?.work?.cardAt = nil
        state.terminals[poiID]?.cardSince = now + anotherMilliseconds
        return true
    }

    /// Says of every sale that stands whole that it was captured, each under a name of its own.
    package func announceCaptures() {
        looking { state in
            for psp in state.uncaptured where !state.stored.contains(psp) {
                guard let payment = state.payments[psp], payment.amounts.captured > 0, payment.amounts.refunded == 0
                else { continue }
                Self.announce(
                    Item(
                        "CAPTURE", psp: state.reference(), original: psp, reference: payment.reference,
                        units: payment.amounts.captured, currency: payment.currency, at: clock.now), [:], &state)
            }
            state.uncaptured = state.stored
        }
    }
}
