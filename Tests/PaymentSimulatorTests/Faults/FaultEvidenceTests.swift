import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTransport
import Testing

/// What a client without any logic of its own sees of each fault, and what the provider did.
@Suite struct FaultEvidenceTests {
    private static let sale: JSON = [
        "attempt": "a1", "kind": "sale", "amount": ["minorUnits": 1_000, "currency": "EUR"], "reference": "order",
        "source": ["kind": "card", "number": "4111111111111111"],
    ]

    /// Signs in and sells once.
    private func sell(_ bench: FaultBench) async throws -> Result<HTTPResponse, TransportFailure> {
        let secret: JSON = ["secret": .string(bench.provider.clientSecret.expose())]
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        let token = try await bench.transport.send(
            HTTPRequest("POST", bench.origin, "/token", headers: headers, body: secret.bytes()))
        let text = try JSONReader().read(token.body)["token"]?.string ?? ""
        headers["Authorization"] = "Bearer \(text)"
        let request = HTTPRequest("POST", bench.origin, "/payments", headers: headers, body: Self.sale.bytes())
        do throws(TransportFailure) { return .success(try await bench.transport.send(request)) } catch {
            return .failure(error)
        }
    }

    private func sell(_ bench: FaultBench, _ fault: WireFault) async throws -> Result<HTTPResponse, TransportFailure> {
        var rule = FaultRule(fault)
        rule.path = "/payments"
        rule.text = "\"a1\""
        bench.plan.arm(rule)
        if fault != .replyLate, fault != .replyNever { return try await sell(bench) }
        let end = Promise<Bool>()
        async let answer = {
            defer { end.fulfill(true) }
            return try await sell(bench)
        }()
        while end.result == nil {
            if !bench.provider.ledger.movements.isEmpty { bench.clock.advance(by: rule.delayMilliseconds) }
            await Task.yield()
        }
        return try await answer
    }

    @Test(arguments: FaultBench.Carrier.allCases, WireFault.all)
    func everyFaultGivesItsEvidenceAndIsCarriedOutAsOftenAsItSays(
        injector: FaultBench.Carrier, fault: WireFault
    ) async throws {
        let untouched = try await FaultBench.open(injector)
        let plain = try await sell(untouched).get()
        await untouched.close()
        #expect(plain.status == 200)
        let patience = fault == .replyNever ? FaultBench.stallMillisecondsMin : 60_000
        let bench = try await FaultBench.open(injector, stallMilliseconds: patience)
        let answer = try await sell(bench, fault)
        #expect(bench.provider.ledger.movements.count == fault.executionCount)
        #expect(fault.executes == (fault.executionCount > 0))
        #expect(bench.plan.played.map(\.fault) == [fault])
        #expect(bench.plan.armed.isEmpty)
        switch answer {
        case .failure(let failure): #expect(failure == Self.failure(of: fault))
        case .success(let response):
            #expect(Self.failure(of: fault) == nil)
            try check(response, plain, fault)
        }
        await bench.close()
    }

    private static func failure(of fault: WireFault) -> TransportFailure? {
        switch fault {
        case .requestLost, .requestReset, .requestResetAfterReading, .replyLost, .replyReset:
            .maybeSent(.connectionReset)
        case .replyTornHead, .replyTornBody: .maybeSent(.truncated)
        case .replyNever: .maybeSent(.stalled)
        case .requestDuplicated, .requestDuplicatedUnread, .replyLate, .replyDripped, .wrongAmount, .wrongCurrency,
            .wrongReference, .unknownWord, .extraMembers, .missingMember, .htmlBody, .emptyBody, .truncatedJSON,
            .accessRefused,
            .rateLimited, .status500Before, .status500After, .status502Before, .status502After, .status503Before,
            .status503After, .status504Before, .status504After, .redirected, .status401After, .status403After,
            .status404After, .status307After, .status308After, .status429After:
            nil
        }
    }

    /// What the answer says, against the answer without a fault.
    private func check(_ response: HTTPResponse, _ plain: HTTPResponse, _ fault: WireFault) throws {
        let body = try? JSONReader().read(response.body)
        let original = try JSONReader().read(plain.body)
        let code = body?["error"]?["code"]?.string
        switch fault {
        case .requestLost, .requestReset, .requestResetAfterReading, .replyLost, .replyReset, .replyTornHead,
            .replyTornBody, .replyNever:
            Issue.record("\(fault) was answered")
        case .requestDuplicated: #expect(body?["id"] == "mp_2" && response.status == 200)
        case .replyLate, .replyDripped: #expect(response.status == 200 && body == original)
        case .wrongAmount: #expect(body?["amount"]?["minorUnits"]?.int64 == 1_001)
        case .wrongCurrency: #expect(body?["amount"]?["currency"] == "USD")
        case .wrongReference: #expect(body?["attempt"] == "a0")
        case .unknownWord: #expect(body?["state"] == "teleported")
        case .extraMembers:
            #expect(body?["x-new"] != nil && body?["amount"]?["x-new"] != nil && body?["state"] == original["state"])
        case .missingMember:
            #expect(body?["id"] == nil && body?.object?.count == (original.object?.count ?? 0) - 1)
        case .htmlBody: #expect(response.headers["Content-Type"] == "text/html" && body == nil)
        case .emptyBody, .requestDuplicatedUnread: #expect(response.status == 200 && response.body.isEmpty)
        case .truncatedJSON: #expect(response.body == Array(plain.body.prefix(plain.body.count / 2)) && body == nil)
        case .accessRefused: #expect(response.status == 401 && code == "tokenRefused")
        case .rateLimited: #expect(response.status == 429 && response.headers["Retry-After"] == "2")
        case .status500Before, .status500After: #expect(response.status == 500 && code == "broken")
        case .status502Before, .status502After: #expect(response.status == 502 && code == "broken")
        case .status503Before, .status503After: #expect(response.status == 503 && code == "broken")
        case .status504Before, .status504After: #expect(response.status == 504 && code == "broken")
        case .redirected: #expect(response.status == 307 && response.headers["Location"] != nil)
        case .status401After: #expect(response.status == 401 && body == nil)
        case .status403After: #expect(response.status == 403 && body == nil)
        case .status404After: #expect(response.status == 404 && body == nil)
        case .status307After: #expect(response.status == 307 && response.headers["Location"] != nil)
        case .status308After: #expect(response.status == 308 && response.headers["Location"] != nil)
        case .status429After: #expect(response.status == 429 && response.headers["Retry-After"] == "2")
        }
    }

    @Test func everyMemberIsMissingInTurn() async throws {
        let whole = Self.paths(try await whole())
        let bench = try await FaultBench.open(.inProcess)
        var rule = FaultRule(.missingMember, times: whole.count)
        rule.text = "a1"
        bench.plan.arm(rule)
        var missing: Set<String> = []
        for _ in 0..<whole.count {
            let body = try JSONReader().read(try await sell(bench).get().body)
            let absent = whole.subtracting(Self.paths(body))
            #expect(!absent.isEmpty && absent.allSatisfy { path in absent.contains { path.hasPrefix($0) } })
            missing.formUnion(absent)
        }
        #expect(missing == whole && whole.contains("amount.currency"))
        #expect(bench.plan.armed.isEmpty)
    }

    private func whole() async throws -> JSON {
        let bench = try await FaultBench.open(.inProcess)
        return try JSONReader().read(try await sell(bench).get().body)
    }

    private static func paths(_ json: JSON, _ prefix: String = "") -> Set<String> {
        Set((json.object?.members ?? []).flatMap { ["\(prefix)\($0.key)"] + paths($0.value, "\(prefix)\($0.key).") })
    }
}
