import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct ARISESessionTests {
    private func grants(_ bench: ARISEBench) -> [String] {
        bench.sent("/oauth2/token").map { request in
            let fields = FormEncoding.decode(String(decoding: request.body, as: UTF8.self)) ?? []
            return fields.first { $0.name == "grant_type" }?.value ?? ""
        }
    }

    @Test func theRefreshTokenIsUsedAMinuteBeforeTheAccessLapses() throws {
        let bench = ARISEBench()
        try bench.play { [scheduler = bench.scheduler] client in
            try await client.session?.open()
            try await scheduler.sleep(until: scheduler.now + 839_000)
            _ = try await client.settings?.permissions()
        }
        #expect(grants(bench) == ["client_credentials"])
        try bench.play { [scheduler = bench.scheduler] client in
            try await client.session?.open()
            try await scheduler.sleep(until: scheduler.now + 841_000)
            _ = try await client.settings?.permissions()
        }
        #expect(grants(bench) == ["client_credentials", "client_credentials", "refresh_token"])
    }

    @Test func aRefusedRefreshFallsBackToTheCredentials() throws {
        let bench = ARISEBench()
        try bench.play { [backend = bench.backend] client in
            try await client.session?.open()
            backend.revokeTokens(refreshToo: true)
            let card = try ARISEBench.card()
            let payment = try await client.sale(.dollars(5_000), from: card, reference: "o").payment
            #expect(payment != nil)
        }
        #expect(grants(bench) == ["client_credentials", "refresh_token", "client_credentials"])
    }

    @Test func wrongCredentialsSayThatAPersonMustAct() {
        var bench = ARISEBench()
        bench.change = { configuration in
            configuration = ARISEConfiguration(
                endpoint: ARISEBench.origin, oauth: ARISEBench.origin, clientID: "nobody",
                clientSecret: Secret("wrong-secret"))
        }
        let error = bench.failure { try await $0.session?.open() }
        #expect(error == PaymentError(.authentication, outcome: .notExecuted))
        #expect(error?.provider?.code == "invalid_client")
        #expect(error?.requiresUserAction == true)
    }

    @Test func theTokenIsReadableAndSigningOutForgetsIt() throws {
        let bench = ARISEBench()
        try bench.play { client in
            let session = try #require(client.session)
            #expect(await session.token() == nil)
            try await session.open()
            #expect(await session.token() == Secret("at-1-secret"))
            try await session.signOut()
            #expect(await session.token() == nil)
        }
    }

    /// Two simulated days of payments every ten minutes: none fails for a lapsed token.
    @Test func twoDaysOfPayments() throws {
        let bench = ARISEBench()
        let (count, failures) = (288, Locked(0))
        try bench.play { [scheduler = bench.scheduler] client in
            for number in 1...count {
                let card = try ARISEBench.card()
                let result = try? await client.sale(.dollars(5_000), from: card, reference: "o-\(number)")
                if result?.payment == nil { failures.withLock { $0 += 1 } }
                try await scheduler.sleep(until: scheduler.now + 600_000)
            }
        }
        let refused = bench.requests.withLock { $0.count } - bench.sent("/oauth2/token").count
        print("ARISE: \(count) payments, \(bench.backend.tokenCount) tokens, \(refused) other requests")
        #expect(failures.withLock { $0 } == 0)
        #expect(bench.backend.ledger.movements.count { $0.cause == "sale" } == count)
        #expect(Int(bench.backend.tokenCount) == grants(bench).count)
        #expect(grants(bench).count <= 288)
        #expect(grants(bench).dropFirst().allSatisfy { $0 == "refresh_token" })
    }

    @Test func productionAndTestKnowTheirHosts() throws {
        let environments = ProviderDefinition.arise.environments
        #expect(environments.map(\.name) == ["uat", "production", "sandbox"])
        #expect(environments[0].endpoint == Origin(.https, "api.uat.arise.risewithaurora.com"))
        #expect(environments[1].endpoint == Origin(.https, "api.arise.risewithaurora.com"))
        #expect(environments.prefix(2).allSatisfy { $0.publicCredentials.isEmpty && !$0.allowsPlainHTTP })
        #expect(
            environments[1].defaults["oauth"] == .origin(Origin(.https, "oauth.arise.risewithaurora.com")))
    }
}
