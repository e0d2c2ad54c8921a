import PaymentBase
import PaymentTransport

/// A line on which members of a provider's replies are changed, by the ends of the names that lead to them, such as
/// `captured.value`.
struct HostileLine: HTTPTransport {
    private let inner: any HTTPTransport
    private let names: [[String]]
    private let signing: @Sendable (JSON) -> JSON
    /// What becomes of such a member; nil while the provider is itself.
    let change = Locked<(@Sendable (JSON) -> JSON)?>(nil)

    /// Makes a line; `signing` signs a changed body as the provider would have.
    init(_ inner: any HTTPTransport, _ names: [String], signing: @escaping @Sendable (JSON) -> JSON = { $0 }) {
        (self.inner, self.signing) = (inner, signing)
        self.names = names.map { $0.split(separator: ".").map(String.init) }
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var reply = try await inner.send(request)
        guard let change = change.withLock({ $0 }), let body = try? JSONReader().read(reply.body) else { return reply }
        reply.body = signing(changed(body, [], change)).bytes()
        return reply
    }

    private func changed(_ json: JSON, _ path: [String], _ change: (JSON) -> JSON) -> JSON {
        switch json {
        case .object(let object):
            var copy = object
            for member in object.members {
                let path = path + [member.key]
                let isMeant = names.contains { path.suffix($0.count).elementsEqual($0) }
                copy[member.key] =
                    isMeant && member.value.object == nil
                    ? change(member.value) : changed(member.value, path, change)
            }
            return .object(copy)
        case .array(let items): return .array(items.map { changed($0, path, change) })
        case .string, .number, .bool, .null: return json
        }
    }
}
