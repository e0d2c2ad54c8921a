import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

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

    @Test func aServerMayAddWhatTheKitHasAPlaceFor() throws {
        #expect(try EcommpayKitTill(.addsADescription).told() == "approved")
        let till = EcommpayKitTill(.addsALanguage)
        #expect(try till.told() == "configuration nothingMoved" && till.kit.sessionCount == 0)
    }

    @Test func aServerThatChangesTheAmountOrRefusesMovesNothing() throws {
        let till = EcommpayKitTill(.changesTheAmount)
        #expect(try till.told() == "mismatch nothingMoved" && till.charged.isEmpty)
        let refused = EcommpayKitTill(.refuses)
        #expect(try refused.told().hasSuffix(" nothingMoved") && refused.kit.sessionCount == 0)
    }

    // MARK: Questions

    @Test func fieldsOfTheCustomerAreAskedWithTheirLabelsAndAgainWhenTheyAreWrong() throws {
        var till = EcommpayKitTill()
        let asked = Locked([RequestedField]())
        till.inner.answers.handle(CustomerFields.self) { question in
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
        till.inner.answers.handle(Clarification.self) { _ in
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

    /// Nobody answers: the payment waits, and the provider ends it after half an hour.
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
            answer.risk = try? EcommpayRisk(["address_match": "Y"])
            return answer
        }
        #expect(try till.told() == "unsupported nothingMoved" && till.kit.sessionCount == 0)
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
        let told = await Self.refusal { try await Self.open(#""link":"session""#) }
        #expect(told.contains("link to kit") && told.contains("gate"))
        #expect(try await Self.open("", environment: "simulated").first is EcommpayDriver)
    }

    /// What production does when it is not told, and what it does for a server that may not hold cards.
    @Test func aServerTakesWhatTheGatePublishesOrAPageAlone() async throws {
        let gate = try #require(try await Self.open("").first).capabilities
        #expect(gate.sources == [.card, .saved, .token] && gate.verificationSources == [.card])
        let page = try #require(try await Self.open(#""link":"page""#).first).capabilities
        #expect(page.sources == [.page] && page.authorizationSources == [.page] && page.verificationSources.isEmpty)
    }
}
