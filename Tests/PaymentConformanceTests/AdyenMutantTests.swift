import AdyenProvider
import PaymentBase
import PaymentConformance
import PaymentDriverKit
import PaymentHarnesses
import PaymentMobileSDKs
import PaymentTransport
import Testing

@Suite struct AdyenMutantTests {
    @Test(arguments: AdyenMutants.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.caughtBy }, "there is no such check")
        let plain = PlainRun.result(AdyenHarness(), check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        var conformance = ConformanceRunner(AdyenHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnoughAndTheirNamesAreUnique() {
        #expect(AdyenMutants.all.count >= 20)
        #expect(Set(AdyenMutants.all.map(\.id)).count == AdyenMutants.all.count)
        print("\(AdyenMutants.all.count) mutants")
    }
}

@Suite struct AdyenFaultWalkTests {
    /// The short form; `Scripts/faults` walks through every fault.
    @Test(arguments: AdyenHarness.all().map(\.name)) func aFaultOfEachClassAtEveryExchangeSettlesOrIsDeclared(
        _ name: String
    ) throws {
        let harness = try #require(AdyenHarness.all().first { $0.name == name })
        var walk = FaultSweep(harness)
        walk.walksClassesOnly = true
        let report = walk.walk()
        print("\(name): \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(10).joined(separator: "\n"))")
        #expect(report.cases > 100)
        #expect(name == "adyen-mobile" || report.open == 0)
    }
}

/// The driver of Adyen's kit with one thing misunderstood each: what it asks of the kit, or hears from it, is bent as the
/// mistake would.
@Suite struct AdyenKitMutantTests {
    @Test(arguments: AdyenKitMutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: AdyenKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(AdyenHarness.all().first { $0.name == "adyen-mobile" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.wrappingSDK { BentAdyenKit(inner: $0, mutant: mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        let all = AdyenKitMutant.all
        print("adyen-mobile: \(all.count) mutants")
        #expect(all.count >= 8 && Set(all.map(\.id)).count == all.count)
    }
}

/// What is misunderstood.
struct AdyenKitMutant: Sendable, CustomStringConvertible {
    let id: String
    let check: String
    /// Bends a request.
    var request: @Sendable (JSON) -> JSON = { $0 }
    /// Bends an answer.
    var answer: @Sendable (AdyenPhoneSDK.Answer) -> AdyenPhoneSDK.Answer = { $0 }
    /// Whether errors of a warm-up are swallowed.
    var swallowsWarmUp = false
    /// Whether a referenced refund goes out as a payment.
    var paysReversals = false
    /// Whether the kit is asked once more where it gives no answer.
    var asksAgain = false

    var description: String { "\(id) → \(check)" }

    /// Changes one member of what a message says.
    private static func changing(_ path: FieldPath, _ change: @escaping @Sendable (JSON) -> JSON?)
        -> @Sendable (JSON) -> JSON
    {
        { path.changing($0, change) }
    }

    /// Changes how an answer ended.
    private static func ending(
        _ change: @escaping @Sendable (JSON) -> JSON
    ) -> @Sendable (AdyenPhoneSDK.Answer) -> AdyenPhoneSDK.Answer {
        { answer in
            guard case .message(let bytes) = answer, let json = try? JSONReader().read(bytes) else { return answer }
            return .message(change(json).bytes())
        }
    }

    private static func says(_ word: String, in json: JSON) -> Bool {
        String(decoding: json.bytes(), as: UTF8.self).contains(word)
    }

    private static let amount: FieldPath =
        "SaleToPOIRequest.PaymentRequest.PaymentTransaction.AmountsReq.RequestedAmount"
    private static let amounts: FieldPath = "SaleToPOIRequest.PaymentRequest.PaymentTransaction.AmountsReq"
    private static let name: FieldPath =
        "SaleToPOIRequest.PaymentRequest.SaleData.SaleTransactionID.TransactionID"
    private static let result: FieldPath = "SaleToPOIResponse.PaymentResponse.Response.Result"
    private static let condition: FieldPath = "SaleToPOIResponse.PaymentResponse.Response.ErrorCondition"
    private static let type: FieldPath = "SaleToPOIRequest.PaymentRequest.PaymentData.PaymentType"

    static let all = [
        AdyenKitMutant(
            id: "amount-in-minor-units", check: "sale.approved",
            request: changing(amount) { number in
                number.number.flatMap { JSONNumber.minor($0.text) }.map { .number($0) } ?? number
            }),
        AdyenKitMutant(
            id: "tip-inside", check: "sale.tip", request: changing(amounts, AdyenMutants.withTheTip)),
        AdyenKitMutant(
            id: "payment-renamed", check: "attempt.wire-names",
            request: changing(name) { .string("x" + ($0.string ?? "")) }),
        AdyenKitMutant(
            id: "refund-as-payment", check: "refund.unlinked-reader", request: changing(type) { _ in nil }),
        AdyenKitMutant(id: "reversal-as-payment", check: "refund.part", paysReversals: true),
        AdyenKitMutant(
            id: "decline-as-success", check: "sale.insufficient-funds",
            answer: ending { json in says("Refusal", in: json) ? result.changing(json) { _ in "Success" } : json }),
        AdyenKitMutant(
            id: "decline-as-cancelled", check: "sale.lost-card",
            answer: ending { json in says("Refusal", in: json) ? condition.changing(json) { _ in "Cancel" } : json }),
        AdyenKitMutant(
            id: "lost-answer-as-refusal", check: "lookup.reply-lost",
            answer: { answer in
                guard case .message(let bytes) = answer, let json = try? JSONReader().read(bytes),
                    says("UnreachableHost", in: json)
                else { return answer }
                return .failed(.noPairedReaders)
            }),
        AdyenKitMutant(id: "lost-answer-asked-again", check: "lookup.reply-lost", asksAgain: true),
        AdyenKitMutant(id: "warm-up-ignored", check: "reader.prepare-fails", swallowsWarmUp: true),
    ]
}

extension JSONNumber {
    /// An amount of major units as if it were minor ones.
    fileprivate static func minor(_ text: String) -> JSONNumber? {
        try? JSONNumber(text.replacing(".", with: ""))
    }
}

/// A kit whose events and answers a mutant changes.
private struct BentAdyenKit: AdyenPhoneSDK.PaymentService {
    let inner: any AdyenPhoneSDK.PaymentService
    let mutant: AdyenKitMutant

    var installationId: String {
        get async throws(AdyenPhoneSDK.ErrorCode) { try await inner.installationId }
    }

    func resetSession() async throws(AdyenPhoneSDK.ErrorCode) { try await inner.resetSession() }

    func warmUp() async throws(AdyenPhoneSDK.ErrorCode) {
        do { try await inner.warmUp() } catch { if !mutant.swallowsWarmUp { throw error } }
    }

    func getPaymentInterface(with interface: AdyenPhoneSDK.PaymentInterface) async throws(AdyenPhoneSDK.ErrorCode) {
        try await inner.getPaymentInterface(with: interface)
    }

    func performTransaction(
        with request: AdyenPhoneSDK.Payment.Request, paymentInterface: AdyenPhoneSDK.PaymentInterface,
        presentationMode: AdyenPhoneSDK.TransactionPresentationMode
    ) async -> AdyenPhoneSDK.Payment.Response {
        let bent = AdyenPhoneSDK.Payment.Request(data: bent(request.data))
        var answer = await inner.performTransaction(
            with: bent, paymentInterface: paymentInterface, presentationMode: presentationMode)
        if mutant.asksAgain, case .message(let bytes) = answer,
            String(decoding: bytes, as: UTF8.self).contains("UnreachableHost")
        {
            answer = await inner.performTransaction(
                with: bent, paymentInterface: paymentInterface, presentationMode: presentationMode)
        }
        return mutant.answer(answer)
    }

    func performReversal(with request: AdyenPhoneSDK.Reversal.Request) async -> AdyenPhoneSDK.Reversal.Response {
        if mutant.paysReversals {
            return await inner.performTransaction(
                with: .init(data: request.data), paymentInterface: .tapToPay,
                presentationMode: .presentingViewController)
        }
        return mutant.answer(await inner.performReversal(with: .init(data: bent(request.data))))
    }

    private func bent(_ data: [UInt8]) -> [UInt8] {
        (try? JSONReader().read(data)).map { mutant.request($0).bytes() } ?? data
    }
}

/// The Adyen driver broken on purpose, on the line: each as a mistake in its mapping would look to the provider or to
/// the client.
enum AdyenMutants {
    static let all: [Mutant] = requests + replies + backOffice + news + terminal

    private static let sync = "/sync"

    /// Changes a payment's request only, so that prepared terminals stay prepared.
    private static func request(
        _ id: String, _ sentence: String, _ check: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { .request("adyen.\(id)", sentence, caughtBy: check, sync, path, change) }

    private static func reply(
        _ id: String, _ sentence: String, _ check: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { .reply("adyen.\(id)", sentence, caughtBy: check, sync, path, change) }

    private static func modified(
        _ id: String, _ sentence: String, _ check: String, _ verb: String, _ path: FieldPath,
        _ change: @escaping @Sendable (JSON) -> JSON?
    ) -> Mutant { .request("adyen.\(id)", sentence, caughtBy: check, verb, path, change) }

    private static func times(_ json: JSON, _ factor: Int64) -> JSON {
        guard let units = json.number?.scaled(places: 2) else { return json }
        return .number(JSONNumber(units: units * factor, places: 2))
    }

    private static let payment = "SaleToPOIRequest.PaymentRequest."
    private static let amount = FieldPath(payment + "PaymentTransaction.AmountsReq.RequestedAmount")
    private static let acquirer = FieldPath("SaleToPOIRequest.*.SaleData.SaleToAcquirerData")

    /// The amounts of a request that asks for the tip twice.
    static let withTheTip: @Sendable (JSON) -> JSON? = { amounts in
        guard let asked = amounts["RequestedAmount"]?.number?.scaled(places: 2),
            let tip = amounts["TipAmount"]?.number?.scaled(places: 2)
        else { return amounts }
        return FieldPath("RequestedAmount").changing(amounts) { _ in
            .number(JSONNumber(units: asked + tip, places: 2))
        }
    }

    private static let requests: [Mutant] = [
        request("amount.minor", "Sends minor units where terminals want major ones.", "sale.approved", amount) {
            times($0, 100)
        },
        request("amount.truncated", "Drops the decimals.", "amount.odd", amount) {
            .number(JSONNumber(($0.number?.scaled(places: 4) ?? 0) / 10_000))
        },
        request(
            "currency.swapped", "Always sends euro.", "amount.exponent-0",
            FieldPath(payment + "PaymentTransaction.AmountsReq.Currency")
        ) { _ in "EUR" },
        request(
            "reference.dropped", "Sends no name of ours.", "lookup.late-arrival",
            FieldPath("SaleToPOIRequest.MessageHeader.ServiceID")
        ) { _ in "CONSTANT" },
        request(
            "tip.inside", "Asks for the whole amount and sends the tip in it beside that.", "sale.tip",
            FieldPath(payment + "PaymentTransaction.AmountsReq"), withTheTip),
        request("preauth.dropped", "Charges at once where it should only hold.", "authorize.held", acquirer) {
            $0.string.map {
                // Each of both holds.
                .string(
                    $0.replacing("authorisationType=PreAuth", with: "x=y").replacing("manualCapture=true", with: "y=x"))
            } ?? $0
        },
        request("partial.always", "Asks for parts although nobody can answer.", "question.partial-not-asked", acquirer)
        {
            $0.string.map { .string("tenderOption=AllowPartialAuthorisation&" + $0) } ?? $0
        },
        request(
            "refund.charges", "Forgets that money is given.", "refund.unlinked-reader",
            FieldPath(payment + "PaymentData")
        ) { _ in nil },
        request(
            "reversal.whole", "Gives back everything instead of a part.", "refund.part",
            "SaleToPOIRequest.ReversalRequest.ReversedAmount"
        ) { _ in nil },
        request(
            "reversal.double", "Gives back twice the part.", "refund.parts-then-rest",
            "SaleToPOIRequest.ReversalRequest.ReversedAmount"
        ) { times($0, 2) },
        request(
            "reversal.other", "Names the wrong payment.", "refund.all",
            "SaleToPOIRequest.ReversalRequest.OriginalPOITransaction.POITransactionID.TransactionID"
        ) { _ in "4r7i00.unknown" },
        request("reversal.currency", "Leaves the currency of a part out.", "refund.part", acquirer) { json in
            json.string?.hasPrefix("currency=") == true ? nil : json
        },
        request(
            "status.self", "Asks for the status of another message.", "lookup.reply-lost",
            "SaleToPOIRequest.TransactionStatusRequest.MessageReference.ServiceID"
        ) { _ in "0000000000" },
        request(
            "abort.nobody", "Aborts another message.", "reader.cancel-waiting",
            "SaleToPOIRequest.AbortRequest.MessageReference.ServiceID"
        ) { _ in "0000000000" },
        .twice("adyen.sent.twice", "Sends every message twice.", caughtBy: "sale.approved", sync),
    ]

    private static let result = FieldPath("SaleToPOIResponse.PaymentResponse.Response.Result")
    private static let condition = FieldPath("SaleToPOIResponse.PaymentResponse.Response.ErrorCondition")

    private static func word(_ from: String, _ to: String) -> @Sendable (JSON) -> JSON? {
        { $0.string == from ? .string(to) : $0 }
    }

    private static let replies: [Mutant] = [
        reply("refusal.swallowed", "Takes a refusal for a cancellation.", "sale.insufficient-funds", condition) {
            word("Refusal", "Cancel")($0)
        },
        reply("busy.declines", "Takes busy for a refusal.", "error.busy-once", condition) {
            word("Busy", "Refusal")($0)
        },
        reply(
            "unknown.declines", "Takes an unknown result for a refusal.", "lookup.unknown-word",
            "SaleToPOIResponse.PaymentResponse.Response"
        ) { json in
            ["Success", "Failure", "Partial"].contains(json["Result"]?.string)
                ? json
                : [
                    "Result": "Failure", "ErrorCondition": "Refusal",
                    "AdditionalResponse": "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE",
                ]
        },
        reply("partial.success", "Does not say that a part is a part.", "question.partial-refused", result) {
            word("Partial", "Success")($0)
        },
        reply(
            "code.dropped", "Drops the reason of a refusal.", "error.raw-code",
            "SaleToPOIResponse.PaymentResponse.Response.AdditionalResponse"
        ) { _ in nil },
        reply(
            "name.dropped", "Keeps the tender's half of the name only.", "refund.all",
            "SaleToPOIResponse.PaymentResponse.POIData.POITransactionID.TransactionID"
        ) { json in .string(json.string?.split(separator: ".").first.map { "\($0).0" } ?? "") },
        reply(
            "status.unrepeated", "Does not look at what the terminal repeats.", "details.found",
            "SaleToPOIResponse.TransactionStatusResponse.RepeatedMessageResponse"
        ) { _ in nil },
        reply(
            "reversal.done", "Takes received for refused.", "refund.all",
            "SaleToPOIResponse.ReversalResponse.Response"
        ) { _ in
            [
                "Result": "Failure", "ErrorCondition": "Refusal",
                "AdditionalResponse": "refusalReason=210%20Not%20enough%20balance&message=NOT_ENOUGH_BALANCE",
            ]
        },
    ]

    private static let value: FieldPath = "amount.value"

    private static let backOffice: [Mutant] = [
        modified("capture.major", "Captures major units.", "capture.part", "/captures", value) {
            .number(JSONNumber(($0.int64 ?? 0) / 100))
        },
        modified("adjust.more", "Holds more than it was told.", "adjust.up", "/amountUpdates", value) {
            .number(JSONNumber(($0.int64 ?? 0) + 1))
        },
        modified("capture.nameless", "Captures under no name of ours.", "capture.replayed", "/captures", "reference") {
            _ in "somebody-else"
        },
        .target("adyen.void.captures", "Captures where it should cancel.", caughtBy: "void.authorisation") {
            $1.replacing("/cancels", with: "/captures")
        },
        .target("adyen.capture.cancels", "Cancels where it should capture.", caughtBy: "capture.all") {
            $1.replacing("/captures", with: "/cancels")
        },
        .target("adyen.void.refuses", "Cancels what was charged.", caughtBy: "void.sale") {
            $1.replacing("/reversals", with: "/cancels")
        },
        .wire("adyen.refund.keyless", "Sends a refund again without its key.", caughtBy: "refund.after-capture") {
            Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                request.headers["idempotency-key"] = nil
                if request.path.hasSuffix("/refunds") { _ = try await next(request) }
                return try await next(request)
            }
        },
    ]

    private static let item = "notificationItems.*.NotificationRequestItem."

    private static let news: [Mutant] = [
        .news(
            "adyen.webhook.unsigned", "Believes what carries no proof that fits.", caughtBy: "refund.pending",
            FieldPath(item + "additionalData.hmacSignature")
        ) { _ in "AAAA" },
        .news(
            "adyen.webhook.renamed", "Reads one event as another.", caughtBy: "refund.pending-fails",
            FieldPath(item + "eventCode")
        ) { _ in "REPORT_AVAILABLE" },
    ]
}

/// The driver of Adyen's terminals with nothing but sales, which has no patience with customers.
private struct ImpatientDriver: SaleDriver {
    let inner: any AdyenTerminalDriver
    var identity: ProviderIdentity { inner.identity }
    var secrets: [Secret] { inner.secrets }
    var capabilities: Capabilities {
        var takes = Capabilities(sources: [.reader], sendLimit: inner.capabilities.sendLimit)
        takes.usesProviderTerminal = true
        return takes
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        LookupPlan(every: 1_000, giveUpAfter: 60_000, quiet: 30_000)
    }

    /// What a terminal still works on is not seen.
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let found = try await inner.lookup(inquiry, context)
        guard case .cannotTell = found else { return found }
        return .notFound(seesBack: nil)
    }

    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
}

extension AdyenMutants {
    /// Those of terminals that none of our other providers has.
    static let terminal: [Mutant] = [
        impatient("quiet.shorter-than-customers", "lookup.slow-customer"),
        impatient("quiet.shorter-than-customers-line-broken", "lookup.slow-customer-line-broken"),
    ]

    private static func impatient(_ id: String, _ check: String) -> Mutant {
        var mutant = Mutant(
            "adyen.\(id)", "Believes after half a minute that a payment at the terminal never was.", caughtBy: check)
        mutant.wrapDriver = { shipped in
            (shipped as? any AdyenTerminalDriver).map { ImpatientDriver(inner: $0) } ?? shipped
        }
        return mutant
    }
}
