/// A simulated provider that can play other readings of its provider's documents than the usual ones.
public protocol VariantProvider: SimulatedProvider {
    /// Every place of the documents that can be read in more than one way, with all its readings.
    static var readings: [BehaviorVariant] { get }
    /// Plays a reading from now on; false for one that it doesn't know or can't play. A reset keeps it.
    func play(_ reading: String) -> Bool
}

extension SimulatorRegistry {
    /// Readings that are listed and that no simulated provider can play.
    public static let unplayed = Set(readings.filter { !$0.isPlayed }.map(\.id))

    /// The readings of all providers' documents.
    public static let readings =
        AdyenSimulator.readings + ARISESimulator.readings + EcommpaySimulator.readings + HaloSimulator.readings
        + NISimulator.readings
}

extension VariantProvider {
    /// The readings that are played when they are named.
    public static var playable: [BehaviorVariant] { readings.filter { $0.word != nil && !$0.isUsual } }
}
