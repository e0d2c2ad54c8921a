import AdyenProvider
import Foundation
import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentModel
import PaymentPostgres
import PaymentProviderKit
import PaymentSQLite
import PaymentTestPostgres
import PaymentTransport

/// One card payment at Adyen's cloud, made by programs that a user would take instead and by ours: what it costs the
/// client's process, against one simulated provider in a process of its own that answers at once or after some time.
///
/// All clients send the same message over loopback HTTP, and take turns within each round. Only ours keep a journal.
enum PeerBenchmark {
    /// How long the provider waits between request and reply, in milliseconds.
    private static let waits: [Int64] = [0, 8]
    /// How many payments are under way at a time.
    private static let widths = [1, 64]
    /// How many rounds one provider can serve, by the number of payments that it keeps.
    private static let roundsMax = 20

    /// One kind of client at one provider, and so many payments under way.
    private struct Case {
        let client: String
        let wait: Int64
        let width: Int
        /// Makes so many payments; nil where the program isn't on this machine.
        let pay: ((Int) throws -> PeerCost)?
        var samples: [(time: Double, cost: Double, switches: Double)] = []

        var name: String { "\(client), \(wait) ms, \(width) under way" }
        var count: Int { width > 1 ? 5 * width : wait > 0 ? 50 : 200 }
    }

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let load = try String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ")
        let before = load.first.flatMap { Double($0) } ?? 0
        var (cases, ends) = ([Case](), [() -> Void]())
        defer { for end in ends { end() } }
        for wait in waits {
            let server = try PeerServer.Child(wait)
            ends.append(server.stop)
            // Two providers give the same names to different payments: each has journals of its own.
            let tills = try OurTills()
            ends.append(tills.close)
            let (more, programs) = try Self.cases(wait, server.origin, tills)
            cases += more.filter { options.only.map($0.name.contains) ?? true }
            ends += programs.map { $0.stop }
        }
        for one in cases { _ = try one.pay?(2 * one.width) }
        for _ in 0..<min(options.rounds, roundsMax) {
            for place in cases.indices {
                let count = options.isShort ? cases[place].width : cases[place].count
                guard let cost = try cases[place].pay?(count) else { continue }
                let each = Double(count)
                cases[place].samples.append(
                    (Double(cost.time) / each, Double(cost.cost) / each, Double(cost.switches) / each))
            }
        }
        return [BenchmarkResult("peers, load before", unit: "over a minute", samples: [before])] + results(cases)
    }

    private static func cases(
        _ wait: Int64, _ origin: Origin, _ tills: OurTills
    ) throws -> ([Case], [PeerProgram]) {
        let request = try tills.request(origin)
        var programs: [PeerProgram] = []
        func add(_ program: String?, _ arguments: [String]) throws -> PeerProgram? {
            let started = try PeerProgram(program, arguments, request)
            if let started { programs.append(started) }
            return started
        }
        let python = ProcessInfo.processInfo.environment["PAYMENTS_PEERS_PYTHON"]
        let php = try add("/usr/bin/php", ["Benchmarks/peers/loop.php"])
        let urllib = try add(python, ["Benchmarks/peers/loop.py", "urllib"])
        let requests = try add(python, ["Benchmarks/peers/loop.py", "requests"])
        let next = { tills.numbers.next() }
        let place = try tills.place(of: request)
        let bare = try BlockingCurl(request, numbered: (place, next))
        let many = try MultiCurl(PeerServer.terminals) { try BlockingCurl(request, numbered: (place, next)) }
        var cases: [Case] = []
        for width in widths {
            func add(_ client: String, _ pay: ((Int) throws -> PeerCost)?) {
                cases.append(Case(client: client, wait: wait, width: width, pay: pay))
            }
            add("bare libcurl") { count in
                try PeerCost { if width == 1 { try bare.send(count) } else { try many.send(count) } }
            }
            if width == 1 { add("PHP loop", php.map { php in { try php.pay($0, 1) } }) }
            add("Adyen's Python, urllib", urllib.map { urllib in { try urllib.pay($0, width) } })
            add("Adyen's Python, requests", requests.map { requests in { try requests.pay($0, width) } })
            for (kind, journal) in tills.journals.enumerated() {
                let clients = try tills.clients(kind, origin, width)
                add("ours, \(journal.name)", clients.map { clients in { try tills.pay($0, clients) } })
            }
        }
        return (cases, programs)
    }

    private static func results(_ cases: [Case]) -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        for one in cases {
            results += [
                BenchmarkResult("\(one.name): CPU", unit: "µs", samples: one.samples.map(\.cost)),
                BenchmarkResult("\(one.name): time", unit: "µs", samples: one.samples.map(\.time)),
                BenchmarkResult("\(one.name): thread switches", unit: "switches", samples: one.samples.map(\.switches)),
            ]
        }
        for one in cases where one.client.hasPrefix("ours") {
            for other in cases where other.wait == one.wait && other.width == one.width {
                if other.client.hasPrefix("ours") || other.client.hasSuffix("requests") { continue }
                let name = "\(one.name): CPU to \(other.client)"
                results.append(.ratio(name, one.samples.map(\.cost), other.samples.map(\.cost)))
            }
        }
        return results
    }
}

/// Our clients, one for each terminal, over one transport and a journal of each kind.
private final class OurTills: Sendable {
    let numbers = JournalWork.Numbers()
    /// Nil where a journal can't be had on this machine.
    let journals: [(name: String, journal: (any Journal)?)]
    private let sqlite: SQLiteJournal
    private let far: PostgresJournal?
    private let transport: CurlTransport
    private let postgres: PostgresServer?
    private let folder = NSTemporaryDirectory() + "payments-peers-" + UUID().uuidString
    private let amount = Money(minorUnits: 2_550, .eur)

    init() throws {
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHostMax = PeerServer.terminals
        transport = CurlTransport(configuration)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let postgres = PostgresServer.programs == nil ? nil : try PostgresServer([])
        self.postgres = postgres
        let path = folder + "/peers.sqlite"
        sqlite = try Blocking.run { try await SQLiteJournal.open(path: path, processes: SingleProcess("benchmark")) }
        far = try postgres.map { server in
            try Blocking.run {
                var place = PostgresJournal.Options(connection: Secret(server.connection()))
                place.durability = .local
                try await PostgresJournal.prepare(place)
                return try await PostgresJournal.open(place)
            }
        }
        journals = [
            ("memory", InMemoryJournal(processes: SingleProcess("benchmark"))), ("SQLite", sqlite), ("PostgreSQL", far),
        ]
    }

    func close() {
        try? Blocking.run { [sqlite, far, transport] in
            await sqlite.close()
            await far?.close()
            await transport.close()
        }
        postgres?.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// So many clients over a journal; nil where there is no such journal.
    func clients(_ kind: Int, _ origin: Origin, _ count: Int) throws -> [PaymentClient]? {
        guard let journal = journals[kind].journal else { return nil }
        return try (0..<count).map { place in
            try client(journal, PeerServer.terminal(kind, place), origin, transport)
        }
    }

    private func client(
        _ journal: any Journal, _ terminal: String, _ origin: Origin, _ transport: any HTTPTransport
    ) throws -> PaymentClient {
        let configuration = AdyenConfiguration(
            endpoint: origin, checkout: WebURL(origin, "/v72"), merchant: "TestMerchant",
            apiKey: Secret("adyen-sandbox-api-key"), terminal: terminal)
        return try PaymentClient(
            try configuration.driver(transport, OpenSSLCrypto()), ClientOptions(journal: journal))
    }

    /// Makes so many payments, each client one after the other.
    func pay(_ count: Int, _ clients: [PaymentClient]) throws -> PeerCost {
        try PeerCost {
            try Blocking.run { [self] in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for client in clients {
                        group.addTask { [self] in
                            for _ in 0..<(count / clients.count) { try await pay(client) }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    private func pay(_ client: PaymentClient) async throws {
        let sale = try await client.sale(SaleRequest(amount, from: .reader, reference: "order-\(numbers.next())"))
        guard case .approved(let payment) = sale, payment.amounts.captured == amount else {
            throw JournalWork.Missing()
        }
    }

    // MARK: What the others send

    /// What our client sends.
    func request(_ origin: Origin) throws -> HTTPRequest {
        let sent = Locked(HTTPRequest?.none)
        let door = Door(inner: transport, sent: sent)
        let client = try client(
            InMemoryJournal(), PeerServer.terminal(journals.count, 0), origin, door)
        try Blocking.run { [self] in try await pay(client) }
        guard let request = sent.withLock({ $0 }) else { throw JournalWork.Missing() }
        return request
    }

    /// Where the number of a message is in its bytes.
    func place(of request: HTTPRequest) throws -> Range<Int> {
        let header = try JSONReader().read(request.body)["SaleToPOIRequest"]?["MessageHeader"]
        guard let name = header?["ServiceID"]?.string, let place = request.body.firstRange(of: Array(name.utf8)) else {
            throw JournalWork.Missing()
        }
        return place
    }

    /// A transport that keeps what it is given.
    private struct Door: HTTPTransport {
        let inner: CurlTransport
        let sent: Locked<HTTPRequest?>

        var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            sent.withLock { $0 = request }
            return try await inner.send(request)
        }
    }
}
