import ARISEProvider
import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct ARISEReaderTests {
    private func strict() -> ARISEBench {
        var account = ARISEAccount()
        account.trustsNewDevices = false
        return ARISEBench(account)
    }

    @Test func aDeviceThatIsNotActiveIsSaidSoAndNotActivatedByPreparing() throws {
        let bench = strict()
        let error = bench.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.termsNotAccepted, outcome: .notExecuted))
        #expect(error?.provider?.code == "notActive")
        #expect(error?.retry == .safe)
        #expect(bench.sent("/activate").isEmpty)
        #expect(try bench.play { try await $0.reader?.activation().step } == .inactive)
    }

    @Test func activatingRegistersAcceptsTheTermsAndMakesActive() throws {
        let bench = strict()
        let (before, after, ready) = try bench.play { client in
            let reader = try #require(client.reader)
            let before = try await reader.activation()
            try await reader.activate()
            try await reader.prepare()
            return (before, try await reader.activation(), reader.isReady)
        }
        #expect(before.step == .inactive)
        #expect(after == ActivationStatus(.active, raw: "Active"))
        #expect(ready)
        let bodies = try bench.body("/devices")
        #expect(bodies["deviceName"]?.string == "iPhone")
        let device = try #require(bodies["deviceId"]?.string)
        #expect(device == device.lowercased() && device.count == 36)
    }

    @Test func theDeviceKeepsItsNameWhenSomebodySignsOut() throws {
        let bench = ARISEBench()
        let names = try bench.play { client in
            try await client.reader?.prepare()
            try await client.session?.signOut()
            return try await client.session?.installation().device
        }
        _ = try bench.play { try await $0.reader?.prepare() }
        let sent = try bench.sent("/jwt").map { try JSONReader().read($0.body)["deviceId"]?.string }
        #expect(sent == [names, names])
    }

    @Test func withoutAPermissionNothingIsSent() {
        let bench = ARISEBench()
        bench.backend.configure { $0.permissions.remove(33) }
        let error = bench.failure { _ = try await $0.sale(.dollars(5_000), from: .reader, reference: "o") }
        #expect(error == PaymentError(.permission, outcome: .notExecuted))
        #expect(error?.detail.contains("featureTapToPayOnMobile") == true)
        #expect(bench.sent("/tap-to-pay").isEmpty)
    }

    @Test func whatTapToPayLacksInTheSettingsHasItsCode() {
        let bench = ARISEBench()
        bench.backend.configure { $0.hasTapProfile = false }
        let error = bench.failure { try await $0.reader?.prepare() }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(error?.provider?.code == "MER005")
        #expect(ARISEResolution("MER005")?.text == "Contact customer care.")
    }

    @Test func aPlainAmountIsRefusedWhereCreditCardsCostMore() throws {
        let bench = ARISEBench(.surcharge)
        let error = bench.failure { _ = try await $0.sale(.dollars(10_000), from: .reader, reference: "o") }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(bench.sent("/tap-to-pay").isEmpty)
        for (tender, due) in [(Tender.credit, Int64(10_350)), (.debit, 10_000)] {
            let payment = try bench.play { client in
                let quote = try #require(try await client.pricing?.quote(.dollars(10_000)))
                let request = try SaleRequest(quote, tender, from: .reader, reference: OrderReference("o-\(tender)"))
                return try await client.sale(request).payment
            }
            #expect(payment?.approved == .dollars(due))
        }
        let cash = bench.failure { client in
            let quote = try #require(try await client.pricing?.quote(.dollars(10_000)))
            _ = try await client.sale(SaleRequest(quote, .cash, from: .reader, reference: "cash"))
        }
        #expect(cash == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(bench.backend.ledger.balance(.merchant) == ["USD": 20_350])
    }

    @Test func abortingHasThreeAnswers() throws {
        let bench = ARISEBench()
        bench.reader.present(nil)
        let answers = try bench.play { [scheduler = bench.scheduler] client in
            let reader = try #require(client.reader)
            let nothing = try await reader.cancel()
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.dollars(5_000), from: .reader, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            let ended = try await reader.cancel()
            _ = await sale.result
            return [nothing, ended]
        }
        #expect(answers == [.nothingToCancel, .cancelled])
        bench.reader.present(SimulatedReader.Card())
        let late = try bench.play { [scheduler = bench.scheduler] client in
            let seen = Promise<Bool>()
            let events = client.events()
            let listener = Task(executorPreference: scheduler) {
                for await event in events where event.kind == .reader(.cardDetected) {
                    seen.fulfill(true)
                    return
                }
            }
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.dollars(5_000), from: .reader, reference: "late")
            }
            _ = await seen.value()
            let answer = try await client.reader?.cancel()
            listener.cancel()
            let payment = try await sale.value.payment
            return (answer, payment)
        }
        #expect(late.0 != .cancelled)
        #expect(late.1 != nil)
    }

    @Test func theSDKsEventsCanBeReadOffTheNeutralOnes() throws {
        let bench = ARISEBench()
        let events = try bench.play { client in
            let payment = try await client.sale(.dollars(5_000), from: .reader, reference: "o").payment
            let id = try #require(payment?.id)
            return try await client.timeline(of: id).map { ARISEEvent($0) }
        }
        for due in [ARISEEvent.preparing, .ready, .cardDetected, .cardReadSuccess, .authorizing, .approved] {
            #expect(events.contains(due), "\(due)")
        }
    }

    @Test(arguments: [
        (PaymentEvent.Kind.reader(.updateProgress(7)), ARISEEvent.updateReaderProgress(7)),
        (.reader(.notReady), .readerNotReady("")), (.reader(.readNotCompleted), .cardReadFailure),
        (.declined, .declined), (.failed, .errorOccurred), (.submitted, .inProgress),
        (PaymentEvent.Kind(rawValue: "till.opened"), .unknownEvent("till.opened")),
    ])
    func eachEventHasItsPlace(_ kind: PaymentEvent.Kind, _ due: ARISEEvent) throws {
        #expect(ARISEEvent(PaymentEvent(kind, at: 0, attributes: ["percent": "7"])) == due)
    }

    @Test func aTapFailureKeepsItsCode() throws {
        let fault = ARISEBench().driver.classify(ARISETapFailure("GPS003", message: "no signal"))
        #expect(fault.code == .locationRequired)
        #expect(fault.provider?.code == "GPS003")
        let open = ARISEBench().driver.classify(ARISETapFailure("CRYPTO004"))
        #expect(open.delivery == .maybeSent)
        #expect(ARISEBench().driver.classify(ARISETapFailure("NEW001")).delivery == .maybeSent)
    }
}
