package import PaymentConformance
package import PaymentSimulator

/// A fixture with a simulated reader in front of it, whether it is the till's or belongs to the vendor's SDK.
package protocol TappingFixture: CustomerFixture {
    /// What the customer taps on.
    var simulated: SimulatedReader { get }
}

extension TappingFixture {
    package func present(_ number: String?) -> Bool {
        simulated.present(number.map { SimulatedReader.Card(number: $0) })
        return true
    }

    package func takeCardAwayEarly() -> Bool {
        var card = SimulatedReader.Card()
        (card.earlyRemovals, card.fieldMilliseconds) = (.max, SimulatedOutcome.fieldMilliseconds)
        simulated.present(card)
        return true
    }

    package func cancelAtReader() async { _ = try? await simulated.cancel() }
}

extension ARISEFixture: TappingFixture {}
extension HaloFixture: TappingFixture {}
extension MemoryFixture: TappingFixture {}
extension NIFixture: TappingFixture {}

extension AdyenFixture: CustomerFixture {
    package func present(_ number: String?) -> Bool {
        guard let number else {
            backend.present(nil, at: terminal)
            return true
        }
        var card = AdyenSimulator.Card()
        if number.first == "4" { (card.brand, card.maskedNumber) = ("visa", "411111 **** 1111") }
        backend.present(card, at: terminal)
        return true
    }

    /// A terminal asks for the card again on its own screen.
    package func takeCardAwayEarly() -> Bool { false }

    package func cancelAtReader() async { backend.cancelAtTerminal(terminal) }
}

extension EcommpayFixture: CustomerFixture {
    /// The card that the customer types on a page.
    package func present(_ number: String?) -> Bool {
        if let number { hand.withLock { $0 = number } }
        return true
    }

    package func takeCardAwayEarly() -> Bool { false }

    package func cancelAtReader() async {}
}
