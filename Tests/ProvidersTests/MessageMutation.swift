import PaymentBase
import PaymentModel
import PaymentTransport
import Testing

@testable import PaymentProviderKit

/// Cuts things out of messages and writes things into them.
struct MessageMutation {
    let words: [JSON]
    var random: SeededRandom

    init(seed: UInt64, words: [JSON]) {
        self.words = words + ["", "teleported", .null, 0, -1, 1, true, [], [:], "XXX", "EUR"]
        random = SeededRandom(seed: seed)
    }

    /// Judges changed and torn copies of a sample; reports each inspection, with what it was made of where it is JSON.
    mutating func judge(
        _ inspector: any Inspector, _ sample: String, rounds: Int, _ tell: (Inspection, JSON?, String) -> Void
    ) throws -> Int {
        let json = try JSONReader().read(Array(sample.utf8))
        var count = 0
        for _ in 0..<rounds {
            let mutated = mutate(json)
            for bytes in [mutated.bytes(), torn(mutated.bytes())] {
                count += 1
                let found = inspector.inspect(InspectedMessage(bytes))
                #expect(!found.isEmpty)
                for item in found { tell(item, try? JSONReader().read(bytes), String(decoding: bytes, as: UTF8.self)) }
            }
        }
        return count
    }

    private mutating func pick(_ count: Int) -> Int { Int(truncatingIfNeeded: random.next() >> 33) % max(1, count) }

    private mutating func word() -> JSON { words[pick(words.count)] }

    private mutating func mutate(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var changed = JSONObject()
            let (chosen, way) = (pick(object.members.count), pick(6))
            for (index, member) in object.members.enumerated() {
                switch index == chosen ? way : -1 {
                case 0: continue
                case 1: changed[member.key] = word()
                case 2: changed[member.key + "x"] = member.value
                case 3, 4, 5: changed[member.key] = mutate(member.value)
                default: changed[member.key] = member.value
                }
            }
            return .object(changed)
        case .array(let items):
            guard !items.isEmpty else { return word() }
            let chosen = pick(items.count)
            var changed: [JSON] = []
            for (index, item) in items.enumerated() { changed.append(index == chosen ? mutate(item) : item) }
            return .array(changed)
        case .null, .bool, .number, .string: return word()
        }
    }

    private mutating func torn(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var torn = bytes
        let position = pick(bytes.count)
        if pick(2) == 0 { return Array(bytes.prefix(position)) }
        torn[position] ^= UInt8(truncatingIfNeeded: random.next() & 0x0F) | 1
        return torn
    }
}

extension Inspector {
    /// The verdicts of a message, as `status/money`.
    func said(_ text: String, _ operation: PaymentOperation? = nil, status: Int? = nil) -> [String] {
        inspected(text, operation, status: status).map { "\($0.status.rawValue)/\($0.money.rawValue)" }
    }

    func inspected(
        _ text: String, _ operation: PaymentOperation? = nil, status: Int? = nil
    ) -> [Inspection] {
        var message = InspectedMessage(Array(text.utf8))
        (message.operation, message.httpStatus) = (operation, status)
        return inspect(message)
    }
}

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
