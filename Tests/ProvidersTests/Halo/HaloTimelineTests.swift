import HaloProvider
import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import Testing

@Suite struct HaloTimelineTests {
    /// Every event of a client while something is played, in the order in which they happened.
    private func events(
        _ till: HaloTill, _ body: @escaping @Sendable (PaymentClient) async throws -> Void
    ) throws -> [PaymentEvent] {
        let client = try till.client()
        return try till.scheduler.run { [scheduler = till.scheduler] in
            let stream = client.events()
            try await body(client)
            let end = PaymentEvent.Kind(rawValue: "end")
            let marker = try await HaloTill.sale(client, 1_000, "marker").payment
            if let marker { try await client.addEvent(end, to: marker.id) }
            var seen: [PaymentEvent] = []
            for await event in stream {
                if event.attempt?.text == "marker" || event.kind == end { break }
                seen.append(event)
            }
            _ = scheduler.now
            return seen
        }
    }

    @Test func aPaymentWithAPINHasItsStepsInOrder() throws {
        let seen = try events(HaloTill()) { client in
            try await client.session?.open()
            try await client.reader?.showEducation()
            try await client.reader?.prepare()
            _ = try await HaloTill.sale(client, 1_065)
        }
        #expect(
            seen.compactMap { HaloTimeline.step(of: $0) } == [
                "sdkInitialized", "discoveryShown", "sdkReaderPrepared", "paymentStarted", "paymentValidated",
                "readyForTap", "cardDetected", "transactionSubmissionStarted", "transactionResponseReceived",
                "pinCaptureStarted", "pinCaptureSucceeded", "transactionSubmissionStarted",
                "transactionResponseReceived", "paymentApproved",
            ])
        let answers = seen.filter { HaloTimeline.step(of: $0) == "transactionResponseReceived" }.map(\.attributes)
        #expect(answers.map { $0["isSingleTapAndPin"] } == ["true", "true"])
        #expect(answers.map { $0["isApproved"] } == ["false", "true"])
        #expect(answers.first?["originalTransactionId"]?.isEmpty == false)
    }

    @Test func declinesCancellationsAndErrorsAreSteps() throws {
        let till = HaloTill()
        let seen = try events(till) { client in
            _ = try await HaloTill.sale(client, 1_051, "declined")
            till.reader.present(nil)
            let sale = Task(executorPreference: till.scheduler) { try await HaloTill.sale(client, 1_000, "cancelled") }
            try await till.scheduler.sleep(until: till.scheduler.now + 1_000)
            try await client.reader?.cancel()
            _ = try? await sale.value
            var card = SimulatedReader.Card()
            card.failure = .unreadable
            till.reader.present(card)
            _ = try? await HaloTill.sale(client, 1_000, "unreadable")
            till.reader.present(SimulatedReader.Card())
        }
        let last = seen.compactMap { HaloTimeline.step(of: $0) }.filter {
            ["paymentDeclined", "paymentCancelled", "paymentError"].contains($0)
        }
        #expect(last == ["paymentDeclined", "paymentCancelled", "paymentError"])
    }

    @Test func applicationsAddTheirOwn() throws {
        let till = HaloTill()
        let kinds = try till.play { client in
            guard let payment = try await HaloTill.sale(client).payment else { return [PaymentEvent.Kind]() }
            try await client.addEvent(PaymentEvent.Kind(rawValue: "termsShown"), to: payment.id)
            return try await client.timeline(of: payment.id).map(\.kind)
        }
        #expect(kinds.last == PaymentEvent.Kind(rawValue: "termsShown"))
        #expect(HaloTimeline.step(of: PaymentEvent(PaymentEvent.Kind(rawValue: "termsShown"), at: 0)) == nil)
    }

    @Test func progressIsInPartsPerThousand() throws {
        let seen = Locked([Int]())
        let till = HaloTill()
        try till.play { client in try await client.reader?.prepare { percent in seen.withLock { $0.append(percent) } } }
        let progress = seen.withLock { $0 }.compactMap { HaloTimeline.progress(.updateProgress($0)) }
        #expect(progress == [10, 500, 1_000] && HaloTimeline.progress(.readRetry) == nil)
    }
}
