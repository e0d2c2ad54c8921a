import EcommpayProvider
import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// The link `kit`: how each end of the kit's call is reported.
@Suite struct EcommpayMobileDriverTests {
    private static let rows = EcommpayPhoneSDK.table.rows

    @Test func aSuccessIsWhatTheKitSays() throws {
        let till = EcommpayKitTill(showsStatus: false)
        let payment = try #require(try till.sell().payment)
        #expect(payment.approved == Money(minorUnits: 5_000, .eur) && payment.references["payment"] == "a-1")
        #expect(payment.card?.last4 == "4444" && till.kit.startCount == 1 && till.charged == [5_000])
    }

    /// Every error before a payment was sent: what its row proves is reported, and what it leaves open is taken up again under
    /// the same name, so that it is paid once.
    @Test(arguments: rows) func anErrorBeforeAPaymentIsReportedAsTheTableHasIt(_ rule: SDKErrorRule) throws {
        let till = EcommpayKitTill()
        till.kit.play(.ends(EcommpayPhoneSDK.ErrorCode(rawValue: rule.code)))
        let told = try till.told()
        if rule.outcome == .notExecuted {
            #expect(told == "\(rule.cause.rawValue) notExecuted" && till.charged.isEmpty)
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

    /// No document says on which side of the request the network was gone, nor what an illegal state had begun.
    @Test(arguments: [EcommpayPhoneSDK.ErrorCode.networkIsNotAvailable, .illegalState])
    func error_thatMayComeAfterTheRequest_isTakenUpAgainAndPaidOnce(_ code: EcommpayPhoneSDK.ErrorCode) throws {
        let till = EcommpayKitTill()
        till.kit.play(.loses(code))
        #expect(try till.told() == "approved")
        #expect(till.charged == [5_000] && till.kit.sessionCount == 2)
    }

    @Test func anUnlistedCodeIsUnknown() throws {
        let till = EcommpayKitTill(showsStatus: false)
        till.kit.play(.loses(EcommpayPhoneSDK.ErrorCode(rawValue: "SOMETHING_NEW")))
        #expect(try till.told().hasSuffix(" unknown") && till.charged == [5_000])
    }

    /// Nothing is paid by opening a session, whatever it ends with; a payment that is there already is another one's.
    @Test(arguments: rows) func aSessionThatIsRefusedMovesNothing(_ rule: SDKErrorRule) throws {
        let till = EcommpayKitTill()
        till.kit.play(.refusesSession(EcommpayPhoneSDK.ErrorCode(rawValue: rule.code)))
        let told = try till.told()
        #expect(told.hasSuffix(" notExecuted"), "\(told)")
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

    @Test func anUnlistedReasonKeepsItsCode() throws {
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

    @Test func aPartIsReportedAsAPart() throws {
        let till = EcommpayKitTill()
        let payment = try till.sell(20_000, "5126160000356675").payment
        #expect(payment?.approved == Money(minorUnits: 12_000, .eur) && payment?.isPartial == true)
    }

    /// Statuses of which the kit says no more, and a decline that the provider would try again: each is reported as open.
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

/// The link `kit`: who signs, what is asked on the way, what a kit has no place for, and how it is opened.
@Suite struct EcommpayKitSessionTests {
    // MARK: Signing

    @Test func theServerSignsTheKitsOwnText() throws {
        let till = EcommpayKitTill()
        #expect(try till.told() == "approved")
        let texts = till.kit.signedTexts
        #expect(texts == ["payment_amount:5000;payment_currency:EUR;payment_id:a-1;project_id:1234"])
        #expect(till.server.texts.withLock { $0.first } == texts.first)
    }

    /// The server compares the Gate's answers: their signature on a phone would be one of a callback.
    @Test func phone_readingAnAnswerOfTheGate_asksForNoSignatureOfIt() throws {
        let till = EcommpayKitTill()
        var said: Decline?
        if case .declined(let decline) = try till.sell(5_051) { said = decline }
        // The Gate's answer was believed.
        #expect(said?.reason == .insufficientFunds)
        let texts = till.server.texts.withLock { $0 }
        #expect(texts.count > 1 && !texts.contains { $0.contains("payment:status:") }, "\(texts)")
    }

    @Test func session_whoseCustomerLooksLikeACallback_isRefusedBeforeItIsSigned() throws {
        let till = EcommpayKitTill()
        let error = #expect(throws: PaymentError.self) {
            _ = try till.sell { $0.customer = "c;operation:id:1;payment:status:success" }
        }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(till.server.texts.withLock { $0 }.isEmpty && till.kit.sessionCount == 0)
    }

    /// What signs bytes signs a callback as well.
    @Test func sale_inProductionWithASignerOfBytes_isRefusedBeforeItIsSigned() throws {
        var till = EcommpayKitTill()
        till.inner.configuration.environment = "production"
        till.inner.tools.delegates["ecommpay"] = nil
        let asked = Locked(0)
        till.inner.tools.signers["ecommpay"] = { _ in
            asked.withLock { $0 += 1 }
            return Secret("c2lnbmVk")
        }
        #expect(try till.told() == "configuration notExecuted")
        #expect(asked.withLock { $0 } == 0 && till.kit.sessionCount == 0)
    }

    @Test func aServerMayAddWhatTheKitHasAPlaceFor() throws {
        #expect(try EcommpayKitTill(.addsADescription).told() == "approved")
        #expect(try EcommpayKitTill(.addsALanguage).told() == "approved")
        let till = EcommpayKitTill(.addsWhatNoKitHas)
        #expect(try till.told() == "configuration notExecuted" && till.kit.sessionCount == 0)
    }

    @Test func aServerThatChangesTheAmountOrRefusesMovesNothing() throws {
        let till = EcommpayKitTill(.changesTheAmount)
        #expect(try till.told() == "mismatch notExecuted" && till.charged.isEmpty)
        let refused = EcommpayKitTill(.refuses)
        #expect(try refused.told().hasSuffix(" notExecuted") && refused.kit.sessionCount == 0)
    }

    // MARK: Questions

    @Test func fieldsOfTheCustomerAreAskedWithTheirLabelsAndAgainWhenTheyAreWrong() throws {
        var till = EcommpayKitTill()
        let asked = Locked([RequestedFields.Field]())
        till.inner.answers.handle(RequestedFields.self) { question in
            let count = asked.withLock { fields in
                fields += question.fields
                return fields.count
            }
            return ["email": PersonalData(count == 1 ? "no address" : "john@example.org")]
        }
        #expect(try till.told(5_032) == "approved")
        let fields = asked.withLock { $0 }
        #expect(fields.map(\.name) == ["email", "email"] && fields.first?.label == "E-mail")
    }

    @Test func clarificationTakesSeveralRoundsWithPartialAnswers() throws {
        var till = EcommpayKitTill()
        let rounds = Locked(0)
        till.inner.answers.handle(RequestedFields.self) { _ in
            let round = rounds.withLock { round in
                round += 1
                return round
            }
            return round == 1
                ? ["avs_post_code": "NW1"] : ["avs_post_code": "NW1", "avs_street_address": "1 High Street"]
        }
        #expect(try till.told(5_031) == "approved" && rounds.withLock { $0 } == 2)
    }

    /// The pages come in their order; what the bank says there, the provider hears from the bank.
    @Test func theBankDecidesAChallenge() throws {
        for (number, told) in [("5413330000000019", "approved"), ("5544330000000045", "declined")] {
            var till = EcommpayKitTill()
            let steps = Locked([ThreeDSecureChallenge.Step]())
            till.inner.answers.handle(ThreeDSecureChallenge.self) { page in
                steps.withLock { $0.append(page.step) }
                return .init()
            }
            #expect(try till.told(5_000, number) == told)
            #expect(steps.withLock { $0 } == [.method, .challenge])
            #expect(till.charged == (told == "approved" ? [5_000] : []))
        }
    }

    @Test func anotherTryWithAnotherPageNeedsTheCustomersConsent() throws {
        let till = EcommpayKitTill()
        #expect(try till.told(5_030) == "approved")
        var other = EcommpayKitTill()
        let pages = Locked(0)
        other.inner.answers.handle(CascadeConsent.self) { _ in false }
        other.inner.answers.handle(ThreeDSecureChallenge.self) { _ in
            pages.withLock { $0 += 1 }
            return .init()
        }
        #expect(try other.told(5_030) == "pending" && pages.withLock { $0 } == 0 && other.charged.isEmpty)
    }

    /// No answer comes: the payment waits, and the provider ends it after half an hour.
    @Test func anAbandonedChallengeIsPendingAndDeclinedAfterHalfAnHour() throws {
        var till = EcommpayKitTill()
        till.inner.answers = QuestionHandlers()
        let (client, scheduler) = (try till.client(), till.scheduler)
        let request = try EcommpayTill.request(5_000, "5413330000000019")
        let (first, last) = try scheduler.run {
            let first = try await client.sale(request, attempt: AttemptID("a-1"))
            try await scheduler.sleep(until: scheduler.now + 31 * 60_000)
            return (first, try await client.status(AttemptID("a-1")))
        }
        var ends: [String] = []
        for result in [first, last] {
            if case .pending = result { ends.append("pending") }
            if case .declined = result { ends.append("declined") }
        }
        #expect(ends == ["pending", "declined"] && till.charged.isEmpty)
    }

    @Test func whatTheCustomerChoosesIsCharged() throws {
        var till = EcommpayKitTill()
        let offered = Locked([SavedInstrument]())
        till.inner.answers.handle(EcommpayMethodChoice.self) { choice in
            offered.withLock { $0 = choice.offer.saved }
            return choice.offer.saved.first.map { .saved($0.id, securityCode: Secret("737")) } ?? .reader
        }
        let result = try till.sell { $0.customer = "12" }
        #expect(result.payment != nil && till.charged == [5_000])
        #expect(offered.withLock { $0 }.map(\.id.rawValue) == ["12353661"])
    }

    // MARK: What the kit has no place for

    @Test func whatTheKitHasNoPlaceForIsRefusedBeforeAnythingIsSent() throws {
        var till = EcommpayKitTill()
        till.inner.answers.handle(EcommpayRequestOptions.self) { _ in
            var answer = EcommpayRequestOptions.Answer()
            answer.risk = try? EcommpayRisk(["address_match": "true"])
            return answer
        }
        #expect(try till.told() == "unsupported notExecuted" && till.kit.sessionCount == 0)
        let other = EcommpayKitTill()
        let request = SaleRequest(
            Money(minorUnits: 5_000, .eur), from: .wallet(WalletToken(.googlePay, payload: Secret("w"))),
            reference: "o")
        var refusal: PaymentError?
        do { _ = try other.play { try await $0.sale(request) } } catch { refusal = error as? PaymentError }
        #expect(refusal == PaymentError(.unsupported, outcome: .notExecuted) && other.kit.sessionCount == 0)
    }

    // MARK: Opening

    private static func open(
        _ settings: String, environment: String = "production", secret: Bool = false, _ kit: (any Sendable)? = nil,
        signs: Bool = true
    ) async throws -> [any PaymentDriver] {
        let credentials = secret ? #","credentials":{"secret":"env:E"}"# : ""
        let text = """
            {"active":"e","journal":{"kind":"memory"},"providers":{"e":{"adapter":"ecommpay","environment":\
            "\(environment)","merchant":"1234","settings":{\(settings)}\(credentials)}}}
            """
        let configuration = try ConfigurationReader(ProviderRegistry([.ecommpay])).read(
            Array(text.utf8), file: "providers.json")
        var tools = EcommpayTill().tools
        tools.delegates["e"] = kit
        if signs { tools.signers["e"] = { _ in Secret("c2lnbmVk") } }
        return try await configuration.drivers(tools, secrets: FixedSecrets(values: ["E": Secret("the secret")]))
    }

    private static func refusal(_ body: () async throws -> [any PaymentDriver]) async -> String {
        do { return "opened \(try await body().count)" } catch let error as PaymentError {
            return error.code == .configuration && error.outcome == .notExecuted ? error.detail : "\(error)"
        } catch { return "\(error)" }
    }

    @Test func productionOpensWithAKitThatIsHandedOverAndWithoutTheSecret() async throws {
        let kit = EcommpayKitTill().kit
        let drivers = try await Self.open(#""link":"kit""#, kit)
        #expect(drivers.first is EcommpayMobileDriver && drivers.first?.capabilities.sources.contains(.card) == true)
        let missing = await Self.refusal { try await Self.open(#""link":"kit""#) }
        #expect(missing.contains("EcommpayPhoneSDK.SDK") && missing.contains("signers"))
        let leaked = await Self.refusal { try await Self.open(#""link":"kit""#, secret: true, kit) }
        #expect(leaked.contains("the project's secret on a phone") && leaked.contains("EcommpaySigner"))
    }

    @Test func productionRefusesOurOwnMessagesAndSaysWhatThereIsInstead() async throws {
        let told = await Self.refusal { try await Self.open(#""link":"simulated""#) }
        #expect(told.contains("link to kit") && told.contains("gate"))
        #expect(try await Self.open("", environment: "simulated").first is EcommpayDriver)
    }

    /// What production does without that setting, and what it does for a server that may not hold cards.
    @Test func aServerTakesWhatTheGatePublishesOrAPageAlone() async throws {
        let pages = #""returnAddress":"https://shop.example/back","notificationAddress":"https://shop.example/loaded""#
        let gate = try #require(try await Self.open(pages).first).capabilities
        #expect(gate.sources == [.card, .saved, .token] && gate.verificationSources == [.card])
        let page = try #require(try await Self.open(#""link":"page""#).first).capabilities
        #expect(page.sources == [.page] && page.authorizationSources == [.page] && page.verificationSources.isEmpty)
    }
}

/// A kit that reports each of its payment's events as another one.
private struct BentKit: EcommpayPhoneSDK.SDK {
    let kit: any EcommpayPhoneSDK.SDK
    let bend: @Sendable (EcommpayPhoneSDK.PayDelegate) -> EcommpayPhoneSDK.PayDelegate

    func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK.MSDKCoreSession {
        BentSession(session: await kit.makeSession(config: config), bend: bend)
    }
    func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        await kit.getParamsForSignature(paymentInfo)
    }
}

private struct BentSession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.PayInteractor {
    let session: any EcommpayPhoneSDK.MSDKCoreSession
    let bend: @Sendable (EcommpayPhoneSDK.PayDelegate) -> EcommpayPhoneSDK.PayDelegate

    func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { await session.getInitInteractor() }
    func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
    func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { await session.getPaymentMethods() }
    func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { await session.getSavedAccounts() }
    func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager {
        await session.getStringResourceManager()
    }
    func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager {
        await session.getSecureLogoResourceManager()
    }
    func execute(
        request: EcommpayPhoneSDK.PayRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
    ) async {
        await session.getPayInteractor().execute(request: request) { [bend] in callback(bend($0)) }
    }
    func threeDSecureRedirectHandle(url: String) async {
        await session.getPayInteractor().threeDSecureRedirectHandle(url: url)
    }
    func sendClarificationFields(fields: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
        await session.getPayInteractor().sendClarificationFields(fields: fields)
    }
    func sendCustomerFields(fields: [EcommpayPhoneSDK.CustomerFieldValue]) async {
        await session.getPayInteractor().sendCustomerFields(fields: fields)
    }
}

/// The kit's end against the status that stands in it.
@Suite struct EcommpayKitContradictionTests {
    /// The kit ends as declined, and its payment says that it was paid.
    @Test(arguments: [false, true]) func decline_ofAPaymentThatSaysSuccess_isNeverToldAsDeclined(isShown: Bool) throws {
        var till = EcommpayKitTill(showsStatus: isShown)
        till.bend = { kit in
            BentKit(kit: kit) { event in
                guard case .onCompleteWithSuccess(let payment) = event else { return event }
                return .onCompleteWithDecline(isTryAgain: false, paymentMessage: nil, payment: payment)
            }
        }
        let told = try till.told()
        #expect(till.charged == [5_000] && (told == "approved" || told.hasSuffix(" unknown")), "\(told)")
    }
}
