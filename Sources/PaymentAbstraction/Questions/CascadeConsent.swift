/// The provider offers to try another way with the same card, which may show the customer another page.
public struct CascadeConsent: Question {
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(10 * 60)
    /// What the last try said.
    public let last: ProviderMessage?
    /// Asks for consent.
    public init(last: ProviderMessage? = nil) { self.last = last }
}
