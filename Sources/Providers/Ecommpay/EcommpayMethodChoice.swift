public import PaymentAbstraction
public import PaymentBase

/// A session is open and nothing is paid yet: what the customer wants to pay with.
///
/// An application that shows no choice gives no handler, and what the request names is charged.
public struct EcommpayMethodChoice: Question {
    public typealias Answer = PaymentSource
    public static let timeout: Duration = .seconds(25 * 60)
    public static func secrets(in answer: Answer) -> [Secret] { RetryPrompt.secrets(in: .retryWith(answer)) }
    /// What there is to choose from.
    public let offer: EcommpayMethodList
    private let forget: @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void

    init(
        _ offer: EcommpayMethodList, forget: @escaping @Sendable (SavedInstrument.ID) async throws(PaymentError) -> Void
    ) {
        (self.offer, self.forget) = (offer, forget)
    }

    /// Has the provider forget a saved instrument of the offer, because the customer wants that.
    public func remove(_ instrument: SavedInstrument.ID) async throws(PaymentError) { try await forget(instrument) }
}
