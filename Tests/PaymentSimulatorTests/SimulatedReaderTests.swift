import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@Suite struct SimulatedReaderTests {
    private let scheduler = TestScheduler()

    /// A prepared reader with what it reports from then on.
    private func prepared(_ card: SimulatedReader.Card?) async throws -> (SimulatedReader, Locked<[ReaderEvent]>) {
        let reader = SimulatedReader(clock: scheduler, executor: scheduler, card: card)
        let events = Locked([ReaderEvent]())
        try await reader.prepare(token: Secret("token"))
        await reader.setEventHandler { event in events.withLock { $0.append(event) } }
        return (reader, events)
    }

    private func read(
        _ card: SimulatedReader.Card, _ request: CardReadRequest = CardReadRequest(.purchase, .cents(1_000))
    ) throws -> (read: CardReadResult?, error: PaymentError?, events: [ReaderEvent]) {
        try scheduler.run {
            let (reader, events) = try await prepared(card)
            do {
                let read = try await reader.read(request)
                return (read, nil, events.withLock { $0 })
            } catch {
                return (nil, error as? PaymentError, events.withLock { $0 })
            }
        }
    }

    private static func payload(_ read: CardReadResult?) -> JSON? {
        read.flatMap { Base64.standard.decode($0.paymentCardData.expose()) }.flatMap { try? JSONReader().read($0) }
    }

    private static let ending: [ReaderEvent] = [.removeCard, .readCompleted, .userInterfaceDismissed]

    @Test func eventsComeInARealOrder() throws {
        let plain = try read(SimulatedReader.Card())
        #expect(plain.events == [.readyForTap, .cardDetected] + Self.ending)
        #expect(Self.payload(plain.read)?["pin"] == nil && plain.read?.pinBypassed == false)
        let asked: [ReaderEvent] = [.readyForTap, .cardDetected, .pinEntryRequested, .pinEntryCompleted]
        for verification in SimulatedReader.Card.Verification.allCases where verification != .none {
            var card = SimulatedReader.Card(pin: "0000")
            card.verification = verification
            let read = try read(card)
            #expect(read.events == asked + Self.ending)
            let pin = Self.payload(read.read)?["pin"]?.string
            #expect((pin == "0000") == (verification == .rightPIN))
            #expect((pin == nil) == (verification == .bypassedPIN))
            #expect(read.read?.pinBypassed == (verification == .bypassedPIN))
        }
    }

    @Test func aCardThatIsTakenAwayTooEarlyIsAskedForAgain() throws {
        var card = SimulatedReader.Card()
        (card.earlyRemovals, card.tapMilliseconds) = (2, 300)
        let start = scheduler.now
        let read = try read(card)
        let again: [ReaderEvent] = [.readyForTap, .cardDetected, .readRetry]
        #expect(read.events == again + again + [.readyForTap, .cardDetected] + Self.ending)
        #expect(read.read != nil && scheduler.now == start + 900)
    }

    @Test(arguments: SimulatedReader.Card.Failure.allCases) func failuresAreSaid(
        failure: SimulatedReader.Card.Failure
    ) throws {
        var card = SimulatedReader.Card()
        card.failure = failure
        let read = try read(card)
        #expect(read.error == PaymentError(.readerUnavailable, outcome: .notExecuted))
        #expect(read.events == [.readyForTap, .cardDetected, .readNotCompleted, .userInterfaceDismissed])
    }

    /// While the card is in the field, `cancel` is too late, and the read ends normally even if its task is cancelled.
    @Test func cancel_cardInField_isTooLate() throws {
        var card = SimulatedReader.Card()
        (card.tapMilliseconds, card.fieldMilliseconds) = (300, 200)
        let start = scheduler.now
        let (answer, read) = try scheduler.run { [card] in
            let (reader, events) = try await prepared(card)
            let reading = Task(executorPreference: scheduler) {
                try await reader.read(CardReadRequest(.purchase, .cents(1)))
            }
            try await scheduler.sleep(until: start + 400)
            #expect(events.withLock { $0 } == [.readyForTap, .cardDetected])
            let answer = try await reader.cancel()
            reading.cancel()
            return (answer, try await reading.value)
        }
        #expect(answer == .tooLate)
        #expect(read.id == "read-1")
        #expect(scheduler.now == start + 500)
    }

    @Test func aCardMayRefuseOnItsOwn() throws {
        var card = SimulatedReader.Card()
        card.isDeclinedByCard = true
        #expect(try read(card).read?.isDeclinedByCard == true)
    }

    @Test func amountsHaveToBeAboveNothing() throws {
        #expect(try read(SimulatedReader.Card(), CardReadRequest(.purchase, .cents(0))).error?.code == .invalidRequest)
        #expect(try read(SimulatedReader.Card(), CardReadRequest(.refund, .cents(-1))).error?.code == .invalidRequest)
        #expect(try read(SimulatedReader.Card(), CardReadRequest(.verification, .cents(0))).read != nil)
    }

    @Test(arguments: SimulatedReader.Interruption.allCases) func nothingIsReadDuringAnInterruption(
        situation: SimulatedReader.Interruption
    ) throws {
        let (interrupted, refused, after, events) = try scheduler.run {
            let (reader, events) = try await prepared(nil)
            let reading = Task(executorPreference: scheduler) {
                try await reader.read(CardReadRequest(.purchase, .cents(1)))
            }
            while !events.withLock({ $0.contains(.readyForTap) }) { await Task.yield() }
            reader.begin(situation)
            let interrupted = await reading.result
            let refused = await Task(executorPreference: scheduler) {
                try await reader.read(CardReadRequest(.purchase, .cents(1)))
            }.result
            reader.end(situation)
            reader.present(SimulatedReader.Card())
            if situation == .background { try await reader.prepare(token: Secret("token")) }
            return (
                interrupted, refused, try await reader.read(CardReadRequest(.purchase, .cents(1))),
                events.withLock { $0 }
            )
        }
        let code: PaymentError.Code = situation == .screenCapture ? .deviceCompromised : .readerUnavailable
        for result in [interrupted, refused] {
            guard case .failure(let error) = result else {
                Issue.record("read during \(situation)")
                continue
            }
            #expect(error as? PaymentError == PaymentError(code, outcome: .notExecuted))
        }
        #expect(after.id == "read-1")
        #expect(events.prefix(3) == [.readyForTap, .readNotCompleted, .userInterfaceDismissed])
        #expect(events.contains(.notReady) == (situation == .background))
    }

    @Test func thereIsOneReadAtATime() throws {
        let codes = try scheduler.run {
            let (reader, _) = try await prepared(SimulatedReader.Card())
            let reads = (1...3).map { _ in
                Task(executorPreference: scheduler) { try await reader.read(CardReadRequest(.purchase, .cents(1))) }
            }
            var codes: [String] = []
            for read in reads {
                do { codes.append(try await read.value.id) } catch {
                    codes.append((error as? PaymentError)?.code.rawValue ?? "")
                }
            }
            return codes.sorted()
        }
        #expect(codes == ["read-1", "readerBusy", "readerBusy"])
    }

    @Test func withoutPreparationNothingIsRead() throws {
        let error = try scheduler.run { () -> PaymentError? in
            let reader = SimulatedReader(clock: scheduler)
            do { _ = try await reader.read(CardReadRequest(.purchase, .cents(1))) } catch {
                return error as? PaymentError
            }
            return nil
        }
        #expect(error == PaymentError(.readerUnavailable, outcome: .notExecuted))
    }

    @Test func aTokenLapsesAfterTwoDays() throws {
        let (before, events, lapsed, renewed) = try scheduler.run {
            let (reader, events) = try await prepared(SimulatedReader.Card())
            scheduler.advance(by: SimulatedReader.tokenMilliseconds - 1)
            let before = try await reader.read(CardReadRequest(.purchase, .cents(1))).id
            let lapsed = await Task(executorPreference: scheduler) {
                try await reader.read(CardReadRequest(.purchase, .cents(1)))
            }.result
            let last = events.withLock { $0.last }
            try await reader.prepare(token: Secret("token"))
            return (before, last, lapsed, try await reader.read(CardReadRequest(.purchase, .cents(1))).id)
        }
        #expect(before == "read-1" && renewed == "read-2" && events == .notReady)
        if case .success = lapsed { Issue.record("a lapsed token was good") }
    }

    @Test func thePINHasAWindow() throws {
        for (milliseconds, isLate) in [(Int64(0), false), (55_000, false), (55_001, true)] {
            let result = try scheduler.run {
                let (reader, _) = try await prepared(SimulatedReader.Card())
                let read = try await reader.read(CardReadRequest(.purchase, .cents(1)))
                scheduler.advance(by: milliseconds)
                return await Task(executorPreference: scheduler) {
                    try await reader.readPIN(token: Secret("pin"), after: read)
                }.result
            }
            switch result {
            case .success(let read): #expect(!isLate && Self.payload(read)?["pin"] == "1234")
            case .failure: #expect(isLate)
            }
        }
    }

    @Test func cancellingHasThreeAnswers() throws {
        let (none, early, late) = try scheduler.run {
            let (reader, events) = try await prepared(nil)
            let none = try await reader.cancel()
            let reading = Task(executorPreference: scheduler) {
                try await reader.read(CardReadRequest(.purchase, .cents(1)))
            }
            while !events.withLock({ $0.contains(.readyForTap) }) { await Task.yield() }
            let early = try await reader.cancel()
            _ = await reading.result
            return (none, early, events.withLock { $0 })
        }
        #expect(none == .nothingToCancel && early == .cancelled)
        #expect(late == [.readyForTap, .readCancelled, .userInterfaceDismissed])
    }

    @Test func theProviderSeesAWrongPIN() throws {
        let till = Till()
        let client = try till.client()
        var card = SimulatedReader.Card()
        card.verification = .wrongPIN
        till.reader.present(card)
        let wrong = try till.play { try await client.sale(.cents(1_000), from: .reader, reference: "o1") }
        guard case .declined(let decline) = wrong else {
            Issue.record("\(wrong)")
            return
        }
        #expect(decline.reason == .incorrectPIN && till.backend.ledger.movements.isEmpty)
        card.verification = .rightPIN
        till.reader.present(card)
        let right = try till.play { try await client.sale(.cents(1_000), from: .reader, reference: "o2") }
        #expect(right.payment != nil)
    }
}
