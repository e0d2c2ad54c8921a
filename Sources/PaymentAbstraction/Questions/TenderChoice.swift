/// Debit or credit, or any tender of a quote: the customer chooses after seeing the prices.
public struct TenderChoice: Question {
    public typealias Answer = Tender
    public static let timeout: Duration = .seconds(2 * 60)
    /// What each tender costs.
    public let tenders: [Tender: Money]
    /// Asks for a choice.
    public init(_ tenders: [Tender: Money]) { self.tenders = tenders }
}
