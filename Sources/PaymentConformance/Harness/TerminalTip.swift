/// A fixture whose provider has a terminal that can ask the customer for a tip.
///
/// No part of the neutral API brings that about: a terminal is set up for it at the provider.
package protocol TerminalTipFixture: ConformanceFixture {
    /// Sets the terminal up to ask for a tip, which the customer gives; false where this fixture has no such terminal.
    func askForTipAtTerminal() -> Bool
}
