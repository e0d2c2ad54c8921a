/// A fixture that decides which card its customer presents, or that the customer gives up.
///
/// No part of the neutral API brings that about: it happens in front of the reader.
package protocol CustomerFixture: ConformanceFixture {
    /// Lays a card with a number in front of what reads cards; nil takes it away. False where nothing here reads cards.
    func present(_ number: String?) -> Bool
    /// Lets the customer take the card away too early each time; false where the reader doesn't say so.
    func takeCardAwayEarly() -> Bool
    /// The customer cancels at the reader, the terminal or the screen of the vendor's SDK.
    func cancelAtReader() async
}
