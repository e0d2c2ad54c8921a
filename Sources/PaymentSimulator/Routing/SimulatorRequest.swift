public import PaymentBase
public import PaymentTransport

/// One request as a provider's handler sees it, taken apart.
public struct SimulatorRequest: Sendable {
    /// The request as it came.
    public let request: HTTPRequest
    /// When it came, by the provider's clock.
    public let now: Int64
    /// The body, where it is JSON.
    public let json: JSON?
    /// The fields of a form, in their order; empty where the body is none.
    public let form: [FormField]
    /// The fields of the query, in their order.
    public let query: [FormField]
    private let parameters: [String: String]

    init(
        _ request: HTTPRequest, now: Int64, json: JSON? = nil, form: [FormField] = [], query: [FormField] = [],
        parameters: [String: String] = [:]
    ) {
        (self.request, self.now, self.json, self.form) = (request, now, json, form)
        (self.query, self.parameters) = (query, parameters)
    }

    /// What stands in the path under a name of the pattern; empty where the pattern has no such name.
    public subscript(name: String) -> String { parameters[name] ?? "" }

    /// The first value of a field of the query.
    public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first value of a field of the form.
    public func form(_ name: String) -> String? { form.first { $0.name == name }?.value }

    /// The attempt that a harness says it belongs to: a label for the books where a provider's own wire names none.
    /// It must decide nothing; outside of a harness it is empty.
    public var attemptLabel: String { request.headers[Self.attemptHeader] ?? "" }
    /// The header that carries the label.
    public static let attemptHeader = "Sandbox-Attempt"

    /// The token after `Bearer` in the `Authorization` header.
    public var bearer: String? {
        guard let header = request.headers["Authorization"], header.hasPrefix("Bearer ") else { return nil }
        return String(header.dropFirst(7))
    }
}

extension SimulatorRequest {
    /// The furthest place in a list that is looked for.
    static let placesMax = 1_000_000_000

    /// The part of a list that a query asks for, from the place that a field names: twenty items unless it says another
    /// number up to a hundred.
    func part(from name: String) -> (start: Int, limit: Int) {
        func number(_ name: String, _ usual: Int, _ range: ClosedRange<Int>) -> Int {
            min(range.upperBound, max(range.lowerBound, query(name).flatMap { Int($0) } ?? usual))
        }
        return (number(name, 0, 0...Self.placesMax), number("limit", 20, 1...100))
    }
}
