/// A provider with test cards, each with what becomes of a payment with it.
public protocol TestCardProvider: SimulatedProvider {
    /// The cards by number, each with the code of its decline or `00` for one that is approved.
    var cards: [String: String] { get }
    /// Replaces the cards.
    func setCards(_ cards: [String: String])
}
