public import PaymentBase

/// Fields about the customer that the provider collects.
public struct CustomerFields: Question {
    public typealias Answer = [String: PersonalData]
    public static let timeout: Duration = .seconds(30 * 60)
    public static func secrets(in answer: Answer) -> [Secret] { answer.values.map { Secret($0.value) } }
    /// What is asked for.
    public let fields: [RequestedField]
    /// Asks for fields.
    public init(_ fields: [RequestedField]) { self.fields = fields }
}
