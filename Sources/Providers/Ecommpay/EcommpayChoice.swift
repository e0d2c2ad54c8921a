public import PaymentAbstraction
public import PaymentBase

/// A session is open and nothing is paid yet: what the customer wants to pay with.
///
/// An application that shows no choice gives no handler, and what the request names is charged.
public struct EcommpayChoice: Question {
    public typealias Answer = PaymentSource
    public static let millisecondsMax: Int64 = 25 * 60_000
    public static func secrets(in answer: Answer) -> [Secret] { TryAgain.secrets(in: .with(answer)) }
    /// What there is to choose from.
    public let offer: EcommpayOffer

    init(_ offer: EcommpayOffer) { self.offer = offer }
}
