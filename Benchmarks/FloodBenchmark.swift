import Foundation
import PaymentBase
import PaymentTestPrograms
import PaymentTransport

/// What floods do to `payctl sandbox`: how long its control address takes under them, and the most memory that it had.
///
/// Each round asks the control address by a connection of its own while the providers' ports have nothing, 5,000 silent
/// connections, 5,000 that send a letter of a request from time to time, and 64 that send requests and take no answer.
enum FloodBenchmark {
    private static let providers = ["arise", "ecommpay", "memory"]
    private static let connections = 5_000
    private static let pushing = 64
    private static let roundsOfPushing = 200

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/payctl"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw NotHere(what: "no \(program): swift build -c release --product payctl")
        }
        let wanted = options.isShort ? 150 : connections
        guard LoopbackClient.mayOpen(wanted + 200) else {
            throw NotHere(what: "a process may not have \(wanted + 200) descriptors: ulimit -Hn")
        }
        let sandbox = try TestProgram(
            program, ["sandbox", "--provider", providers.joined(separator: ",")], errors: .nowhere)
        defer {
            sandbox.terminate()
            _ = sandbox.finish()
        }
        let line = try JSONReader().read(sandbox.readLine())
        guard let control = line["control"]?.string.flatMap({ Origin($0) }) else {
            throw NotHere(what: "the sandbox doesn't say where it is")
        }
        let ports = providers.compactMap { line["providers"]?[$0]?.string.flatMap { Origin($0)?.port } }
        var samples: [(name: String, times: [Double])] = []
        func measure(_ name: String, between body: () throws -> Void = {}) throws {
            var times: [Double] = []
            for _ in 0..<options.rounds {
                try body()
                times.append(try milliseconds(control.port))
            }
            samples.append((name, times))
        }
        try measure("quiet")
        let silent = try (0..<wanted).map { try LoopbackClient(port: ports[$0 % ports.count]) }
        try measure("\(wanted) silent connections")
        let letters = Array("POST /sale HTTP/1.1\r\nHost: a\r\nX: ".utf8)
        var sent = 0
        try measure("\(wanted) slow connections") {
            for client in silent { client.push([sent < letters.count ? letters[sent] : UInt8(ascii: "x")]) }
            sent += 1
        }
        for client in silent { client.close() }
        let eager = try (0..<pushing).map { try LoopbackClient(port: ports[$0 % ports.count]) }
        let requests = Array(
            String(repeating: "GET /none HTTP/1.1\r\nHost: a\r\n\r\n", count: 500).utf8)
        try measure("\(pushing) that take no answer") {
            for client in eager { for _ in 0..<roundsOfPushing where !client.push(requests) { break } }
        }
        for client in eager { client.close() }
        let most = try mebibytes(sandbox.processIdentifier)
        return samples.map { BenchmarkResult("control address, \($0.name)", unit: "ms", samples: $0.times) }
            + [BenchmarkResult("sandbox under floods, most memory", unit: "MiB", samples: [most])]
    }

    /// How long an answer of the control address takes, by a new connection.
    private static func milliseconds(_ port: Int) throws -> Double {
        let start = ContinuousClock().now
        let client = try LoopbackClient(port: port)
        defer { client.close() }
        client.push(Array("GET /clock HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        guard client.readToEnd().starts(with: Array("HTTP/1.1 200 ".utf8)) else {
            throw NotHere(what: "the control address gave no answer")
        }
        let (seconds, attoseconds) = (ContinuousClock().now - start).components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    private static func mebibytes(_ process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let figure = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
            throw NotHere(what: "the system counts no memory")
        }
        return figure / 1_024
    }
}
