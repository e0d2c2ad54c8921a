extension AdyenSimulator: TerminalProvider {
    /// What can lie in front of the terminal; their numbers never leave it.
    static let terminalCards = [
        TestCard("mastercard", "", "approved"),
        TestCard("maestro", "", "approved; refunds to it are answered at once"),
        TestCard("right-pin", "", "approved after the right PIN"),
        TestCard("wrong-pin", "", "declined: the PIN is wrong"),
        TestCard("pin-cancelled", "", "cancelled by the holder when asked for the PIN"),
    ]

    public func present(_ card: TestCard) {
        var laid = Card()
        switch card.name {
        case "maestro": laid.brand = "maestro"
        case "right-pin": laid.pin = .right
        case "wrong-pin": laid.pin = .wrong
        case "pin-cancelled": laid.pin = .cancelled
        default: break
        }
        present(Optional(laid))
    }
}
