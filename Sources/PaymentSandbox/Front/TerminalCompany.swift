/// A company whose own terminal reads the cards.
public protocol TerminalCompany: SandboxCompany {
    /// Lays one of its cards in front of the terminal; the holder does what the card's name says.
    func present(_ card: TestCard)
}
