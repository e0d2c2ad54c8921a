import Glibc
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTestServers
import PaymentTransport
import Testing

@Suite struct ServerExchangeTests {
    private func serving(
        _ service: EchoService = EchoService(), identity: SimulatorCertificate? = nil,
        limits: SimulatorServer.Limits = SimulatorServer.Limits(), _ body: (Origin, CurlTransport) async throws -> Void
    ) async throws {
        let server = try SimulatorServer(identity: identity, limits: limits)
        let origin = try await server.listen(service)
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHostMax = 256
        if let identity { configuration.roots = .pem(identity.certificatePEM) }
        let transport = CurlTransport(configuration)
        try await body(origin, transport)
        await transport.close()
        await server.stop()
    }

    @Test(arguments: [false, true]) func requestsOfAllSizesAreAnswered(isSecure: Bool) async throws {
        try await serving(identity: isSecure ? SimulatorCertificate() : nil) { origin, transport in
            for size in [0, 1, 1_500, 40_000, 700_000] {
                let body = [UInt8](repeating: 97, count: size)
                let response = try await transport.send(HTTPRequest("POST", origin, "/x?y=1", body: body))
                #expect(response.status == 200)
                #expect(response.body == Array("POST /x?y=1 ".utf8) + body)
            }
            let large = try await transport.send(HTTPRequest("GET", origin, "/large"))
            #expect(large.body.count == 4_000_000)
        }
    }

    @Test func aBodyAboveTheLimitIsRefusedWithAStatus() async throws {
        var limits = SimulatorServer.Limits()
        limits.bodyBytesMax = 10
        try await serving(limits: limits) { origin, transport in
            let fits = try await transport.send(
                HTTPRequest("POST", origin, "/", body: [UInt8](repeating: 97, count: 10)))
            #expect(fits.status == 200)
            let refused = try await transport.send(
                HTTPRequest("POST", origin, "/", body: [UInt8](repeating: 97, count: 11)))
            #expect(refused.status == 413)
        }
    }

    @Test func twoHundredConnectionsAtOnce() async throws {
        let service = EchoService(crowd: 200)
        let server = try SimulatorServer()
        let origin = try await server.listen(service)
        let clients = try (0..<200).map { _ in try RawClient(port: origin.port) }
        for client in clients { client.write("GET /wait HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") }
        _ = await service.reached.value()
        service.opened.fulfill(true)
        for client in clients { #expect(client.readToEnd().hasSuffix("GET /wait ")) }
        await server.stop()
    }

    @Test func tenThousandRequestsOverKeptAliveConnections() async throws {
        try await serving { origin, transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in 0..<1_250 {
                            let response = try await transport.send(HTTPRequest("GET", origin, "/\(worker)/\(number)"))
                            #expect(response.body == Array("GET /\(worker)/\(number) ".utf8))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: [false, true]) func whatNeedsASocketLooksAsItDoesInProcess(isSecure: Bool) async throws {
        let service = EchoService()
        try await serving(service, identity: isSecure ? SimulatorCertificate() : nil) { origin, transport in
            let inProcess = InProcessTransport([origin: service])
            for target in ["/reset", "/closed", "/torn-head", "/torn-body", "/dripped", "/fine"] {
                let request = HTTPRequest("POST", origin, target, body: [1, 2, 3])
                let real = await Self.outcome(transport, request)
                let simulated = await Self.outcome(inProcess, request)
                #expect(real == simulated, "\(target)")
            }
        }
    }

    private static func outcome(_ transport: any HTTPTransport, _ request: HTTPRequest) async -> String {
        do throws(TransportFailure) {
            let response = try await transport.send(request)
            return "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
        } catch {
            return "\(error)"
        }
    }

    @Test func aClientThatLeavesEndsTheWork() async throws {
        let service = EchoService()
        try await serving(service) { origin, transport in
            let task = Task { try await transport.send(HTTPRequest("GET", origin, "/silent")) }
            _ = await service.reached.value()
            task.cancel()
            _ = await service.abandoned.value()
            #expect(await Self.failure(task) == .maybeSent(.cancelled))
        }
    }

    /// The bytes keep coming, so that nothing stalls: only the client can end it.
    @Test func anAnswerThatDripsForAnHourEndsWithItsClient() async throws {
        let service = EchoService()
        try await serving(service) { origin, transport in
            let connected = Task { try await transport.send(HTTPRequest("GET", origin, "/dripped-for-an-hour")) }
            _ = await service.reached.value()
            let other = try await transport.send(HTTPRequest("GET", origin, "/meanwhile"))
            #expect(other.status == 200)
            connected.cancel()
            #expect(await Self.failure(connected) == .maybeSent(.cancelled))
        }
    }

    private static func failure(_ task: Task<HTTPResponse, any Error>) async -> TransportFailure? {
        if case .failure(let error) = await task.result { return error as? TransportFailure }
        return nil
    }

    @Test func webSocketsPushAndEcho() async throws {
        for identity in [nil, try SimulatorCertificate()] {
            try await serving(identity: identity) { origin, _ in
                var configuration = CurlWebSocketTransport.Configuration()
                if let identity { configuration.connection.roots = .pem(identity.certificatePEM) }
                let sockets = CurlWebSocketTransport(configuration)
                let socket = try await sockets.connect(HTTPRequest("GET", origin, "/socket"))
                #expect(try await socket.receive() == .text("hello"))
                for text in ["ü", String(repeating: "x", count: 200_000), ""] {
                    try await socket.send(text)
                    #expect(try await socket.receive() == .text(text))
                }
                try await socket.send("bye")
                #expect(try await socket.receive() == nil)
                await socket.close()
            }
        }
    }

    @Test func stoppingFinishesWhatIsOpenAndRefusesTheRest() async throws {
        let service = EchoService()
        let server = try SimulatorServer()
        let origin = try await server.listen(service)
        let transport = CurlTransport()
        async let open = transport.send(HTTPRequest("GET", origin, "/wait"))
        _ = await service.reached.value()
        let stopped = Task { await server.stop() }
        // Refused from the moment at which the server has begun to stop, however long that takes.
        while await Self.outcome(CurlTransport(), HTTPRequest("GET", origin, "/x")).hasPrefix("200") {}
        service.opened.fulfill(true)
        #expect(try await open.status == 200)
        await stopped.value
        let late = await Self.outcome(transport, HTTPRequest("GET", origin, "/x"))
        #expect(late == "\(TransportFailure.notSent(.connectionRefused))")
        await #expect(throws: SimulatorServerError.stopped) { try await server.listen(service) }
        await transport.close()
    }

    @Test func aStuckRequestIsResetWhenTheGraceIsOver() async throws {
        var limits = SimulatorServer.Limits()
        limits.stopMilliseconds = 20
        let service = EchoService()
        let server = try SimulatorServer(limits: limits)
        let origin = try await server.listen(service)
        let transport = CurlTransport()
        let open = Task { try await transport.send(HTTPRequest("GET", origin, "/silent")) }
        _ = await service.reached.value()
        await server.stop()
        #expect(await Self.failure(open) == .maybeSent(.connectionReset))
        #expect(await service.abandoned.value())
        await transport.close()
    }

    @Test func aTakenPortIsNamed() async throws {
        let server = try SimulatorServer()
        let origin = try await server.listen(EchoService())
        await #expect(throws: SimulatorServerError.portTaken(origin.port)) {
            try await server.listen(EchoService(), port: origin.port)
        }
        await server.stop()
    }

    @Test func aCertificateIsNeededToTrustTheServer() async throws {
        let server = try SimulatorServer(identity: SimulatorCertificate())
        let origin = try await server.listen(EchoService())
        #expect(origin.scheme == .https)
        let transport = CurlTransport()
        let outcome = await Self.outcome(transport, HTTPRequest("GET", origin, "/"))
        #expect(outcome == "\(TransportFailure.notSent(.tlsFailed))")
        await transport.close()
        await server.stop()
    }
}

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
        // What the system keeps for both directions, and no more than a few of our requests.
        #expect(sent < 40_000_000, "\(sent) of \(request.count * 1_000) bytes were taken")
        await server.stop()
    }

    @Test func ofManyUnansweredPings_theLastIsAnswered() async throws {
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

/// Answers with the method, the target and the body of the request; some targets do something else.
struct EchoService: SimulatorService {
    /// How many have to wait at `/wait` at the same time.
    private let crowd: Int
    private let waiting = Locked(0)
    /// Fulfilled when so many wait there, and what lets them continue.
    let reached = Promise<Bool>()
    let opened = Promise<Bool>()
    /// Fulfilled when a request at `/silent` was given up.
    let abandoned = Promise<Bool>()

    init(crowd: Int = 1) { self.crowd = crowd }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let text = "\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self)
        let response = HTTPResponse(200, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
        switch request.target {
        case "/wait":
            let count = waiting.withLock { waiting in
                waiting += 1
                return waiting
            }
            if count == crowd { reached.fulfill(true) }
            _ = await opened.value()
        case "/silent":
            reached.fulfill(true)
            let gone = Promise<Bool>()
            _ = await withTaskCancellationHandler {
                await gone.value()
            } onCancel: {
                gone.fulfill(true)
            }
            abandoned.fulfill(true)
            return .noReply
        case "/large": return .reply(HTTPResponse(200, body: [UInt8](repeating: 120, count: 4_000_000)))
        case "/reset": return .cutAfter
        case "/closed": return .closed
        case "/torn-head": return .truncatedHead(response)
        case "/torn-body": return .truncatedBody(response)
        case "/dripped": return .slow(response, milliseconds: 80)
        case "/dripped-for-an-hour":
            reached.fulfill(true)
            return .slow(response, milliseconds: 3_600_000)
        case "/socket":
            return .upgrade { socket in
                try? await socket.send("hello")
                while let message = try? await socket.receive(), case .text(let text) = message {
                    if text == "bye" { break }
                    try? await socket.send(text)
                }
                await socket.close()
            }
        default: break
        }
        return .reply(response)
    }
}

/// A client that writes and reads bytes as they are.
final class RawClient {
    /// How long one read may last before a test is taken to have failed, in seconds.
    private static let readSeconds = 20
    private let socket: Int32
    private(set) var wasReset = false

    init(port: Int) throws {
        socket = try TestSocket.connect(port: port)
        var time = timeval(tv_sec: Self.readSeconds, tv_usec: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { TestSocket.close(socket) }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more will come.
    func endWriting() { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// Some bytes, or none at the end.
    func readSome() -> [UInt8] {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(socket, &part, 65_536, 0)
        if count < 0, errno == ECONNRESET { wasReset = true }
        return Array(part.prefix(max(0, count)))
    }

    /// Everything up to the end of the connection.
    func readToEnd() -> String {
        var bytes: [UInt8] = []
        while true {
            let part = readSome()
            if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += part
        }
    }

    /// Reads until a text has come, and gives everything so far.
    func read(until text: String) -> String {
        var bytes: [UInt8] = []
        while true {
            let part = readSome()
            bytes += part
            let all = String(decoding: bytes, as: UTF8.self)
            if part.isEmpty || all.contains(text) { return all }
        }
    }
}
