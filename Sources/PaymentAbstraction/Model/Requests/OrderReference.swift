/// The application's reference for a payment, such as the number of an order, and which part of it is paid.
///
/// **A reference and its part pay once.** The whole and its parts exclude each other, and different parts do not:
///
/// ```swift
/// "1001"                                            // the whole order
/// OrderReference("1001", part: "1 of 2")            // a share of it
/// OrderReference("table 5", holdsFor: .seconds(1_200))  // a label that comes again
/// OrderReference.unreferenced                       // typed again is charged again
/// ```
public struct OrderReference: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The reference; nil if the payment has none.
    public let text: String?
    /// Which part of the reference is paid; empty for the whole.
    public let part: String
    /// For how long the payment keeps its reference after its last change; nil for ever.
    public let holdsFor: Duration?

    /// A reference, or a part of it.
    public init(_ text: String, part: String = "", holdsFor: Duration? = nil) {
        (self.text, self.part, self.holdsFor) = (text, part, holdsFor)
    }

    public init(stringLiteral value: String) { self.init(value) }

    private init() { (text, part, holdsFor) = (nil, "", nil) }

    /// No reference. The same request typed again charges again.
    public static let unreferenced = OrderReference()

    /// How long a part's name can be, in characters.
    public static let partCharactersMax = 64
}
