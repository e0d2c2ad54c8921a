/// Terms that a person who may act for the merchant has to accept.
public struct TermsAcceptance: Question {
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(10 * 60)
    /// Which terms, in words.
    public let title: String
    /// Asks about terms.
    public init(_ title: String) { self.title = title }
}
