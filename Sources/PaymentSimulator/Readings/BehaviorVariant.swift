/// One way in which the documents of a provider can be read, where they allow more than one.
///
/// A place of the documents has several readings, of which a simulated provider plays one unless another is named. None
/// of them is known to be the provider's own; the adapter has to be right about the money under each.
public struct BehaviorVariant: Hashable, Sendable, Identifiable {
    /// What the adapter's author wants to see under it.
    public enum Expectation: Hashable, Sendable {
        /// Everything works, or is told as it is.
        case works
        /// It stops with an error that names a setting, of ours or of the provider's.
        case stops(String)
        /// The same; where even the refusal that says so is lost, an attempt may stay open.
        case stopsOrOpen(String)
        /// It can't be known: an attempt may stay open until somebody decides.
        case unknown
    }

    /// The place with the reading, such as `adyen.tip.asked-on-terminal` or `halo.acknowledge/3`; stable.
    public let id: String
    /// The place in the documents, such as `adyen.tip`.
    public let place: String
    /// What the provider does under it.
    public let summary: String
    /// Whether it is the one that is played when none is named.
    public let isUsual: Bool
    /// What is expected of an adapter; nil for a reading that the simulated provider can't play.
    public private(set) var word: Expectation?

    /// Whether the simulated provider can play it.
    public var isPlayed: Bool { isUsual || word != nil }

    /// The same, of which an adapter's author expects something else over another link.
    public func expecting(_ word: Expectation) -> BehaviorVariant {
        var copy = self
        copy.word = word
        return copy
    }

    init(place: String, _ name: String, _ summary: String, isUsual: Bool, _ word: Expectation?) {
        (self.place, self.summary, self.isUsual, self.word) = (place, summary, isUsual, word)
        // Where the readings of a place are numbered, the number stands behind a stroke.
        id = name.count == 1 && name.first?.isNumber == true ? "\(place)/\(name)" : "\(place).\(name)"
    }
}
