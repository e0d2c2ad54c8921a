internal import PaymentBase
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentLinux
internal import PaymentModel
internal import PaymentService
internal import PaymentSystem

extension Command {
    /// The operations of the API as tools for agents.
    static let mcp = Command(
        name: "mcp",
        summary: "offers the API's operations to an agent over standard input and output, until the input ends",
        example: "payctl mcp",
        takes: .configured(with: [
            .flag("allow-money", "also offers what moves money or changes something; without it an agent only reads"),
            .value("scope", "NAME", "the shop of `payctl serve`, or the scope, whose payments the agent reaches"),
        ])
    ) { call in
        let desk = QuestionDesk()
        let scope = call.given["scope"] ?? ""
        return try await CommandSession.use(call, asking: { desk.handle(&$0) }, scope: scope) { till in
            try await AgentRun(call, desk).play(till)
        }
    }
}

/// One run of `payctl mcp`: a message a line on standard input, an answer a line on standard output. A call that waits holds
/// up no other message, so that answers come in the order in which they are ready.
struct AgentRun: Sendable {
    private static let localShop = "local"
    /// How long attempts may run after the end of the input.
    private static let drain: Duration = .seconds(30)

    /// How many messages are worked on at once; more wait in the input.
    private static let atOnceMax = 16

    /// How many of the newest payments are looked at for those of shops.
    private static let newestMax = 1_000

    private let call: Invocation
    private let desk: QuestionDesk
    private let allowsMoney: Bool

    init(_ call: Invocation, _ desk: QuestionDesk) {
        (self.call, self.desk, allowsMoney) = (call, desk, call.given.has("allow-money"))
    }

    func play(_ till: CommandSession) async throws -> ExitStatus {
        try await checkScope(till)
        let shop = KeyFile.isShop(till.scope) ? till.scope : Self.localShop
        let text = ServiceKey.draw(shop: shop, random: SystemRandom())
        var key = try ServiceKey(
            text, name: "agent", shop: shop, role: allowsMoney ? .office : .viewer, crypto: OpenSSLCrypto())
        key.operations = AgentTools.operations(allowsMoney: allowsMoney)
        let shops = [ServiceShop(shop, scope: till.scope, client: till.client)]
        var options = ServiceOptions(shops: shops, keys: [key], crypto: OpenSSLCrypto())
        (options.version, options.desk) = (PaymentsVersion.text, desk)
        let service = PaymentService(options)
        let tools = AgentTools(service, key: text, allowsMoney: allowsMoney, scope: till.scope)
        let lines = InputLines(bytesMax: AgentTools.messageBytesMax)
        let writing = Locked(())
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            while call.console.isOutputWritten, let line = await lines.next() {
                if line.isEmpty { continue }
                if count == Self.atOnceMax { await group.next() } else { count += 1 }
                group.addTask { [console = call.console] in
                    guard let answer = await tools.answer(to: line) else { return }
                    writing.withLock { _ in console.out(answer.line) }
                }
            }
        }
        service.beginStop()
        let isDone = await service.drain(within: Self.drain)
        if !isDone { call.note("mcp: ended with open attempts; payctl recover looks them up") }
        return .fine
    }

    /// Refuses a journal of several shops where none is named: an agent would take an empty list for the truth, and charge an order
    /// again that a shop has charged.
    private func checkScope(_ till: CommandSession) async throws {
        if call.given.has("scope") { return }
        let newest = try await till.journal.attempts(.origins(scope: nil), after: nil, limit: Self.newestMax)
        guard newest.attempts.contains(where: { $0.intent.scope != till.scope }) else { return }
        throw UsageError(
            message: "this journal has payments of the scopes \(newest.attempts.scopeNames), and an agent reaches "
                + "those of one: say which with --scope NAME; the default one is --scope \"\"")
    }
}

/// The lines of standard input, one after another as they come.
final class InputLines: Sendable {
    private let reader: Locked<Reader>

    /// Cuts a line that is longer than `bytesMax` bytes at one byte more, so that its reader sees that it is too long.
    init(bytesMax: Int) { reader = Locked(Reader(bytesMax: bytesMax)) }

    /// The next line without its end; nil at the end of the input. It is waited for on a thread of its own, so that what runs
    /// beside it runs on.
    func next() async -> [UInt8]? {
        let promise = Promise<[UInt8]?>()
        let isStarted = DedicatedThread.start { [reader] in
            promise.fulfill(reader.withLock { reader in reader.next() })
        }
        return isStarted ? await promise.value() : nil
    }

    private struct Reader {
        let bytesMax: Int
        var rest: [UInt8] = []
        var isEnded = false

        mutating func next() -> [UInt8]? {
            var line: [UInt8] = []
            while true {
                let end = rest.firstIndex(of: 10)
                line += rest[..<(end ?? rest.endIndex)].prefix(bytesMax + 1 - line.count)
                rest.removeFirst(end.map { $0 + 1 } ?? rest.count)
                if end != nil { return line }
                if isEnded { return line.isEmpty ? nil : line }
                var part = [UInt8](repeating: 0, count: 65_536)
                let count = unsafe part.withUnsafeMutableBytes { buffer in
                    unsafe PaymentSystem.read(0, buffer.baseAddress, buffer.count)
                }
                if count < 0, errno == EINTR { continue }
                if count > 0 { rest = Array(part.prefix(count)) } else { isEnded = true }
            }
        }
    }
}
