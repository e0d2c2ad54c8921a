import PaymentBase
import PaymentHarnesses
import PaymentModel
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentConformance

/// Recordings of our own simulated providers, played again.
@Suite struct CassetteReplayTests {
    private static func harness(_ name: String) throws -> any ConformanceHarness {
        try #require(HarnessRegistry.builtin[name])
    }

    /// A cassette as a file has it.
    private static func read(_ recorder: CassetteRecorder) throws -> Cassette {
        try Cassette(text: recorder.cassette.text)
    }

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func everyScenarioComesToTheSameOffTheCassette(_ name: String) throws {
        let harness = try Self.harness(name)
        let recorder = CassetteRecorder(harness)
        _ = try recorder.record(Scenario.all)
        let player = CassetteHarness(try Self.read(recorder), harness)
        let (rows, changes) = try player.replayScenarios()
        #expect(rows.count == Scenario.all.count - rows.count { $0.scenario.isEmpty })
        #expect(changes.isEmpty && player.differences.isEmpty, "\(changes.prefix(3)) \(player.differences.prefix(3))")
    }

    @Test func theSuiteRunsOnACassette() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let checks = Check.all.filter { ["sale", "refund", "capture", "void"].contains($0.family.rawValue) }
        let recorded = recorder.record(checks)
        let player = CassetteHarness(try Self.read(recorder), harness)
        let (results, changes) = player.replay()
        #expect(recorded.count { $0.status == .passed } > 40)
        #expect(changes.isEmpty && player.differences.isEmpty, "\(changes.prefix(3)) \(player.differences.prefix(3))")
        #expect(results.count { $0.status == .passed } == recorded.count { $0.status == .passed })
    }

    @Test func aMappingThatIsBrokenIsShownByExchangeAndMember() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let check = try #require(Check.all.first { $0.id == "sale.from-card" })
        _ = recorder.record([check])
        var broken = Mutant("amount.tenfold", "Asks for ten times the amount.", caughtBy: check.id)
        broken.interceptor = {
            MessageRewrite.request("/payments", "amount.minorUnits") { .number(JSONNumber(($0.int64 ?? 0) * 10)) }
        }
        let player = CassetteHarness(try Self.read(recorder), harness)
        let (_, changes) = player.replay(broken)
        let shown = player.differences.map(\.description)
        #expect(shown == ["sale.from-card: POST /payments, amount.minorUnits: recorded 5000, now 50000"])
        #expect(changes.isEmpty, "the answer is the recorded one")
    }

    @Test func request_thatDiffersFromTheRecording_isNamed() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let sale = try #require(Scenario.all.first { $0.name == "sale" })
        _ = try recorder.record([sale])
        var cassette = try Self.read(recorder)
        cassette.items.removeAll { item in
            guard case .exchange(let exchange) = item.event else { return false }
            return exchange.request.path == "/payments"
        }
        let player = CassetteHarness(cassette, harness)
        let (_, changes) = try player.replayScenarios()
        #expect(player.differences.contains { $0.exchange == "POST /payments" && $0.recorded == "not asked" })
        #expect(changes.contains { $0.aspect == "result" })
    }

    @Test func aCassetteIsACandidateOfAComparison() throws {
        let harness = try Self.harness("memory")
        let recorder = CassetteRecorder(harness)
        let some = Array(Scenario.all.prefix(5))
        _ = try recorder.record(some)
        let old = CassetteHarness(try Self.read(recorder), harness, name: "old")
        let source = recorder.cassette.header.notes["source"]?.string.flatMap { PaymentSource.Kind(rawValue: $0) }
        let comparison = try ProviderComparison([old, harness], source: source)
        #expect(some.allSatisfy { comparison.play($0).differing.isEmpty })
        let unrecorded = comparison.play(Scenario.all[10])
        #expect(unrecorded.observations[0].result == "not played: it is not on the cassette")
        #expect(unrecorded.undeclared.isEmpty)
    }
}

/// What must never get onto a cassette.
@Suite struct CassetteRedactorTests {
    private let origin = Origin(.https, "example.com")

    /// Secrets in two hundred places: under every kind of name, in headers, addresses, bodies and news, in the open, in
    /// Base64 and in JSON within JSON.
    @Test func ofTwoHundredPlantedSecretsNoneIsKept() throws {
        let declared = (0..<20).map { "declared-secret-\($0)-\(String(repeating: "x", count: $0))" }
        let sieve = CassetteRedactor(declared)
        var (planted, texts) = (declared, [String]())
        func keep(_ request: HTTPRequest, _ reply: HTTPResponse) {
            var cassette = Cassette()
            cassette.items = [.init(.exchange(sieve.exchange(request, .success(reply), milliseconds: 1)))]
            texts.append(String(decoding: cassette.text, as: UTF8.self))
        }
        func plant(_ kind: String) -> String {
            let secret = "planted-\(kind)-\(planted.count)-value"
            planted.append(secret)
            return secret
        }
        let names = [
            "token", "access_token", "refreshToken", "id_token", "password", "passPhrase", "client_secret", "apiKey",
            "api-key", "securityCode", "cvc", "CVV", "pinBlock", "track2", "emvData", "pan", "cardNumber",
            "paymentToken",
            "accountNumber", "routing_number", "loginToken", "onlinePIN", "taxId",
        ]
        for name in names {
            let body: JSON = [
                "outer": [["\(name)": .string(plant("body"))]],
                "text": .string(String(decoding: JSON.object([name: .string(plant("nested"))]).bytes(), as: UTF8.self)),
                "blob": .string(Base64.standard.encode(JSON.object([name: .string(plant("blob"))]).bytes())),
            ]
            let form = "a=1&\(name)=\(plant("form"))&b=2"
            keep(HTTPRequest("POST", origin, "/x?\(name)=\(plant("query"))", body: body.bytes()), HTTPResponse(200))
            keep(HTTPRequest("POST", origin, "/x", body: Array(form.utf8)), HTTPResponse(200, body: body.bytes()))
        }
        for name in ["Authorization", "X-Api-Key", "Cookie", "X-Auth-Token", "X-Acme-Secret", "Set-Cookie"] {
            let headers: HTTPHeaders = ["\(name)": "Bearer \(plant("header"))"]
            keep(HTTPRequest("GET", origin, "/", headers: headers), HTTPResponse(200, headers: headers))
        }
        for (index, secret) in declared.enumerated() {
            // Known beforehand: wherever it stands.
            let places = [
                "/path/\(secret)/x", "/q?anything=\(secret)", "/b64/\(Base64.standard.encode(Array(secret.utf8)))",
            ]
            keep(
                HTTPRequest("POST", origin, places[index % 3], body: Array("free text with \(secret) in it".utf8)),
                HTTPResponse(500, headers: ["X-Debug": "was \(secret)"], body: json(["said": .string("«\(secret)»")])))
            let news = ProviderWebhook(headers: ["x-any": secret], body: Array("{\"note\":\"\(secret)\"}".utf8))
            texts.append(String(decoding: sieve.news(news).bytes(), as: UTF8.self))
        }
        for card in ["4111111111111111", "5555 5555 5555 4444", "3782-822463-10005", "6011111111111117"] {
            planted.append(card)
            keep(
                HTTPRequest(
                    "POST", origin, "/cards/\(card.filter(\.isNumber))", body: json(["note": .string("card \(card).")])),
                HTTPResponse(200, body: json(["cardReference": .number(JSONNumber(4_111_111_111_111_111))])))
        }
        // What was seen under a telling name is found elsewhere afterwards.
        let late = plant("late")
        keep(HTTPRequest("POST", origin, "/", body: json(["token": .string(late)])), HTTPResponse(200))
        keep(HTTPRequest("GET", origin, "/instruments/\(late)"), HTTPResponse(200, body: Array(late.utf8)))
        let all = texts.joined()
        #expect(planted.count >= 140 && texts.count >= 90)
        let places = planted.count + declared.count * 4
        #expect(places >= 200)
        for secret in planted {
            #expect(!all.contains(secret), "\(secret) is on the cassette")
            #expect(!all.contains(Base64.standard.encode(Array(secret.utf8))), "\(secret) is on it in Base64")
        }
        #expect(!all.contains("4111111111111111"))
    }

    @Test func whatIsNoSecretStaysAsItIs() {
        let sieve = CassetteRedactor(["a-declared-secret"])
        let body = """
            {"id":"a0000000-0000-0000-0000-000000000001","psp":"8815000000000001","operation":5028800010000003,\
            "amount":{"value":5000,"currency":"EUR"},"reference":"order-4111","last4":"1111","masked":"411111******1111"}
            """
        #expect(String(decoding: sieve.body(Array(body.utf8)), as: UTF8.self) == body)
        #expect(
            sieve.text("GET /v1/transactions/a0000000-0000-0000-0000-000000000001")
                == "GET /v1/transactions/a0000000-0000-0000-0000-000000000001")
    }

    @Test func oneSecretHasOneNameAndAReplayTheSame() {
        let sieve = CassetteRedactor(["known-before"])
        let first = String(decoding: sieve.body(Array(#"{"token":"abcdefgh"}"#.utf8)), as: UTF8.self)
        #expect(first == #"{"token":"removed-2"}"#)
        #expect(sieve.text("/x/abcdefgh/known-before") == "/x/removed-2/removed-1")
        #expect(sieve.restored("removed-1 and removed-2") == "known-before and removed-2")
        let again = CassetteRedactor(["known-before"])
        #expect(String(decoding: again.body(Array(first.utf8)), as: UTF8.self) == first)
        #expect(
            String(decoding: again.body(Array(#"{"pan":"secret-three"}"#.utf8)), as: UTF8.self)
                == #"{"pan":"removed-3"}"#)
    }
}

private func json(_ json: JSON) -> [UInt8] { json.bytes() }
