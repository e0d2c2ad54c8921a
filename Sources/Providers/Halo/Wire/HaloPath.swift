internal import PaymentProviderKit

/// The provider's paths and header fields.
enum HaloPath {
    static let readerToken = "/apple/proximity-token"
    static let submit = "/transactions/apple"
    static let transactions = "/transactions"
    static let devices = "/devices"
    static func pin(_ name: String) -> String { "/transactions/\(name.pathPiece)/submitPinApple" }
    static func refund(_ name: String) -> String { "/transactions/\(name.pathPiece)/refund" }
    static func transaction(_ name: String) -> String { "/transactions/\(name.pathPiece)" }

    static let installation = "X-Device-Installation-Id"
    static let correlation = "X-Correlation-Id"
    static let location = "X-Location"
    static let officeKey = "x-api-key"
}
