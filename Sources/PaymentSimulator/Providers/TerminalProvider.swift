/// A provider whose own terminal reads the cards.
public protocol TerminalProvider: SimulatedProvider {
    /// Lays one of its cards in front of the terminal; the holder does what the card's name says.
    func present(_ card: TestCard)
}
