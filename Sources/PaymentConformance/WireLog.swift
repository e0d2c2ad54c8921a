internal import PaymentBase
internal import PaymentTransport

/// The exchanges that reached the line to the provider, as names only: never a body, a query or a header.
public final class WireLog: Sendable {
    /// One exchange.
    public struct Exchange: Hashable, Sendable, CustomStringConvertible {
        /// Method and path, with whatever names one payment or attempt left out of neither.
        public let request: String
        /// What came back: a status, or why nothing did.
        public internal(set) var reply: String
        /// The names of the members of the reply, at all depths, where the log notes them.
        public internal(set) var members: [FieldPath] = []
        /// Whether a reply came back.
        var isAnswered = false
        /// How often it was made like this, one after the other.
        var times = 1

        public var description: String { "\(request) → \(told)" }

        /// What came back, and how often.
        var told: String { times == 1 ? reply : "\(reply), \(times) times" }
    }

    /// How many exchanges are remembered.
    public static let exchangesMax = 10_000

    /// The last exchanges; what was asked again and answered in the same way is once.
    func last(_ count: Int) -> [Exchange] {
        var kept: [Exchange] = []
        for exchange in exchanges {
            if let last = kept.last, (last.request, last.reply) == (exchange.request, exchange.reply) {
                kept[kept.count - 1].times += 1
            } else {
                kept.append(exchange)
            }
        }
        return Array(kept.suffix(count))
    }

    private let state = Locked([Exchange]())
    private let noting = Locked(false)

    /// Makes an empty log.
    public init() {}

    /// Every exchange so far.
    public var exchanges: [Exchange] { state.withLock { $0 } }
    /// How many there were.
    public var count: Int { state.withLock { $0.count } }

    /// Whether the members of replies are noted: every reply is read for that, and hardly any check asks.
    var notesMembers: Bool {
        get { noting.withLock { $0 } }
        set { noting.withLock { $0 = newValue } }
    }

    /// What writes everything that passes into this log.
    var interceptor: Interceptor {
        Interceptor { [self] (request, next) async throws(TransportFailure) in
            let index = state.withLock { exchanges in
                if exchanges.count < Self.exchangesMax {
                    exchanges.append(Exchange(request: "\(request.method) \(request.path)", reply: "no answer yet"))
                }
                return exchanges.count - 1
            }
            do throws(TransportFailure) {
                let reply = try await next(request)
                let said = notesMembers ? try? JSONReader().read(reply.body) : nil
                let members = said.map { FieldPath.all(in: $0) } ?? []
                state.withLock {
                    ($0[index].reply, $0[index].members) = ("\(reply.status), \(reply.body.count) bytes", members)
                    $0[index].isAnswered = true
                }
                return reply
            } catch {
                state.withLock { $0[index].reply = Self.words(error) }
                throw error
            }
        }
    }

    /// Why no reply came, without anything of the request.
    private static func words(_ failure: TransportFailure) -> String {
        switch failure {
        case .notSent(let reason): "not sent: \(reason.rawValue)"
        case .maybeSent(let reason): "maybe sent: \(reason.rawValue)"
        }
    }
}
