import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// The link `kit`: what each end of the kit's call is told as.
@Suite struct EcommpayMobileDriverTests {
    private static let rows = EcommpayPhoneSDK.table.rows

    @Test func aSuccessIsWhatTheKitSays() throws {
        let till = EcommpayKitTill(showsStatus: false)
        let payment = try #require(try till.sell().payment)
        #expect(payment.approved == Money(minorUnits: 5_000, .eur) && payment.references["payment"] == "a-1")
        #expect(payment.card?.last4 == "4444" && till.kit.startCount == 1 && till.charged == [5_000])
    }

    /// Every error before a payment was sent: what its row proves is told, and what it leaves open is taken up again under
    /// the same name, so that it is paid once.
    @Test(arguments: rows) func anErrorBeforeAPaymentIsToldAsTheTableHasIt(_ rule: SDKErrorRule) throws {
        let till = EcommpayKitTill()
        till.kit.play(.ends(EcommpayPhoneSDK.ErrorCode(rawValue: rule.code)))
        let told = try till.told()
        if rule.outcome == .nothingMoved {
            #expect(told == "\(rule.cause.rawValue) nothingMoved" && till.charged.isEmpty)
            #expect(till.kit.startCount == 1)
        } else {
            #expect(told == "approved" && till.charged == [5_000])
            #expect(till.kit.startCount == 2 && till.kit.sessionCount == 2)
        }
    }

    /// Once the kit has told that the payment exists, no error of its own proves that nothing moved.
    @Test(arguments: rows) func anErrorAfterAPaymentBeganIsNeverToldAsNothing(_ rule: SDKErrorRule) throws {
        let till = EcommpayKitTill()
        till.kit.play(.breaksOff(EcommpayPhoneSDK.ErrorCode(rawValue: rule.code)))
        #expect(try till.told() == "approved")
        #expect(till.charged == [5_000] && till.kit.startCount == 1)
    }

    @Test(arguments: rows) func andWhereTheGateShowsNothingItIsUnknown(_ rule: SDKErrorRule) throws {
        let till = EcommpayKitTill(showsStatus: false)
        till.kit.play(.breaksOff(EcommpayPhoneSDK.ErrorCode(rawValue: rule.code)))
        #expect(try till.told().hasSuffix(" unknown"))
        #expect(till.charged == [5_000] && till.kit.startCount == 1)
    }

    @Test func anAnswerThatIsLostIsTakenUpAgainAndPaidOnce() throws {
        let till = EcommpayKitTill()
        till.kit.play(.loses(.networkTimeout))
        #expect(try till.told() == "approved")
        #expect(till.charged == [5_000] && till.kit.sessionCount == 2)
    }

    @Test func aCodeThatNobodyListsIsUnknown() throws {
        let till = EcommpayKitTill(showsStatus: false)
        till.kit.play(.loses(EcommpayPhoneSDK.ErrorCode(rawValue: "SOMETHING_NEW")))
        #expect(try till.told().hasSuffix(" unknown") && till.charged == [5_000])
    }

    /// Nothing is paid by opening a session, whatever it ends with; a payment that is there already is another one's.
    @Test(arguments: rows) func aSessionThatIsRefusedMovesNothing(_ rule: SDKErrorRule) throws {
        let till = EcommpayKitTill()
        till.kit.play(.refusesSession(EcommpayPhoneSDK.ErrorCode(rawValue: rule.code)))
        let told = try till.told()
        #expect(told.hasSuffix(" nothingMoved"), "\(told)")
        #expect(till.kit.startCount == 0 && till.charged.isEmpty)
    }

    // MARK: The end

    @Test func aDeclineHasItsReasonFromTheGate() throws {
        let till = EcommpayKitTill()
        var said: Decline?
        if case .declined(let decline) = try till.sell(5_051) { said = decline }
        #expect(said?.reason == .insufficientFunds && said?.provider.code == "10105" && till.charged.isEmpty)
        let blind = EcommpayKitTill(showsStatus: false)
        if case .declined(let decline) = try blind.sell(5_051) { said = decline }
        #expect(said?.reason == .declinedByProvider && said?.provider.code == "decline" && blind.charged.isEmpty)
    }

    @Test func aReasonThatNobodyListsKeepsItsCode() throws {
        let till = EcommpayKitTill()
        till.backend.setCards(["5555555555554444": "98765"])
        var said: Decline?
        if case .declined(let decline) = try till.sell() { said = decline }
        #expect(said?.reason == .unmapped && said?.provider.code == "98765")
    }

    @Test func anotherAmountIsNotTakenFromTheKit() throws {
        let till = EcommpayKitTill()
        till.kit.play(.echoes(9_900))
        // The Gate's signed status knows better.
        #expect(try till.sell().payment?.approved == Money(minorUnits: 5_000, .eur))
        let blind = EcommpayKitTill(showsStatus: false)
        blind.kit.play(.echoes(9_900))
        #expect(try blind.told() == "mismatch unknown" && blind.charged == [5_000])
    }

    @Test(arguments: [SimulatedEcommpaySDK.Fault.saysNoAmount, .saysNoPayment])
    func aSuccessWithoutAnAmountIsReadAtTheGate(_ fault: SimulatedEcommpaySDK.Fault) throws {
        let till = EcommpayKitTill()
        till.kit.play(fault)
        #expect(try till.sell().payment?.approved == Money(minorUnits: 5_000, .eur))
        let blind = EcommpayKitTill(showsStatus: false)
        blind.kit.play(fault)
        #expect(try blind.told() == "mismatch unknown" && blind.charged == [5_000])
    }

    @Test func whatIsAboutAnotherPaymentProvesNothing() throws {
        let till = EcommpayKitTill(showsStatus: false)
        till.kit.play(.renames)
        #expect(try till.told().hasSuffix(" unknown") && till.charged == [5_000])
        let seeing = EcommpayKitTill()
        seeing.kit.play(.renames)
        #expect(try seeing.told() == "approved" && seeing.charged == [5_000])
    }

    @Test func aPartIsToldAsAPart() throws {
        let till = EcommpayKitTill()
        let payment = try till.sell(20_000, "5126160000356675").payment
        #expect(payment?.approved == Money(minorUnits: 12_000, .eur) && payment?.isPartial == true)
    }

    /// Statuses of which the kit says no more, and a decline that the provider would try again: each is told as open.
    @Test(arguments: [5_015, 5_033, 5_034, 5_035] as [Int64]) func whatTakesLongIsPending(_ units: Int64) throws {
        let till = EcommpayKitTill()
        #expect(try till.told(units) == "pending" && till.charged.isEmpty)
    }

    /// The kit says that another try is allowed, and the Gate can't be asked: the payment isn't over, and may still be paid.
    @Test func decline_thatMayBeTriedAgain_gateSilent_isPending() throws {
        let till = EcommpayKitTill(showsStatus: false)
        #expect(try till.told(5_033) == "pending" && till.charged.isEmpty)
        let over = EcommpayKitTill(showsStatus: false)
        #expect(try over.told(5_051) == "declined" && over.charged.isEmpty)
    }

    // MARK: Time

    /// The caller has left long ago, and the Gate shows nothing: the kit's late end is kept all the same.
    @Test func aLateEndConcludesItsAttempt() throws {
        let till = EcommpayKitTill(showsStatus: false)
        till.kit.play(.endsLate(20 * 60_000))
        let (client, request) = (try till.client(), try EcommpayTill.request())
        let (early, late) = try till.scheduler.run {
            var early: PaymentError?
            do { _ = try await client.sale(request, attempt: AttemptID("a-1")) } catch {
                early = error as? PaymentError
            }
            try await till.scheduler.sleep(until: till.scheduler.now + 30 * 60_000)
            return (early, try await client.status(AttemptID("a-1")))
        }
        #expect(early?.outcome == .unknown && late.payment?.approved == Money(minorUnits: 5_000, .eur))
    }

    /// The same with a kit that never says how it ended: the test before can fail, and the Gate knows.
    @Test func aKitThatFallsSilentLeavesItToTheGate() throws {
        for isShown in [false, true] {
            let till = EcommpayKitTill(showsStatus: isShown)
            till.kit.play(.isSilent)
            let (client, request) = (try till.client(), try EcommpayTill.request())
            let told: String = try till.scheduler.run {
                _ = try? await client.sale(request, attempt: AttemptID("a-1"))
                try await till.scheduler.sleep(until: till.scheduler.now + 30 * 60_000)
                do {
                    return try await client.status(AttemptID("a-1")).payment == nil ? "open" : "approved"
                } catch let error as PaymentError { return "\(error.outcome)" }
            }
            #expect(told == (isShown ? "approved" : "unknown"))
        }
    }
}
