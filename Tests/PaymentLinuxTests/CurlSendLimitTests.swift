import Dispatch
import Glibc
import PaymentBase
import PaymentLinux
import PaymentTestServers
import PaymentTransport
import Testing

/// Bytes of a payment leave within the time that the transport declares, or not at all.
@Suite struct CurlSendLimitTests {
    private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// A clock that is set by hand.
    private final class Settable: PaymentClock {
        let time = Locked(Int64(1_000))
        var now: Int64 { time.withLock { $0 } }
        func sleep(until instant: Int64) async throws {}
    }

    private func charge(_ server: TestServer, bytes: Int = 8) -> HTTPRequest {
        HTTPRequest(
            "POST", Origin(.http, "127.0.0.1", server.port), "/charge", body: [UInt8](repeating: 97, count: bytes))
    }

    /// Sends a request so long after it was opened.
    private func send(
        _ request: HTTPRequest, after milliseconds: Int64, _ configuration: CurlTransport.Configuration = .init()
    ) async -> Result<Int, TransportFailure> {
        let clock = Settable()
        let opened = RequestTimer(clock)
        clock.time.withLock { $0 += milliseconds }
        let transport = CurlTransport(configuration)
        let result: Result<Int, TransportFailure>
        do {
            let status = try await RequestTimer.$current.withValue(opened) { try await transport.send(request).status }
            result = .success(status)
        } catch { result = .failure(error as? TransportFailure ?? .maybeSent(.other)) }
        await transport.close()
        return result
    }

    @Test func whatWasOpenedTooLongAgoNeverLeaves() async throws {
        let server = try TestServer { _ in Self.fine }
        defer { server.stop() }
        let limit = CurlTransport.Configuration().beginMilliseconds
        #expect(await send(charge(server), after: limit + 1) == .failure(.notSent(.tooLate)))
        #expect(server.requests.withLock { $0.isEmpty } && server.connectionCount.withLock { $0 } == 1)
        #expect(await send(charge(server), after: limit) == .success(200))
        #expect(server.requests.withLock { $0.count } == 1)
    }

    @Test func aClockThatWentBackSendsNothing() async throws {
        let server = try TestServer { _ in Self.fine }
        defer { server.stop() }
        #expect(await send(charge(server), after: -1) == .failure(.notSent(.tooLate)))
        #expect(server.requests.withLock { $0.isEmpty })
    }

    @Test func whoReadsNothingEndsTheWrite() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let server = try TestServer { (_: TestConnection) in isOver.wait() }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.writeMilliseconds = 50
        let result = await send(charge(server, bytes: 64 * 1_024 * 1_024), after: 0, configuration)
        isOver.signal()
        #expect(result == .failure(.maybeSent(.stalled)))
    }

    /// Writing has a limit, waiting for the answer another one.
    @Test func whatIsWrittenMayBeAnsweredLater() async throws {
        let isLater = DispatchSemaphore(value: 0)
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            isLater.wait()
            try connection.write(Self.fine)
        }
        let silent = try TestServer { $0.readToEnd() }
        defer {
            server.stop()
            silent.stop()
        }
        var configuration = CurlTransport.Configuration()
        configuration.writeMilliseconds = 50
        async let answered = send(charge(server), after: 0, configuration)
        var other = charge(silent)
        other.idleTimeoutMilliseconds = 200
        let transport = CurlTransport()
        await #expect(throws: TransportFailure.maybeSent(.stalled)) { try await transport.send(other) }
        await transport.close()
        isLater.signal()
        #expect(await answered == .success(200))
    }

    @Test func theSystemGivesUpDeliveringWhoeverStillLives() async throws {
        let limits = Locked([Int32]())
        let server = try TestServer { connection in
            _ = try connection.readRequest()
            limits.withLock { $0 = Self.deliveryLimits() }
            try connection.write(Self.fine)
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.deliverMilliseconds = 12_321
        #expect(await send(charge(server), after: 0, configuration) == .success(200))
        #expect(limits.withLock { $0 }.contains(12_321))
    }

    /// What the sockets of this process have as their limit.
    private static func deliveryLimits() -> [Int32] {
        (Int32(0)..<16_384).compactMap { descriptor in
            var limit: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            let code = unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, &size)
            return code == 0 ? limit : nil
        }
    }

    @Test func whatLimitsNothingIsDeclaredAsNone() {
        func declared(_ change: (inout CurlTransport.Configuration) -> Void) -> Int64? {
            var configuration = CurlTransport.Configuration()
            change(&configuration)
            return CurlTransport(configuration).sendLimitMilliseconds
        }
        #expect(declared { _ in } == 30_000)
        #expect(declared { $0.deliverMilliseconds = 0 } == nil)
        #expect(declared { $0.beginMilliseconds = -1 } == nil)
        #expect(declared { $0.writeMilliseconds = .max } == nil)
    }
}
