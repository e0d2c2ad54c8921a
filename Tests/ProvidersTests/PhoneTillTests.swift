import PaymentBase
import PaymentCore
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PhoneTill
import Testing

/// The till of `Examples/Phone` in front of the simulated kits of three providers.
@Suite struct PhoneTillTests {
    private static func till(_ client: PaymentClient, _ scheduler: TestScheduler) -> Till {
        Till(client, executor: scheduler)
    }

    /// The screens of a till, without those that repeat the one before.
    private static func screens(
        _ client: PaymentClient, _ scheduler: TestScheduler, _ body: @escaping @Sendable (Till) async throws -> Void
    ) throws -> [TillScreen] {
        let seen = Locked([TillScreen]())
        try scheduler.run {
            let till = Self.till(client, scheduler)
            let stream = await till.screens()
            let watching = Task(executorPreference: scheduler) {
                for await screen in stream { seen.withLock { if $0.last != screen { $0.append(screen) } } }
            }
            try await body(till)
            // What was reported is recorded before the end.
            try? await scheduler.sleep(until: scheduler.now + 10)
            watching.cancel()
        }
        return seen.withLock { $0 }
    }

    private static func paid(_ screens: [TillScreen]) -> (PaymentID, Money)? {
        guard case .paid(let payment)? = screens.last else { return nil }
        return (payment.id, payment.approved)
    }

    // MARK: Three companies, one till

    @Test func aDayWithHalo() throws {
        let halo = HaloKitTill()
        let screens = try Self.screens(try halo.client(), halo.scheduler) { till in
            await till.start()
            #expect(await till.screen == .ready)
            await till.charge(Money(minorUnits: 1_500, .zar), reference: "order-1")
        }
        #expect(screens.first == .starting && screens.contains(.preparing(percent: 0)))
        #expect(Self.paid(screens)?.1 == Money(minorUnits: 1_500, .zar))
        let steps = screens.compactMap { screen -> TillScreen.Prompt? in
            if case .paying(let step) = screen { return step }
            return nil
        }
        #expect(steps.first == .wait && steps.contains(.presentCard) && steps.contains(.holdStill), "\(steps)")
        #expect(halo.charged == [1_500])
    }

    @Test func aDayWithNI() throws {
        let ni = NIKitTill()
        let screens = try Self.screens(try ni.client(), ni.scheduler) { till in
            await till.start()
            if await till.screen == .terms { await till.acceptTerms() }
            await till.charge(.aed(1_500), reference: "order-1")
            guard case .paid(let payment) = await till.screen else { return }
            await till.refund(payment.id)
        }
        // What was charged today is voided today and refunded from tomorrow on. A copy of an executed refund gets the same
        // refusal, and the order can't show which it was: the till says that it is not known.
        guard case .unknown? = screens.last else {
            Issue.record("\(screens)")
            return
        }
        #expect(screens.contains(.terms) && ni.charged == [1_500])
    }

    @Test func moneyIsRefundedAfterTheSettlement() throws {
        let arise = ARISEKitTill()
        let screens = try Self.screens(try arise.client(), arise.scheduler) { till in
            await till.start()
            await till.charge(.dollars(1_500), reference: "order-1")
            guard case .paid(let payment) = await till.screen else { return }
            arise.backend.settle()
            await till.refund(payment.id)
        }
        guard case .refunded(let payment)? = screens.last else {
            Issue.record("\(screens)")
            return
        }
        #expect(payment.approved == .dollars(1_500) && arise.backend.ledger.balance(.merchant)["USD", default: 0] == 0)
    }

    @Test func aPhoneIsActivatedWithTheTermsAndThenPaysAtARISE() throws {
        let arise = ARISEKitTill(isActive: false)
        let screens = try Self.screens(try arise.client(), arise.scheduler) { till in
            await till.start()
            #expect(await till.screen == .terms)
            // Nothing is charged before the terms are accepted.
            await till.charge(.dollars(1_500), reference: "early")
            #expect(await till.screen == .terms)
            await till.acceptTerms()
            #expect(await till.screen == .ready)
            await till.charge(.dollars(1_500), reference: "order-1")
        }
        #expect(Self.paid(screens)?.1 == .dollars(1_500) && arise.charged == [1_500])
    }

    /// A fresh phone was not asked for its place yet: the application asks, and the till continues.
    @Test func aPhoneWhosePlaceIsNotKnown_isAskedForItAndThenPays() throws {
        let arise = ARISEKitTill()
        arise.kit.locates(.undetermined)
        let screens = try Self.screens(try arise.client(), arise.scheduler) { [kit = arise.kit] till in
            await till.start()
            #expect(await till.screen == .needsLocation)
            await till.charge(.dollars(1_500), reference: "early")
            kit.locates(.granted)
            await till.start()
            await till.showLesson()
            #expect(await till.screen == .ready)
            await till.charge(.dollars(1_500), reference: "order-1")
        }
        #expect(Self.paid(screens)?.1 == .dollars(1_500) && arise.charged == [1_500])
    }

    // MARK: What goes wrong

    @Test func aPhoneThatCanNotTakeCardsSaysWhy() throws {
        let arise = ARISEKitTill()
        arise.kit.run(on: "iPhone10,3")
        let screens = try Self.screens(try arise.client(), arise.scheduler) { till in await till.start() }
        guard case .unsuitable(let reasons)? = screens.last else {
            Issue.record("\(screens)")
            return
        }
        #expect(reasons.first?.contains("iPhone10,3") == true && screens.last?.takesPayments == false)
    }

    @Test func aDeclineLetsTheNextCardBeTried() throws {
        let halo = HaloKitTill()
        let screens = try Self.screens(try halo.client(), halo.scheduler) { till in
            await till.start()
            await till.charge(Money(minorUnits: 1_051, .zar), reference: "order-1")
            await till.charge(Money(minorUnits: 1_500, .zar), reference: "order-1")
        }
        #expect(screens.contains(.declined(.insufficientFunds)))
        #expect(Self.paid(screens) != nil && halo.charged == [1_500])
    }

    @Test func aCancelledWaitMovesNothing() throws {
        let halo = HaloKitTill()
        halo.inner.reader.present(nil)
        let screens = try Self.screens(try halo.client(), halo.scheduler) { till in
            await till.start()
            let paying = Task(executorPreference: halo.scheduler) {
                await till.charge(Money(minorUnits: 1_500, .zar), reference: "order-1")
            }
            try? await halo.scheduler.sleep(until: halo.scheduler.now + 5_000)
            await till.cancel()
            await paying.value
        }
        guard case .cancelled? = screens.last else {
            Issue.record("\(screens)")
            return
        }
        #expect(halo.charged.isEmpty && screens.last?.takesPayments == true)
    }

    /// The outcome is unknown: nothing more is charged on this till, a new start shows the same, and the answer comes when the provider's
    /// record can be read.
    @Test func whileTheOutcomeIsUnknown_nothingIsCharged() throws {
        let halo = HaloKitTill()
        #expect(halo.backend.play("halo.search.silently-empty/4"))
        halo.kit.play(.loses(.networkError))
        let client = try halo.client()
        let screens = try Self.screens(client, halo.scheduler) { till in
            await till.start()
            await till.charge(Money(minorUnits: 1_500, .zar), reference: "order-1")
            guard case .unknown(let attempt) = await till.screen else { return }
            await till.charge(Money(minorUnits: 1_500, .zar), reference: "order-1")
            #expect(await till.screen == .unknown(attempt))
            let restarted = Self.till(client, halo.scheduler)
            await restarted.start()
            #expect(await restarted.screen == .unknown(attempt))
        }
        guard case .unknown? = screens.last else {
            Issue.record("\(screens)")
            return
        }
        #expect(halo.charged == [1_500] && halo.kit.startCount == 1)
    }
}
