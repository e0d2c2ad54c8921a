import PaymentBase
import PaymentLinux
import PaymentSimulator
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

    /// The bytes keep coming, so that nothing stalls: only whoever asked can end it.
    @Test func anAnswerThatDripsForAnHourEndsWithWhoeverAsked() async throws {
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
