import Foundation
import PaymentBase
import PaymentTestPrograms
import PaymentTransport

/// What so many payments took and cost, in microseconds, and how often a thread gave its core away.
struct PeerCost {
    var time: Int64
    var cost: Int64
    var switches: Int64

    /// What the work costs this process.
    init(of body: () throws -> Void) rethrows {
        let (cost, switches, start) = (CPUTime.microseconds, CPUTime.switches, ContinuousClock().now)
        try body()
        time = (ContinuousClock().now - start).nanoseconds / 1_000
        (self.cost, self.switches) = (CPUTime.microseconds - cost, CPUTime.switches - switches)
    }

    /// Reads the line of another program.
    init(line: [UInt8]) throws {
        let said = try JSONReader().read(line)
        guard let time = said["time"]?.int64, let cost = said["cost"]?.int64, let switches = said["switches"]?.int64
        else { throw NotHere(what: "a program failed: \(String(decoding: line, as: UTF8.self))") }
        (self.time, self.cost, self.switches) = (time, cost, switches)
    }
}

/// Another program that makes the same payments, in a process that lives as long as the rounds.
final class PeerProgram {
    private let process: TestProgram

    /// Starts a program and gives it the message that is to be sent; nil where the program is not on this machine.
    init?(_ program: String?, _ arguments: [String], _ request: HTTPRequest) throws {
        guard let program, FileManager.default.isExecutableFile(atPath: program) else { return nil }
        process = try TestProgram(program, arguments, errors: .nowhere)
        var fields = request.headers.fields.map { JSON.string("\($0.name): \($0.value)") }
        fields.append("User-Agent: swift-payments")
        let work: JSON = [
            "url": .string("\(request.origin)\(request.target)"), "body": try JSONReader().read(request.body),
            "fields": .array(fields), "key": .string(request.headers["X-API-Key"] ?? ""),
        ]
        process.write(work.bytes() + [10])
        guard (try? pay(1, 1)) != nil else { return nil }
    }

    func pay(_ count: Int, _ width: Int) throws -> PeerCost {
        process.write(Array("\(count) \(width)\n".utf8))
        return try PeerCost(line: process.readLine())
    }

    func stop() { _ = process.finish() }
}
