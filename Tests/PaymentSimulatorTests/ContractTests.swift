import PaymentBase
import PaymentLinux
import PaymentTransport
import Testing

@testable import PaymentSimulator

/// What the companies publish, and that a message which differs is named with its member and what is broken.
@Suite struct ContractTests {
    @Test func everyTableIsRead() {
        #expect(SimulatorRegistry.contracts.mapValues(\.messageCount).filter { $0.value < 10 }.isEmpty)
        for (provider, book) in SimulatorRegistry.contracts { #expect(!book.calls.isEmpty, "\(provider) has no calls") }
        let answers = APIContract.adyen.describes("terminal/PaymentResponse")
        #expect(answers)
        let callbacks = ["payment", "step", "other"].map { APIContract.ecommpay.describes("callback.\($0)") }
        #expect(callbacks == [true, true, true])
        let order = APIContract.ni.describes("order.200")
        #expect(order)
    }

    @Test func everyProviderButTheOneInMemoryHasContracts() {
        let clock = SimulatorClock(StillClock())
        let without = SimulatorRegistry.entries.filter { !($0.open(clock) is any ContractedProvider) }
        #expect(without.map(\.name) == ["memory"])
    }

    // MARK: Planted differences

    struct Plant: Sendable, CustomTestStringConvertible {
        let name: String
        let finds: String
        let change: @Sendable (JSON) -> JSON

        init(_ name: String, finds: String, _ change: @escaping @Sendable (JSON) -> JSON) {
            (self.name, self.finds, self.change) = (name, finds, change)
        }

        var testDescription: String { name }
    }

    static let charge: JSON = [
        "amount": ["currency": "EUR", "value": 5_000], "merchantAccount": "TestMerchant", "reference": "order-1",
        "returnUrl": "https://return.invalid/", "shopperReference": "customer-1", "shopperInteraction": "ContAuth",
        "recurringProcessingModel": "CardOnFile",
        "paymentMethod": ["type": "scheme", "storedPaymentMethodId": "M8815000000000000"],
    ]

    static func without(_ name: String, _ json: JSON) -> JSON {
        var object = json.object ?? [:]
        object[name] = nil
        return .object(object)
    }

    static let plants = [
        Plant("a required member is missing", finds: "returnUrl missing") { without("returnUrl", $0) },
        Plant("a member that nobody describes", finds: "returnURL not described") { $0.adding("returnURL", "x") },
        Plant("a text for a number", finds: "amount.value string instead of integer") {
            $0.adding("amount", ["currency": "EUR", "value": "5000"])
        },
        Plant("a fraction for a whole number", finds: "amount.value number instead of integer") {
            $0.adding("amount", ["currency": "EUR", "value": .number(JSONNumber(units: 505, places: 1))])
        },
        Plant("a word in another case", finds: "shopperInteraction contAuth is not listed") {
            $0.adding("shopperInteraction", "contAuth")
        },
        Plant("a currency of four letters", finds: "amount.currency too large: characters") {
            $0.adding("amount", ["currency": "EURO", "value": 5_000])
        },
        Plant("an object for a text", finds: "reference object instead of string") {
            $0.adding("reference", ["order": "1"])
        },
        Plant("a list for an object", finds: "paymentMethod array instead of object") {
            $0.adding("paymentMethod", ["scheme"])
        },
        Plant("null for what can't be null", finds: "merchantAccount null instead of string") {
            $0.adding("merchantAccount", .null)
        },
        Plant("a required member of an inner object", finds: "amount.value missing") {
            $0.adding("amount", ["currency": "EUR"])
        },
    ]

    /// What a judge says about a charge of a saved card.
    private func heard(_ body: JSON) async -> [String] {
        let backend = AdyenSimulator(clock: StillClock(), crypto: OpenSSLCrypto())
        let judge = ContractValidator()
        let injector = FaultInjector(backend, plan: FaultPlan(), clock: StillClock(), judge: judge)
        let request = HTTPRequest(
            "POST", Origin(.http, "adyen.test"), "/v72/payments",
            headers: ["Content-Type": "application/json", "X-API-Key": backend.apiKey.expose()], body: body.bytes())
        _ = await injector.answer(request)
        #expect(judge.hearing.messageCount >= 2)
        return judge.violations.filter { $0.side == .client }.map { "\($0)" }
    }

    @Test func aMessageAsPublishedIsNotNamed() async { #expect(await heard(Self.charge).isEmpty) }

    @Test(arguments: plants) func everyPlantedDifferenceIsNamed(_ plant: Plant) async {
        #expect(await heard(plant.change(Self.charge)) == ["POST /v72/payments sent to adyen: \(plant.finds)"])
    }

    @Test func theQueryTheStatusAndABodyWhereNoneIsAreHeldToo() {
        let origin = Origin(.http, "halo.test")
        let search = HTTPRequest("GET", origin, "/transactions?limit=1&offset=0&colour=red")
        let asked = APIContract.halo.messages(search, nil).flatMap(\.faults)
        #expect(asked.contains("startDate is missing in the query"))
        #expect(asked.contains("colour is not described in the query"))
        let capture = HTTPRequest("POST", origin, "/pay-api/v1/transactions/capture", body: Array("{}".utf8))
        let told = APIContract.arise.messages(capture, HTTPResponse(418)).flatMap(\.faults)
        #expect(told == ["status 418 is not described"])
        let cancel = HTTPRequest(
            "POST", origin, "/softpos/payment/card/orders/o/actions/cancel", body: Array("{}".utf8))
        #expect(APIContract.ni.messages(cancel, nil).flatMap(\.faults) == ["a body where none is described"])
    }

    @Test func instantsAndRangesAreHeld() {
        var instant = ContractShape(.string)
        instant.isInstant = true
        for text in ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5+02:00", "2026-01-31T12:00:00-0700"] {
            #expect(ContractCheck.findings(.string(text), instant).isEmpty, "\(text)")
        }
        for text in ["2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00.5"] {
            #expect(!ContractCheck.findings(.string(text), instant).isEmpty, "\(text)")
        }
        var range = ContractShape(.number)
        (range.low, range.high) = (0, 99_999_999_999_999)
        #expect(ContractCheck.findings(.number(JSONNumber(units: 99_999_999_999_999, places: 6)), range).isEmpty)
        #expect(ContractCheck.findings(100_000_000, range).map(\.rule) == ["too large: value"])
    }

    @Test func membersBeyondAnExample_areCounted_andAreNoFault() {
        var example = ContractShape(.object)
        (example.members, example.isExample) = ([:], true)
        let findings = ContractCheck.findings(["more": 1], example)
        #expect(findings.map(\.isBeyondExample) == [true])
    }

    // MARK: Messages of the provider's own

    @Test func providersOwnMessage_isTakenOnce() async throws {
        let backend = MemoryClockedAdyen()
        _ = await backend.charge()
        backend.judge.hear(backend.provider)
        backend.judge.hear(backend.provider)
        #expect(backend.judge.hearing.calls["adyen"]?["webhook AUTHORISATION"] == 1)
        backend.provider.reset()
        backend.judge.hear(backend.provider)
        _ = await backend.charge()
        #expect(backend.judge.hearing.calls["adyen"]?["webhook AUTHORISATION"] == 2)
    }
}

private struct MemoryClockedAdyen {
    let provider = AdyenSimulator(clock: StillClock(), crypto: OpenSSLCrypto())
    let judge = ContractValidator()

    func charge() async -> SimulatorResponse {
        let request = HTTPRequest(
            "POST", Origin(.http, "adyen.test"), "/v72/payments",
            headers: ["Content-Type": "application/json", "X-API-Key": provider.apiKey.expose()],
            body: ContractTests.charge.bytes())
        let answer = await provider.answer(request)
        judge.hear(provider, request, answer)
        return answer
    }
}
