import PaymentBase
import PaymentLinux
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The simulated kit by itself: as strict as the SDK's document, over the provider's own books.
@Suite struct SimulatedEcommpaySDKTests {
    /// A kit in front of a simulated provider, and what its delegates heard.
    private struct Bench {
        let scheduler = TestScheduler()
        let backend: EcommpaySimulator
        let kit: SimulatedEcommpaySDK
        let heard = Locked([String]())

        init() {
            backend = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto())
            let origin = Origin(.http, "ecommpay.test")
            kit = SimulatedEcommpaySDK(
                clock: scheduler, executor: scheduler, transport: InProcessTransport([origin: backend]), origin: origin)
        }

        func session(
            _ units: Int64 = 5_000, _ name: String = "p-1", signed: Bool = true,
            with change: (inout EcommpayPhoneSDK.PaymentInfo) -> Void = { _ in }
        ) async -> any EcommpayPhoneSDK.MSDKCoreSession {
            let session = await kit.makeSession(config: .init(.debug, apiHost: "a", wsApiHost: "b"))
            var info = EcommpayPhoneSDK.PaymentInfo(
                projectId: Int32(backend.rules.project), paymentId: name, paymentAmount: units, paymentCurrency: "EUR")
            change(&info)
            let text = await kit.getParamsForSignature(info)
            let proof = try? OpenSSLCrypto().authenticate(.sha512, key: backend.rules.secret, Array(text.utf8))
            info.signature = signed ? Base64.standard.encode(proof ?? []) : "forged"
            let opened = Promise<Void>()
            await session.getInitInteractor().execute(request: .init(paymentInfo: info)) { [heard] event in
                switch event {
                case .onInitReceived(let methods, _):
                    heard.withLock { $0.append("init \(methods.map(\.code))") }
                case .onPaymentRestored(let payment):
                    heard.withLock { $0.append("restored \(payment.id ?? "")") }
                case .onError(let code, _): heard.withLock { $0.append("\(code)") }
                }
                opened.fulfill(())
            }
            await opened.value()
            return session
        }

        func pay(_ session: any EcommpayPhoneSDK.MSDKCoreSession, _ request: EcommpayPhoneSDK.PayRequest) async {
            await session.getPayInteractor().execute(request: request) { [heard] event in
                let word =
                    switch event {
                    case .onPaymentCreated: "created"
                    case .onStatusChanged(_, let payment): "status \(payment.serverStatusName ?? "")"
                    case .onCustomerFields: "fields"
                    case .onThreeDSecure(_, let isCascading, _): isCascading ? "page again" : "page"
                    case .onClarificationFields: "clarification"
                    case .onThreeDSecureRedirectComplete: "page taken"
                    case .onCompleteWithSuccess(let payment): "success \(payment.sum)"
                    case .onCompleteWithDecline(let isTryAgain, _, _): isTryAgain ? "decline for now" : "decline"
                    case .onError(let code, _): "\(code)"
                    }
                heard.withLock { $0.append(word) }
            }
            try? await scheduler.sleep(until: scheduler.now + 60_000)
        }

        static func card(_ number: String = "5555555555554444") -> EcommpayPhoneSDK.PayRequest {
            .newCardSale(
                .init(
                    cvv: Secret("737"), pan: Secret(number), expiryDate: .init(month: 12, year: 2030),
                    cardHolder: "John Doe"))
        }

        var told: [String] { heard.withLock { $0 } }
        var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
    }

    @Test func aPaymentHasItsEventsInTheDocumentsOrder() throws {
        let bench = Bench()
        try bench.scheduler.run { await bench.pay(await bench.session(), Bench.card()) }
        #expect(bench.told == [#"init ["card", "etoken"]"#, "created", "success 5000"] && bench.charged == [5_000])
    }

    @Test func nothingIsPaidBeforeASessionIsOpen() throws {
        let bench = Bench()
        try bench.scheduler.run {
            let session = await bench.kit.makeSession(config: .init(.debug, apiHost: "a", wsApiHost: "b"))
            await bench.pay(session, Bench.card())
            await session.getPayInteractor().threeDSecureRedirectHandle(url: "https://shop.example/back")
        }
        #expect(bench.told == ["SESSION_NOT_INITIALIZED", "INTERACTOR_NOT_RUNNING"] && bench.charged.isEmpty)
    }

    @Test func aSignatureThatDoesNotFitOpensNothing() throws {
        let bench = Bench()
        try bench.scheduler.run { _ = await bench.session(signed: false) }
        #expect(bench.told == ["Network & Server API"])
    }

    @Test func oneSessionMakesOnePaymentAndAnotherOneFindsIt() throws {
        let bench = Bench()
        try bench.scheduler.run {
            let session = await bench.session()
            await bench.pay(session, Bench.card())
            await bench.pay(session, Bench.card())
            _ = await bench.session()
        }
        #expect(bench.told.suffix(2) == ["PAYMENT_ALREADY_EXIST", "PAYMENT_HAS_FINAL_STATUS"])
        #expect(bench.charged == [5_000])
    }

    @Test func aPaymentThatWaitsIsTakenUpInAnotherSession() throws {
        let bench = Bench()
        try bench.scheduler.run {
            await bench.pay(await bench.session(5_032), Bench.card())
            let session = await bench.session(5_032)
            await bench.pay(session, .paymentRestore(.init()))
            await session.getPayInteractor().sendCustomerFields(
                fields: [.init(name: "email", value: "john@example.org")])
            try await bench.scheduler.sleep(until: bench.scheduler.now + 60_000)
        }
        #expect(bench.told.dropFirst() == ["created", "fields", "restored p-1", "fields", "success 5032"])
    }

    /// What it refuses by itself, as the document's table of errors has it.
    @Test func whatIsMissingIsRefusedBeforeAnythingIsSent() throws {
        let bench = Bench()
        try bench.scheduler.run {
            let card = EcommpayPhoneSDK.CardTokenizeRequest(
                pan: Secret("5555555555554444"), expiryDate: .init(month: 12, year: 2030), cardHolder: "John Doe")
            await bench.pay(await bench.session(0, "p-1"), .cardTokenize(card))
            await bench.pay(await bench.session(100, "p-2"), .cardSaleTokenize(.init(cvv: nil)))
            await bench.pay(await bench.session(100, "p-3"), .paymentRestore(.init()))
            let session = await bench.session(100, "p-4") { $0.forcePaymentMethod = "etoken" }
            await bench.pay(session, Bench.card())
        }
        let refused = bench.told.filter { !$0.hasPrefix("init") }
        #expect(
            refused == [
                "CUSTOMER_ID_NOT_EXIST", "PAYMENT_TOKEN_NOT_EXIST", "PAYMENT_NOT_FOUND", "PAYMENT_METHOD_NOT_AVAILABLE",
            ])
        #expect(bench.charged.isEmpty)
    }

    @Test func theBankIsPlayedByTheTableOfCards() throws {
        for (number, end) in [("5413330000000019", "success 5000"), ("5544330000000045", "decline")] {
            let bench = Bench()
            try bench.scheduler.run {
                let session = await bench.session()
                await bench.pay(session, Bench.card(number))
                for _ in 0..<2 {
                    await session.getPayInteractor().threeDSecureRedirectHandle(url: "https://shop.example/back")
                    try await bench.scheduler.sleep(until: bench.scheduler.now + 60_000)
                }
            }
            #expect(bench.told.filter { $0 == "page" }.count == 2 && bench.told.last == end)
        }
    }
}
