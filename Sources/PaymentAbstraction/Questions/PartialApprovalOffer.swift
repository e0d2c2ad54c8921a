/// Less than asked for was approved: take it, or give it back?
public struct PartialApprovalOffer: Question {
    /// Whether it is taken.
    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(2 * 60)
    /// What was approved.
    public let approved: Money
    /// What was asked for.
    public let asked: Money
    /// Asks about an approval.
    public init(approved: Money, of asked: Money) { (self.approved, self.asked) = (approved, asked) }
}
