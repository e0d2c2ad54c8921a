import Foundation
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTransport
import PaymentURLSession

/// Three clients against the sandbox's server: requests per second and CPU time per request on either side.
///
/// The server is a process of its own, so `getrusage` of a process separates the two. All clients take turns within
/// each round; compare ratios rather than figures of different days.
enum TransportBenchmark {
    /// How long a request's body is, in bytes.
    private static let requestBytes = 1_500
    /// How many requests are under way at a time.
    private static let widths = [1, 64]

    /// One client with one kind of connection, so many requests at a time.
    private struct Case {
        let client: String
        let isSecure: Bool
        let width: Int
        let count: Int
        let send: (Int) throws -> Void

        var name: String { "\(client), \(isSecure ? "TLS" : "plain"), \(width) in flight" }
    }

    private struct Sample {
        var perSecond: [Double] = []
        var clientMicroseconds: [Double] = []
        var serverMicroseconds: [Double] = []
    }

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let server = try TransportServer.Child()
        let observer = CurlTransport()
        func usage() throws -> Int64 {
            let request = HTTPRequest("GET", server.plain, "/usage")
            let response = try Blocking.run { try await observer.send(request) }
            return try JSONReader().read(response.body).int64 ?? 0
        }
        let cases = try cases(server)
        var samples = [Sample](repeating: Sample(), count: cases.count)
        for one in cases { try one.send(one.width * 2) }
        for _ in 0..<options.rounds {
            for (index, one) in cases.enumerated() {
                let (serverBefore, before, clock) = (try usage(), CPUTime.microseconds, ContinuousClock())
                let start = clock.now
                try one.send(one.count)
                let (seconds, attoseconds) = (clock.now - start).components
                let (after, serverAfter) = (CPUTime.microseconds, try usage())
                let (wall, count) = (Double(seconds) + Double(attoseconds) / 1e18, Double(one.count))
                samples[index].perSecond.append(count / wall)
                samples[index].clientMicroseconds.append(Double(after - before) / count)
                samples[index].serverMicroseconds.append(Double(serverAfter - serverBefore) / count)
            }
        }
        try Blocking.run { await observer.close() }
        server.stop()
        return results(cases, samples)
    }

    private static func cases(_ server: TransportServer.Child) throws -> [Case] {
        let body = [UInt8](repeating: 0x61, count: requestBytes)
        var cases: [Case] = []
        for isSecure in [false, true] {
            let origin = isSecure ? server.secure : server.plain
            let request = HTTPRequest(
                "POST", origin, "/payments", headers: ["Content-Type": "application/json"], body: body)
            var configuration = CurlTransport.Configuration()
            configuration.connectionsPerHostMax = widths.max() ?? 1
            configuration.roots = .pem(server.certificate)
            let curl = CurlTransport(configuration)
            let blocking = try BlockingCurl(request, certificate: server.certificate)
            cases.append(
                Case(client: "libcurl, blocking", isSecure: isSecure, width: 1, count: 600) {
                    try blocking.send($0)
                })
            let many = widths.max() ?? 1
            let bare = try MultiCurl(many) { try BlockingCurl(request, certificate: server.certificate) }
            cases.append(
                Case(client: "libcurl, bare loop", isSecure: isSecure, width: many, count: 600 * min(many, 5)) {
                    try bare.send($0)
                })
            cases.append(
                Case(client: "CurlTransport's own thread", isSecure: isSecure, width: 1, count: 600) {
                    try send(request, curl, $0, 1, on: curl.executor)
                })
            for width in widths {
                cases.append(
                    Case(client: "CurlTransport", isSecure: isSecure, width: width, count: 600 * min(width, 5)) {
                        try send(request, curl, $0, width)
                    })
                // It takes no roots of trust of its own, so there is nothing to compare over TLS.
                if isSecure { continue }
                cases.append(
                    Case(client: "URLSessionTransport", isSecure: false, width: width, count: 128) {
                        try send(request, URLSessionTransport(), $0, width)
                    })
            }
        }
        return cases
    }

    /// Sends so many requests from as many tasks as may be under way at a time.
    private static func send(
        _ request: HTTPRequest, _ transport: any HTTPTransport, _ count: Int, _ width: Int,
        on executor: (any TaskExecutor)? = nil
    ) throws {
        try Blocking.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<width {
                    let share = count / width + (worker < count % width ? 1 : 0)
                    group.addTask(executorPreference: executor) {
                        for _ in 0..<share {
                            let response = try await transport.send(request)
                            guard response.status == 200 else { throw TransportServer.Child.Failure() }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func results(_ cases: [Case], _ samples: [Sample]) -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        for (one, sample) in zip(cases, samples) {
            results.append(BenchmarkResult("\(one.name): rate", unit: "requests/s", samples: sample.perSecond))
            results.append(BenchmarkResult("\(one.name): client", unit: "µs CPU", samples: sample.clientMicroseconds))
            results.append(BenchmarkResult("\(one.name): server", unit: "µs CPU", samples: sample.serverMicroseconds))
        }
        for (one, sample) in zip(cases, samples) where one.client == "CurlTransport" && one.width > 1 {
            let name = "sandbox on one core, \(one.isSecure ? "TLS" : "plain"), \(one.width) in flight"
            results.append(
                BenchmarkResult(name, unit: "requests/s", samples: sample.serverMicroseconds.map { 1_000_000 / $0 }))
        }
        func clientTime(_ name: String) -> [Double] {
            zip(cases, samples).first { $0.0.name == name }?.1.clientMicroseconds ?? []
        }
        for width in widths {
            results.append(
                .ratio(
                    "client CPU: URLSession / Curl, \(width) in flight",
                    clientTime("URLSessionTransport, plain, \(width) in flight"),
                    clientTime("CurlTransport, plain, \(width) in flight")))
        }
        for kind in ["plain", "TLS"] {
            for (client, name) in [("CurlTransport's own thread", "Curl's own thread"), ("CurlTransport", "Curl")] {
                results.append(
                    .ratio(
                        "client CPU: \(name) / blocking, \(kind), 1 in flight",
                        clientTime("\(client), \(kind), 1 in flight"),
                        clientTime("libcurl, blocking, \(kind), 1 in flight")))
            }
            let many = widths.max() ?? 1
            results.append(
                .ratio(
                    "client CPU: Curl / bare loop, \(kind), \(many) in flight",
                    clientTime("CurlTransport, \(kind), \(many) in flight"),
                    clientTime("libcurl, bare loop, \(kind), \(many) in flight")))
        }
        return results
    }
}
