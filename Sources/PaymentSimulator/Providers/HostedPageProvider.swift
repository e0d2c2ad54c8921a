/// A provider that has pages where customers pay; the shop only leads there.
public protocol HostedPageProvider: SimulatedProvider {
    /// A customer opens a page and pays there with a card; false where the page takes no money.
    func visit(page address: String, card number: String) -> Bool
}
