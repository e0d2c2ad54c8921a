/// What a transport's error conforms to, so that the core can tell what is proven without knowing HTTP.
///
/// ```swift
/// struct PortClosed: DeliveryEvidence { let delivery = Delivery.notSent }
/// ```
public protocol DeliveryEvidence: Error {
    /// What the failure proves about the request.
    var delivery: Delivery { get }
}
