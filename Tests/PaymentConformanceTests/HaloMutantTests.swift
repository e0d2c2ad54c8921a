import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentMobileSDKs
import PaymentModel
import PaymentTransport
import Testing

/// The driver of Halo with its mapping broken in one place each.
@Suite struct HaloMutantTests {
    @Test(arguments: Mutant.halo) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        try mutant.isCaught(HaloHarness())
    }

    @Test func thereAreEnough() {
        print("halo: \(Mutant.halo.count) mutants")
        #expect(Mutant.halo.count >= 15 && Set(Mutant.halo.map(\.id)).count == Mutant.halo.count)
    }
}

extension Mutant {
    private static func answer(_ name: String) -> FieldPath { FieldPath("onlineAuthorizationResponse.\(name)") }
    private static let zero = LineChange(answer("errorCode")) { _ in 0 }

    static let halo: [Mutant] = [
        reads(
            "declined-as-approved", "Reads Declined as Approved.", "sale.insufficient-funds", "/apple",
            .word(answer("type"), "Declined", "Approved"), zero),
        reads(
            "approved-as-declined", "Reads Approved as Declined.", "sale.approved", "/apple",
            .word(answer("type"), "Approved", "Declined"), LineChange(answer("errorCode")) { _ in 209 }),
        reads(
            "indeterminate-as-declined", "Reads Indeterminate as Declined.", "sale.pending-approved", "/apple",
            .word(answer("type"), "Indeterminate", "Declined")),
        reads(
            "indeterminate-as-approved", "Reads Indeterminate as Approved.", "sale.pending-declined", "/apple",
            .word(answer("type"), "Indeterminate", "Approved"), zero),
        reads(
            "pin-not-asked", "Takes the wish for a PIN for a decline.", "question.pin", "/transactions/apple",
            LineChange(answer("isSingleTapAndPin")) { _ in false }, LineChange(answer("errorCode")) { _ in 209 }),
        connection("pin-sent-as-tap", "Submits the PIN as a tap.", "question.pin", "/submitPinApple") {
            request, next async throws(TransportFailure) in
            var request = request
            request.target = "/transactions/apple"
            return try await next(request)
        },
        reads(
            "wrong-pin-as-approved", "Reads a wrong PIN as an approval.", "question.wrong-pin", "/submitPinApple",
            .word(answer("type"), "Declined", "Approved"), zero),
        reads(
            "code-lost", "Takes every response code for 05.", "sale.insufficient-funds", "/apple",
            LineChange(answer("isoResponseCode")) { $0.string == "51" ? "05" : $0 }),
        reads(
            "amount-in-major-units", "Reads amounts as major units.", "sale.approved", "/transactions",
            LineChange("**.amount") { amount in
                if let units = amount.int64 { return .number(JSONNumber(units * 100)) }
                // What is printed has a currency before it and a point in it.
                return amount.string.map { .string($0.contains(" ") ? $0.replacing(".", with: "") : $0 + "00") }
                    ?? amount
            }),
        writes(
            "refund-in-minor-units", "Gives back minor units where major ones are meant.", "refund.part", "/refund",
            LineChange("amount") { .number(JSONNumber($0.number?.scaled(places: 2) ?? 0)) }),
        writes(
            "refund-without-decimals", "Takes a currency without decimals for one with two.",
            "amount.refund-exponent", "/refund",
            LineChange("amount") { .number(JSONNumber(units: $0.int64 ?? 0, places: 2)) }),
        writes(
            "reference-renamed", "Sends another reference.", "attempt.wire-names", "/apple",
            LineChange("merchantReference") { .string("x" + ($0.string ?? "")) }),
        writes(
            "reference-cut", "Cuts references.", "limit.attempt-longest", "/apple",
            LineChange("merchantReference") { .string(String(($0.string ?? "").prefix(20))) }),
        reads(
            "echo-not-read", "Reads every reference as its own.", "lookup.reply-lost", "/transactions",
            LineChange("*.merchantTransactionReference") { _ in "check-0" }),
        reads(
            "record-approved-as-declined", "Reads approved records as declined.", "lookup.reply-lost",
            "/transactions", .word("*.transactionDispositionId", "Approved", "Declined")),
        reads(
            "record-declined-as-approved", "Reads declined records as approved.", "lookup.declined", "/transactions",
            .word("*.transactionDispositionId", "Declined", "Approved")),
        reads(
            "original-not-read", "Does not know which payment a refund belongs to.", "lookup.refund", "/transactions",
            LineChange("*.originalTransactionId") { _ in nil }),
        reads(
            "record-name-not-read", "Does not read what records are called.", "lookup.reply-lost",
            "/transactions", LineChange("*.id") { _ in nil }),
        connection("refund-twice", "Gives back twice under two references.", "refund.part", "/refund") {
            request, next async throws(TransportFailure) in
            var other = request
            let change = LineChange("refundReference") { _ in "another" }
            other.body = change.changed(request.body)
            _ = try await next(other)
            return try await next(request)
        },
    ]
}

/// The driver of Halo's kit with one thing misunderstood each: what the kit says is bent as the mistake would.
@Suite struct HaloKitMutantTests {
    @Test(arguments: HaloKitMutant.all) func theCheckMeantForItCatchesEachMutant(_ mutant: HaloKitMutant) throws {
        let check = try #require(Check.all.first { $0.id == mutant.check }, "there is no such check")
        let harness = try #require(HaloHarness.all().first { $0.name == "halo-kit" })
        let plain = PlainRun.result(harness, check)
        #expect(plain.status == .passed, "the unbroken driver does not pass \(check): \(plain.detail)")
        let result = ConformanceRunner(harness.bending { BentHaloKit($0, mutant) }).run(check)
        #expect(result.status == .failed, "\(mutant) survives: \(result.status) \(result.detail)")
    }

    @Test func thereAreEnough() {
        print("halo-kit: \(HaloKitMutant.all.count) mutants")
        #expect(HaloKitMutant.all.count >= 4 && Set(HaloKitMutant.all.map(\.id)).count == HaloKitMutant.all.count)
    }
}

/// What is misunderstood.
struct HaloKitMutant: Sendable, CustomStringConvertible {
    let id: String
    let check: String
    /// Bends how a payment ended; asked is the amount.
    var result: @Sendable (HaloPhoneSDK.HaloPaymentResult, Int64) -> HaloPhoneSDK.HaloPaymentResult = { result, _ in
        result
    }
    /// Bends what the kit is asked; nil keeps it.
    var amount: @Sendable (Int64) -> Int64 = { $0 }
    var reference: @Sendable (String) -> String = { $0 }
    var type: @Sendable (HaloPhoneSDK.HaloTransactionType) -> HaloPhoneSDK.HaloTransactionType = { $0 }
    /// Which events come through.
    var hears: @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Bool = { _ in true }

    var description: String { "\(id) → \(check)" }

    private static func declined(_ code: HaloPhoneSDK.HaloErrorCode) -> HaloPhoneSDK.HaloPaymentResult {
        .declined(errorCode: code, errorMessage: nil)
    }

    /// Whether an event is a step of one of these types.
    private static func isStep(_ event: HaloPhoneSDK.HaloEventDelegate, _ types: HaloPhoneSDK.EventType...) -> Bool {
        if case .didEmitAnalyticsEvent(let step) = event { return types.contains(step.type) }
        return false
    }

    static let all = [
        HaloKitMutant(
            id: "network-error-as-cancelled", check: "lookup.reply-lost",
            result: { result, _ in
                if case .declined(.networkError, _) = result { return declined(.userCancelled) }
                return result
            }, hears: { !isStep($0, .transactionSubmissionStarted, .cardDetected) }),
        HaloKitMutant(
            id: "unlisted-code-as-decline", check: "unknown.word",
            result: { result, _ in
                if case .declined(nil, _) = result { return declined(.requestTooOld) }
                return result
            }),
        HaloKitMutant(
            id: "decline-as-cancelled", check: "sale.insufficient-funds",
            result: { result, _ in
                if case .declined(.cardDeclined, _) = result { return declined(.userCancelled) }
                return result
            }, hears: { !isStep($0, .transactionSubmissionStarted) }),
        HaloKitMutant(
            id: "echo-ignored", check: "sale.approved",
            result: { result, asked in
                guard case .approved(let receipt) = result else { return result }
                return .approved(
                    HaloPhoneSDK.HaloReceipt(
                        transactionId: receipt.transactionId, amountMinor: asked, currency: receipt.currency,
                        reference: receipt.reference, approvedAt: receipt.approvedAt))
            }, amount: { $0 + 100 }),
        HaloKitMutant(id: "amount-in-major-units", check: "sale.approved", amount: { $0 / 100 }),
        HaloKitMutant(id: "reference-renamed", check: "attempt.wire-names", reference: { "x" + $0 }),
        HaloKitMutant(id: "refund-as-purchase", check: "refund.unlinked-reader", type: { _ in .purchase }),
        // Any step from the card on would show that it is too late, at the end of the payment, too.
        HaloKitMutant(
            id: "cancel-after-the-card", check: "reader.cancel-too-late",
            hears: {
                !isStep(
                    $0, .cardDetected, .transactionSubmissionStarted, .transactionResponseReceived, .paymentApproved)
            }),
    ]
}

/// A kit whose events and answers a mutant changes.
private struct BentHaloKit: HaloPhoneSDK.SDK {
    let inner: any HaloPhoneSDK.SDK
    let mutant: HaloKitMutant

    init(_ inner: any HaloPhoneSDK.SDK, _ mutant: HaloKitMutant) { (self.inner, self.mutant) = (inner, mutant) }

    func initialize(
        tokenProvider: @escaping HaloPhoneSDK.TokenProvider, environment: HaloPhoneSDK.Environment
    ) async throws(HaloPhoneSDK.HaloError) -> HaloPhoneSDK.HaloDeviceCapabilities {
        try await inner.initialize(tokenProvider: tokenProvider, environment: environment)
    }

    func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let result = await inner.startContactlessPayment(
            amountMinor: mutant.amount(amountMinor), currency: currency,
            merchantReference: mutant.reference(merchantReference), passthroughFields: passthroughFields,
            type: mutant.type(type))
        return mutant.result(result, amountMinor)
    }

    func cancelPayment() async { await inner.cancelPayment() }

    func setEventDelegate(_ delegate: @escaping @Sendable (HaloPhoneSDK.HaloEventDelegate) -> Void) async {
        await inner.setEventDelegate { [mutant] event in if mutant.hears(event) { delegate(event) } }
    }

    func deinitialize() async { await inner.deinitialize() }
}
