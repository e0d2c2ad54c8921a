import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTransport
import Testing

@Suite struct ControlTests {
    /// A sandbox on sockets, with a client of its control address.
    private func running(_ body: (SimulatedProviders, RunningSimulator, JSONClient) async throws -> Void) async throws {
        let sandbox = try SimulatedProviders { [MemoryBackend(clock: $0), MemoryBackend(clock: $0, name: "second")] }
        let running = try await sandbox.serve()
        let transport = CurlTransport()
        try await body(sandbox, running, JSONClient(transport, running.control))
        await transport.close()
        await running.stop()
    }

    private static func status(_ call: () async throws -> JSONReply) async throws -> Int {
        do { return try await call().status } catch let refusal as HTTPErrorResponse { return refusal.status }
    }

    @Test func faultsAreArmedPlayedAndTakenBack() async throws {
        try await running { sandbox, running, control in
            let rule: JSON = [
                "fault": "status.503-before", "times": 2, "skip": 1, "provider": "second", "path": "/settings",
                "method": "GET", "text": nil, "retryAfterSeconds": 7,
            ]
            #expect(try await control.send("POST", "/faults", body: rule).body?["number"] == 1)
            #expect(try await control.send("POST", "/faults", body: ["fault": "reply.lost"]).body?["number"] == 2)
            #expect(try await control.send("DELETE", "/faults/2").status == 204)
            #expect(try await Self.status { try await control.send("DELETE", "/faults/2") } == 404)
            #expect(try await Self.status { try await control.send("DELETE", "/faults/x") } == 404)
            let armed = try await control.send("GET", "/faults").body
            #expect(armed?["armed"]?.array?.count == 1 && armed?["armed"]?[0]?["fault"] == "status.503-before")
            #expect(armed?["all"]?.array?.compactMap { $0["id"]?.string } == WireFault.all.map(\.rawValue))
            let origin = try #require(running.providers["second"])
            let provider = JSONClient(CurlTransport(), origin)
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await Self.status { try await provider.send("GET", "/settings") }) }
            #expect(statuses == [401, 503, 503, 401])
            let played = try await control.send("GET", "/faults").body?["played"]?.array
            #expect(played?.count == 2 && played?.last?["request"] == "GET /settings" && played?.last?["turn"] == 1)
            #expect(try await control.send("DELETE", "/faults").status == 204)
            #expect(sandbox.plan.played.isEmpty)
        }
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"fault":"nothing"}"#, #"{"fault":"reply.lost","times":0}"#,
        #"{"fault":"reply.lost","times":1.5}"#, #"{"fault":"reply.lost","skip":-1}"#,
        #"{"fault":"reply.lost","path":"x"}"#, #"{"fault":"reply.lost","path":"/:a/:a"}"#,
        #"{"fault":"reply.lost","more":1}"#, #"{"fault":"reply.lost","method":1}"#,
        #"{"fault":"reply.lost","delayMilliseconds":99999999999}"#, #"{"#,
    ])
    func rulesThatAreNoneAreRefused(body: String) async throws {
        let sandbox = try SimulatedProviders { [MemoryBackend(clock: $0)] }
        let request = HTTPRequest(
            "POST", SimulatedProviders.controlOrigin, "/faults", headers: ["Content-Type": "application/json"],
            body: Array(body.utf8))
        #expect(try await sandbox.transport.send(request).status == 400)
        #expect(sandbox.plan.armed.isEmpty)
    }

    @Test func aPageInABrowserIsRefused() async throws {
        let sandbox = try SimulatedProviders { [MemoryBackend(clock: $0)] }
        for origin in ["null", "https://shop.example"] {
            let request = HTTPRequest(
                "POST", SimulatedProviders.controlOrigin, "/reset", headers: ["Origin": origin], body: [])
            #expect(try await sandbox.transport.send(request).status == 403)
        }
        #expect(
            try await sandbox.transport.send(HTTPRequest("POST", SimulatedProviders.controlOrigin, "/reset")).status
                < 300)
    }

    /// To a browser, a page under a name that leads to this machine is of the same origin, and no origin is sent.
    @Test func requestForAnotherHost_isRefused() async throws {
        try await running { _, running, control in
            let port = running.control.port
            func status(_ host: String) throws -> String {
                let client = try RawClient(port: port)
                client.write("GET /outbox HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                return String(client.readToEnd().prefix(12))
            }
            for host in [
                "evil.test", "evil.test:\(port)", "127.0.0.1.evil.test:\(port)", "127.0.0.1:1", "localhost", "",
            ] {
                let said = try status(host)
                #expect(said == "HTTP/1.1 403", "\(host)")
            }
            for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)"] {
                let said = try status(host)
                #expect(said == "HTTP/1.1 200", "\(host)")
            }
            let own = try await control.send("GET", "/outbox").status
            #expect(own == 200)
        }
    }

    @Test func theClockIsPutForward() async throws {
        try await running { sandbox, _, control in
            let before = try #require(try await control.send("GET", "/clock").body?["now"]?.int64)
            let body: JSON = ["milliseconds": 86_400_000]
            let after = try await control.send("POST", "/clock/advance", body: body).body
            #expect(after?["offset"]?.int64 == 86_400_000 && (after?["now"]?.int64 ?? 0) >= before + 86_400_000)
            #expect(sandbox.clock.offset == 86_400_000)
            for wrong: JSON in [["milliseconds": -1], ["milliseconds": "1"], [:]] {
                let status = try await Self.status { try await control.send("POST", "/clock/advance", body: wrong) }
                #expect(status == 400)
            }
        }
    }

    @Test func booksCardsAndReset() async throws {
        try await running { sandbox, running, control in
            let origin = try #require(running.providers["memory"])
            let provider = JSONClient(CurlTransport(), origin)
            #expect(try await control.send("GET", "/cards/memory").body?["cards"]?["4000000000000002"] == "05")
            let cards: JSON = ["cards": ["4111111111111111": "51", "4000000000000002": "00"]]
            #expect(
                try await control.send("PUT", "/cards/memory", body: cards).body == [
                    "cards": ["4000000000000002": "00", "4111111111111111": "51"]
                ])
            #expect(try await Self.sell(provider, "4111111111111111", "a1") == "declined")
            #expect(try await Self.sell(provider, "4000000000000002", "a2") == "approved")
            let books = try await control.send("GET", "/ledger/memory").body
            #expect(books?["movements"]?.array?.count == 1 && books?["isBalanced"] == true)
            #expect(books?["balances"]?["merchant"]?["EUR"] == 1_000)
            let all = try await control.send("GET", "/ledger").body?["providers"]?.array
            #expect(all?.compactMap { $0["provider"]?.string } == ["memory", "second"])
            let providers = try await control.send("GET", "/providers").body?["providers"]
            #expect(providers?[0]?["movementCount"] == 1 && providers?[1]?["hasCards"] == true)
            #expect(try await control.send("POST", "/reset").status == 204)
            #expect(sandbox["memory"]?.ledger.movements.isEmpty == true)
            #expect(try await control.send("GET", "/cards/memory").body?["cards"]?["4000000000000002"] == "05")
            for path in ["/ledger/nobody", "/cards/nobody", "/nowhere"] {
                #expect(try await Self.status { try await control.send("GET", path) } == 404)
            }
            let wrong: JSON = ["cards": ["4111": 1]]
            #expect(try await Self.status { try await control.send("PUT", "/cards/memory", body: wrong) } == 400)
        }
    }

    private static func sell(_ provider: JSONClient, _ number: String, _ attempt: String) async throws -> String? {
        let token = try await provider.send("POST", "/token", body: ["secret": "memory-client-secret"]).body?["token"]
        let sale: JSON = [
            "attempt": .string(attempt), "kind": "sale", "amount": ["minorUnits": 1_000, "currency": "EUR"],
            "source": ["kind": "card", "number": .string(number)],
        ]
        return try await provider.send("POST", "/payments", body: sale, bearer: Secret(token?.string ?? ""))["state"]?
            .string
    }

    @Test func theDocumentDescribesEveryRouteAndNothingElse() async throws {
        let sandbox = try SimulatedProviders { [MemoryBackend(clock: $0)] }
        let request = HTTPRequest("GET", SimulatedProviders.controlOrigin, "/openapi.json")
        let document = try JSONReader().read(try await sandbox.transport.send(request).body)
        #expect(document["openapi"] == "3.1.0" && document["info"]?["title"] != nil)
        var described: Set<String> = []
        for path in document["paths"]?.object?.members ?? [] {
            for operation in path.value.object?.members ?? [] {
                described.insert("\(operation.key.uppercased()) \(path.key)")
                #expect(operation.value["operationId"]?.string != nil)
                #expect(operation.value["responses"]?.object?.isEmpty == false)
            }
        }
        let routes = SimulatedProviders.controlRoutes.map { route in
            let path = route.pattern.split(separator: "/", omittingEmptySubsequences: false)
                .map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
            return "\(route.method) \(path)"
        }
        #expect(described == Set(routes) && described.count == 19)
        let schemas = Set(document["components"]?["schemas"]?.object?.members.map(\.key) ?? [])
        let used = Self.references(document)
        #expect(used.isSubset(of: schemas) && used.count > 10)
    }

    private static func references(_ json: JSON) -> Set<String> {
        switch json {
        case .null, .bool, .number, .string: []
        case .array(let items): items.reduce(into: []) { $0.formUnion(references($1)) }
        case .object(let object):
            object.members.reduce(into: []) { found, member in
                if member.key == "$ref", let name = member.value.string?.split(separator: "/").last {
                    found.insert(String(name))
                }
                found.formUnion(references(member.value))
            }
        }
    }

    @Test func namesAreUnique() {
        #expect(throws: SimulatorError.names) {
            try SimulatedProviders { [MemoryBackend(clock: $0), MemoryBackend(clock: $0)] }
        }
        #expect(throws: SimulatorError.names) { try SimulatedProviders { [MemoryBackend(clock: $0, name: "")] } }
    }
}
