import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTransport

/// A provider that says back what it was told: every reply carries a text in one of its fields.
final class EchoTransport: HTTPTransport, CustomReflectable, CustomStringConvertible {
    /// Where the text is put.
    enum Field: String, CaseIterable, Sendable {
        case code, message, id, movement, authorization, brand, entry, saved, event
        /// The state itself, which then is in no table.
        case state
        /// The codes and the messages of refusals.
        case refusedCode, refusedMessage
    }

    private struct State {
        /// The provider's own token for the one that was given out.
        var tokens: [String: String] = [:]
        var isEchoing = true
    }

    private let line: any HTTPTransport
    private let field: Field
    private let text: String
    private let state = Locked(State())

    init(_ line: any HTTPTransport, _ field: Field, _ text: String) {
        (self.line, self.field, self.text) = (line, field, text)
    }

    var description: String { "a line" }
    var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }

    /// Tells the provider to stop saying things back.
    func stop() { state.withLock { $0.isEchoing = false } }

    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var request = request
        let given = request.headers["Authorization"] ?? ""
        if let own = state.withLock({ $0.tokens[given] }) { request.headers["Authorization"] = own }
        var response = try await line.send(request)
        guard let body = try? JSONReader().read(response.body), let object = body.object else { return response }
        if request.target == "/token" {
            guard let token = object["token"]?.string else { return response }
            state.withLock { $0.tokens["Bearer \(Planted.access)"] = "Bearer \(token)" }
            response.body = JSON.object(Self.with(object, "token", Planted.access)).bytes()
        } else if request.target == "/reader/token" {
            response.body = JSON.object(Self.with(object, "token", Planted.readerToken)).bytes()
        } else if state.withLock({ $0.isEchoing }) {
            if field == .refusedCode || field == .refusedMessage { response.status = 400 }
            response.body = echo(body)
        }
        return response
    }

    private static func with(_ object: JSONObject, _ name: String, _ value: String) -> JSONObject {
        var copy = object
        copy[name] = .string(value)
        return copy
    }

    /// The same reply with the text in its field.
    func echo(_ body: JSON) -> [UInt8] {
        guard var object = body.object else { return body.bytes() }
        switch field {
        case .code, .message, .id, .movement, .authorization, .saved, .event, .state:
            object[field.rawValue] = .string(text)
        case .brand, .entry:
            var card = object["card"]?.object ?? [:]
            card[field.rawValue] = .string(text)
            object["card"] = .object(card)
        case .refusedCode: object["error"] = ["code": .string(text), "message": "no"]
        case .refusedMessage: object["error"] = ["code": "cardData", "message": .string(text)]
        }
        return JSON.object(object).bytes()
    }
}
