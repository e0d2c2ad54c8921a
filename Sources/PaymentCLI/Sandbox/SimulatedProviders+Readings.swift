internal import PaymentSimulator

extension SimulatedProviders {
    /// Lets providers play other readings of their documents than the usual ones.
    func play(_ readings: [String]) throws(UsageError) {
        let playing = injectors.compactMap { $0.provider as? any VariantProvider }
        for name in readings where !playing.contains(where: { $0.play(name) }) {
            let known = playing.flatMap { type(of: $0).playable.map(\.id) }
            if SimulatorRegistry.unplayed.contains(name) {
                throw UsageError(message: "the reading \(name) is known and can't be played yet")
            }
            throw .unknown("reading", name, of: known)
        }
    }
}
