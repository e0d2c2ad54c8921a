import Foundation
import PaymentBase
import PaymentSimulator
import PaymentTestPrograms
import PaymentTransport

/// The sandbox's server in a process of its own, so that its work is not counted as the client's.
enum TransportServer {
    /// How long an answer is, in bytes.
    static let replyBytes = 1_400

    /// Answers at once; `/usage` says how much CPU time this process has used, in microseconds.
    private struct Service: SimulatorService {
        private let reply = HTTPResponse(
            200, headers: ["Content-Type": "application/json"], body: [UInt8](repeating: 0x20, count: replyBytes))

        func answer(_ request: HTTPRequest) async -> SimulatorResponse {
            if request.target == "/usage" { return .json(.number(JSONNumber(CPUTime.microseconds))) }
            return .reply(reply)
        }
    }

    /// Serves until standard input ends; prints where, and whom to trust, as one line of JSON.
    static func run() throws {
        try Blocking.run {
            let identity = try SimulatorCertificate()
            let servers = (try SimulatorServer(), try SimulatorServer(identity: identity))
            let origins = (try await servers.0.listen(Service()), try await servers.1.listen(Service()))
            let line: JSON = [
                "plain": .string("\(origins.0)"), "secure": .string("\(origins.1)"),
                "certificate": .string(identity.certificatePEM),
            ]
            FileHandle.standardOutput.write(Data(line.bytes() + [10]))
            _ = try FileHandle.standardInput.readToEnd()
            await servers.0.stop()
            await servers.1.stop()
        }
    }

    /// The server's process, as its client sees it.
    final class Child {
        let plain: Origin
        let secure: Origin
        let certificate: String
        private let process: TestProgram

        /// No line came, or it could not be read.
        struct Failure: Error {}

        init() throws {
            process = try TestProgram(
                URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, ["transport-server"])
            let line = try JSONReader().read(process.readLine())
            guard let plain = line["plain"]?.string.flatMap({ Origin($0) }),
                let secure = line["secure"]?.string.flatMap({ Origin($0) }),
                let certificate = line["certificate"]?.string
            else { throw Failure() }
            (self.plain, self.secure, self.certificate) = (plain, secure, certificate)
        }

        func stop() { _ = process.finish() }
    }
}
