internal import PaymentBase

/// The company's paths and header fields.
enum HaloPath {
    static let readerToken = "/apple/proximity-token"
    static let submit = "/transactions/apple"
    static let transactions = "/transactions"
    static let devices = "/devices"
    static func pin(_ name: String) -> String { "/transactions/\(segment(name))/submitPinApple" }
    static func refund(_ name: String) -> String { "/transactions/\(segment(name))/refund" }
    static func transaction(_ name: String) -> String { "/transactions/\(segment(name))" }

    static let installation = "X-Device-Installation-Id"
    static let correlation = "X-Correlation-Id"
    static let location = "X-Location"
    static let officeKey = "x-api-key"

    /// What can't be one piece of a path becomes a piece that names nothing.
    private static func segment(_ text: String) -> String { PercentEncoding.pathSegment(text) ?? "-" }
}
