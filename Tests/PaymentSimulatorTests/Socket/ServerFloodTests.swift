import Glibc
import PaymentBase
import PaymentSimulator
import PaymentTestServers
import PaymentTransport
import Testing

/// Clients that send without end and take nothing, or keep connections that they don't use.
@Suite struct ServerFloodTests {
    private static let upgrade = """
        GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
        """

    /// Writes until nothing more is taken for a while, or all of it is; how many bytes went.
    private func push(_ bytes: [UInt8], times: Int, _ socket: Int32) -> Int {
        var time = timeval(tv_sec: 2, tv_usec: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var sent = 0
        for _ in 0..<times {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return sent }
                sent += count
                rest = rest.dropFirst(count)
            }
        }
        return sent
    }

    @Test func whoTakesNoAnswersIsReadNoFurther() async throws {
        let server = try SimulatorServer()
        let origin = try await server.listen(EchoService())
        let socket = try TestSocket.connect(port: origin.port)
        defer { TestSocket.close(socket) }
        let body = String(repeating: "x", count: 60_000)
        let request = Array("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n\(body)".utf8)
        let sent = push(request, times: 1_000, socket)
        // What the system keeps for both directions, and no more than a few requests of ours.
        #expect(sent < 40_000_000, "\(sent) of \(request.count * 1_000) bytes were taken")
        await server.stop()
    }

    @Test func ofManyPingsThatNobodyHearsTheLastIsAnswered() async throws {
        let server = try SimulatorServer()
        let origin = try await server.listen(EchoService())
        let client = try RawClient(port: origin.port)
        client.write(Self.upgrade)
        _ = client.read(until: "hello")
        let payload = [UInt8](repeating: 7, count: 125)
        let ping: [UInt8] = [0x89, 0x80 | 125, 0, 0, 0, 0] + payload
        let pings = [[UInt8]](repeating: ping, count: 1_000).flatMap { $0 }
        let count = 200_000
        for _ in 0..<(count / 1_000) { client.write(pings) }
        client.write([0x89, 0x81, 0, 0, 0, 0, 1, 0x88, 0x80, 0, 0, 0, 0])
        client.endWriting()
        var (bytes, last) = (0, [UInt8]())
        while true {
            let part = client.readSome()
            if part.isEmpty { break }
            bytes += part.count
            last = Array((last + part).suffix(7))
        }
        #expect(last == [0x8A, 1, 1, 0x88, 2, 3, 232])
        #expect(bytes < count * 127, "every ping was answered, whoever heard it")
        await server.stop()
    }

    @Test func aSlowRequestIsRefusedHoweverLongAConnectionMayBeIdle() async throws {
        var limits = SimulatorServer.Limits()
        (limits.idleMilliseconds, limits.requestMilliseconds) = (3_600_000, 60)
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(EchoService())
        for beginning in ["GET / HTTP/1.1\r\nHost", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab"] {
            let client = try RawClient(port: origin.port)
            client.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.read(until: "/first").contains("200"))
            client.write(beginning)
            #expect(client.readToEnd().hasPrefix("HTTP/1.1 408 "))
        }
        await server.stop()
    }

    @Test func aFloodOfOnePortLeavesTheOthersTheirConnections() async throws {
        var limits = SimulatorServer.Limits()
        limits.connectionsMax = 3
        let server = try SimulatorServer(limits: limits)
        let (flooded, control) = (try await server.listen(EchoService()), try await server.listen(EchoService()))
        let clients = try (0..<20).map { _ in try RawClient(port: flooded.port) }
        clients[0].write("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(clients[0].read(until: "/kept").contains("200"))
        let client = try RawClient(port: control.port)
        client.write("GET /alive HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.read(until: "/alive").contains("200"))
        await server.stop()
    }
}
