import Foundation
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTestPrograms
import PaymentTransport

/// The simulated Adyen in a process of its own, whose shoppers take no time, with a wait between request and reply.
enum PeerServer {
    /// What the process is asked for, with the wait behind it in milliseconds.
    static let command = "peer-server"
    /// How many terminals each kind of client has.
    static let terminals = 64
    /// How many kinds there are: a journal of its own draws its own numbers, and a terminal takes a number once.
    private static let kinds = 4

    static func terminal(_ kind: Int, _ place: Int) -> String { "V400m-\(324_688_100 + kind * terminals + place)" }

    /// A clock that is put forward by each wait: what a provider waits for has happened then.
    private struct LeapingClock: PaymentClock {
        private let time = Locked(SystemClock().now)

        var now: Int64 { time.withLock { $0 } }

        func sleep(until instant: Int64) async throws {
            time.withLock { $0 = max($0, instant + AdyenSimulator.decisionMilliseconds) }
        }
    }

    private struct Service: SimulatorService {
        private let provider = AdyenSimulator(clock: LeapingClock(), crypto: OpenSSLCrypto())
        private let clock = SystemClock()
        let milliseconds: Int64

        init(_ milliseconds: Int64) {
            self.milliseconds = milliseconds
            for kind in 0..<kinds {
                for place in 0..<terminals { provider.setReachable(true, terminal(kind, place)) }
            }
        }

        func answer(_ request: HTTPRequest) async -> SimulatorResponse {
            let answer = await provider.answer(request)
            // A wait ends early only when the server stops.
            if milliseconds > 0 { try? await clock.sleep(until: clock.now + milliseconds) }
            return answer
        }
    }

    /// Serves until standard input ends; prints where as one line.
    static func run(_ milliseconds: Int64) throws {
        try Blocking.run {
            let server = try SimulatorServer()
            let origin = try await server.listen(Service(milliseconds))
            FileHandle.standardOutput.write(Data("\(origin)\n".utf8))
            _ = try FileHandle.standardInput.readToEnd()
            await server.stop()
        }
    }

    /// The server's process, as its clients see it.
    final class Child {
        let origin: Origin
        private let process: TestProgram

        init(_ milliseconds: Int64) throws {
            process = try TestProgram(
                URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, [command, "\(milliseconds)"])
            guard let origin = Origin(String(decoding: process.readLine(), as: UTF8.self)) else {
                throw NotHere(what: "the simulated provider did not start")
            }
            self.origin = origin
        }

        func stop() { _ = process.finish() }
    }
}
