import AdyenProvider
import Foundation
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Adyen's webhooks in orders and combinations that were not tried yet.
@Suite struct SecondAttackAdyenTests {
    private static let origin = Origin(.http, "adyen.test")
    private let stage = TestScheduler()
    private let backend: AdyenSimulator
    private let attempt: AttemptID
    private let isCut = Switch(false)

    init() throws {
        backend = AdyenSimulator(clock: stage, crypto: OpenSSLCrypto())
        attempt = try AttemptID("sale-1")
    }

    private func driver() throws -> any PaymentDriver {
        var configuration = AdyenConfiguration(
            endpoint: Self.origin, checkout: WebURL(Self.origin, "/v72"), merchant: backend.merchant,
            apiKey: backend.apiKey, terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        configuration.passphrase = backend.passphrase
        configuration.treatsNotFoundAsProof = true
        let line = HookTransport(InProcessTransport([Self.origin: backend], clock: stage)) {
            [isCut] request, next throws(TransportFailure) in
            let reply = try await next(request)
            let text = String(decoding: request.body, as: UTF8.self)
            let isLost = text.contains("PaymentRequest") || text.contains("TransactionStatusRequest")
            if isCut.isOn, isLost { throw .maybeSent(.connectionReset) }
            return reply
        }
        return try configuration.driver(line, OpenSSLCrypto())
    }

    private func client(_ journal: any Journal = InMemoryJournal()) throws -> PaymentClient {
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor, given.random) = (stage, stage, SeededRandom(seed: 1))
        return try PaymentClient(try driver(), given)
    }

    private func webhook(
        _ code: String, _ psp: String, of original: String, for reference: String = "sale-1", _ cents: Int64,
        hour: Int, success: String = "true", reason: String = ""
    ) throws -> [UInt8] {
        let text = "\(psp):\(original):\(backend.merchant):\(reference):\(cents):EUR:\(code):\(success)"
        let key = try #require(Hex.decode(backend.webhookKey.expose()))
        let signature = try OpenSSLCrypto().authenticate(.sha256, key: Secret(bytes: key), Array(text.utf8))
        let item: JSONObject = [
            "additionalData": ["hmacSignature": .string(Base64.standard.encode(signature))],
            "amount": ["currency": "EUR", "value": .number(JSONNumber(cents))],
            "eventCode": .string(code), "eventDate": .string("2026-01-01T0\(hour):00:00+00:00"),
            "merchantAccountCode": .string(backend.merchant), "merchantReference": .string(reference),
            "originalReference": .string(original), "paymentMethod": "mc", "pspReference": .string(psp),
            "success": .string(success), "reason": .string(reason),
        ]
        let body: JSON = ["live": "false", "notificationItems": .array([["NotificationRequestItem": .object(item)]])]
        return body.bytes()
    }

    private func sell(_ client: PaymentClient, _ id: AttemptID? = nil) async -> Told {
        await Told { [attempt] in
            try await client.sale(
                SaleRequest(.cents(1_000), from: .reader, reference: "order-1"), attempt: id ?? attempt)
        }
    }

    private func play(
        holds: Bool = false, _ body: @escaping @Sendable (PaymentClient, String) async throws -> Void
    ) throws {
        let client = try client()
        try stage.run { [stage, attempt] in
            let told =
                holds
                ? await Told {
                    try await client.authorize(.cents(1_000), from: .reader, reference: "order-1", attempt: attempt)
                } : await sell(client)
            #expect(told.isApproved, "\(told)")
            let psp = try #require(try await client.payment(PaymentID(attempt)).references["psp"])
            try await body(client, psp)
            try await stage.sleep(until: stage.now + 60_000)
        }
    }

    /// A person captures a captured sale once more at the Customer Area, and Adyen refuses that.
    @Test func refusedSecondCaptureAtAdyen_leavesTheSaleCharged() throws {
        try play { [attempt, backend] client, psp in
            await client.takeWebhook(try webhook("CAPTURE", "CAP0000000000001", of: psp, 1_000, hour: 1), from: "adyen")
            await client.takeWebhook(
                try webhook("CAPTURE", "CAP0000000000002", of: psp, 1_000, hour: 2, success: "false"), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            let again = await sell(client, try AttemptID("sale-2"))
            let standing = try await client.standing(of: attempt).map { "\($0)" } ?? ""
            #expect(
                amounts.captured == .cents(1_000),
                "captured \(amounts.captured), \(standing)")
            #expect(!again.isApproved, "charged again: \(backend.ledger.movements.count) movements")
        }
    }

    /// A hold is captured in part at the till, and its rest expires at Adyen.
    @Test func expiryAfterAPartialCaptureAtAdyen_leavesWhatWasCaptured() throws {
        try play(holds: true) { [attempt] client, psp in
            await client.takeWebhook(
                try webhook("CAPTURE", "CAP0000000000001", of: psp, for: "backoffice", 600, hour: 1), from: "adyen")
            await client.takeWebhook(try webhook("EXPIRE", "EXP0000000000001", of: psp, 1_000, hour: 2), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            let again = await sell(client, try AttemptID("sale-2"))
            let refund = await Told { try await client.refund(PaymentID(attempt), of: .cents(600)) }
            #expect(amounts.captured == .cents(600), "\(amounts.captured)")
            #expect(!again.isApproved, "the order is charged again: \(again)")
            #expect(!refund.saysNothingMoved, "a refund of what was captured: \(refund)")
        }
    }

    /// Lost, won, and lost again, beside our own refund.
    @Test func disputeLostWonAndLostAgain_addsUp() throws {
        try play { [attempt, stage] client, psp in
            var seen: [Int64] = []
            for (hour, code) in ["CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK"].enumerated() {
                await client.takeWebhook(
                    try webhook(code, "DIS0000000000001", of: psp, 1_000, hour: hour + 1), from: "adyen")
                try await stage.sleep(until: stage.now + 60_000)
                seen.append(try await client.amounts(of: attempt).refunded.minorUnits)
            }
            #expect(seen == [1_000, 0, 1_000], "\(seen)")
        }
    }

    /// All three wait at Adyen while the address can't be reached, and come at once, later than each of their dates.
    @Test func disputeLostWonAndLostAgain_allComeLate_isCharged() throws {
        try play { [attempt, stage] client, psp in
            try await stage.sleep(until: stage.now + 8 * 3_600_000)
            for (hour, code) in ["CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK"].enumerated() {
                await client.takeWebhook(
                    try webhook(code, "DIS0000000000001", of: psp, 1_000, hour: hour + 1), from: "adyen")
                try await stage.sleep(until: stage.now + 1_000)
            }
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.chargedBack == .cents(1_000) && amounts.refundable.isZero, "\(amounts)")
            let refund = await Told { try await client.refund(PaymentID(attempt), of: .cents(1_000)) }
            #expect(!refund.isApproved, "\(refund)")
        }
    }

    /// The second chargeback overtakes the reversal that it follows.
    @Test func secondChargebackBeforeTheReversal_isCharged() throws {
        try play { [attempt, stage] client, psp in
            for (hour, code) in ["CHARGEBACK", "SECOND_CHARGEBACK", "CHARGEBACK_REVERSED"].enumerated() {
                await client.takeWebhook(
                    try webhook(code, "DIS0000000000001", of: psp, 1_000, hour: hour + 1), from: "adyen")
                try await stage.sleep(until: stage.now + 3_600_000)
            }
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.chargedBack == .cents(1_000) && amounts.refundable.isZero, "\(amounts)")
        }
    }

    /// The issuer gives in after the second chargeback, also where that message comes last: the money is back.
    @Test(arguments: ["PREARBITRATION_WON", "SCHEME_ARBITRATION_WON"], [false, true])
    func disputeWonAfterTheSecondChargeback_leavesTheOrderPaid(_ code: String, _ isLate: Bool) throws {
        try play { [attempt, stage] client, psp in
            let ends = isLate ? [code, "SECOND_CHARGEBACK"] : ["SECOND_CHARGEBACK", code]
            for (hour, step) in (["CHARGEBACK", "CHARGEBACK_REVERSED"] + ends).enumerated() {
                await client.takeWebhook(
                    try webhook(step, "DIS0000000000001", of: psp, 1_000, hour: hour + 1), from: "adyen")
                try await stage.sleep(until: stage.now + 3_600_000)
            }
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.chargedBack.isZero && amounts.refundable == .cents(1_000), "\(amounts)")
        }
    }

    /// No document says which way the money goes: a person looks, and the books stay as they are.
    @Test(arguments: [
        "PREARBITRATION_LOST", "PREARBITRATION_ACCEPTED", "PREARBITRATION_DECLINED", "PREARBITRATION_ISSUER_WITHDRAWN",
        "SCHEME_ARBITRATION_LOST",
    ]) func disputeWithAnUnclearEnd_isRaisedAndBooksNothing(_ code: String) throws {
        try play { [attempt, stage] client, psp in
            let heard = Heard(client, stage)
            for (hour, step) in ["CHARGEBACK", "CHARGEBACK_REVERSED"].enumerated() {
                await client.takeWebhook(
                    try webhook(step, "DIS0000000000001", of: psp, 1_000, hour: hour + 1), from: "adyen")
            }
            try await stage.sleep(until: stage.now + 60_000)
            #expect(!heard.has(.disputed), "\(heard.kinds)")
            let before = try await client.amounts(of: attempt)
            await client.takeWebhook(try webhook(code, "DIS0000000000001", of: psp, 1_000, hour: 3), from: "adyen")
            try await stage.sleep(until: stage.now + 60_000)
            #expect(heard.has(.disputed), "\(heard.kinds)")
            #expect(try await client.amounts(of: attempt) == before)
        }
    }

    /// Without the setting for it, a later step of a dispute names the payment alone, and is about its only dispute.
    @Test func disputeWonUnderThePaymentsName_isBooked() throws {
        try play { [attempt] client, psp in
            await client.takeWebhook(
                try webhook("CHARGEBACK", "DIS0000000000001", of: psp, 1_000, hour: 1), from: "adyen")
            await client.takeWebhook(try webhook("CHARGEBACK_REVERSED", psp, of: "", 1_000, hour: 2), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.chargedBack.isZero && amounts.refundable == .cents(1_000), "\(amounts)")
            #expect(try await client.openCount(of: attempt) == 0)
        }
    }

    /// What Adyen reports when a card scheme's technical failure was put right: the signed members are the first capture's.
    private static let recapture = [
        ("CAPTURE", ""), ("CAPTURE_FAILED", "Capture rejected by card scheme because of a technical issue."),
        ("CAPTURE", "Transaction Auto-recaptured"), ("CAPTURE", ""),
    ]

    /// A sale's own capture fails and is made good: it is charged, and its order is not charged again.
    @Test func recapturedSale_countsAgain() throws {
        try play { [attempt, stage] client, psp in
            var seen: [Int64] = []
            for (hour, (code, reason)) in Self.recapture.enumerated() {
                await client.takeWebhook(
                    try webhook(code, "CAP0000000000001", of: psp, 1_000, hour: hour + 1, reason: reason), from: "adyen"
                )
                try await stage.sleep(until: stage.now + 60_000)
                seen.append(try await client.amounts(of: attempt).captured.minorUnits)
            }
            let again = await sell(client, try AttemptID("sale-2"))
            #expect(!again.isApproved, "charged again: \(again)")
            #expect(seen == [1_000, 0, 1_000, 1_000], "\(seen)")
        }
    }

    /// The same for a capture that was asked for.
    @Test func recapturedHold_countsAgain() throws {
        try play(holds: true) { [attempt, stage] client, psp in
            var seen: [Int64] = []
            _ = try await client.capture(PaymentID(attempt), attempt: try AttemptID("cap-1"))
            let name =
                try await client.payment(PaymentID(attempt)).attempts.last?.verdict?.references["modification"] ?? "?"
            for (hour, (code, reason)) in Self.recapture.enumerated() {
                await client.takeWebhook(
                    try webhook(code, name, of: psp, for: "cap-1", 1_000, hour: hour + 1, reason: reason), from: "adyen"
                )
                try await stage.sleep(until: stage.now + 60_000)
                seen.append(try await client.amounts(of: attempt).captured.minorUnits)
            }
            #expect(seen == [1_000, 0, 1_000, 1_000], "\(seen)")
        }
    }

    /// The failure that was made good comes after that: the order is paid, and not charged again.
    @Test(arguments: [false, true]) func recaptureBeforeItsFailure_countsOn(_ holds: Bool) throws {
        try play(holds: holds) { [attempt, stage] client, psp in
            var (name, order) = ("CAP0000000000001", "sale-1")
            if holds {
                _ = try await client.capture(PaymentID(attempt), attempt: try AttemptID("cap-1"))
                let known = try await client.payment(PaymentID(attempt)).attempts.last?.verdict?.references
                (name, order) = (known?["modification"] ?? "?", "cap-1")
            }
            for (hour, place) in [0, 2, 1].enumerated() {
                let (code, reason) = Self.recapture[place]
                await client.takeWebhook(
                    try webhook(code, name, of: psp, for: order, 1_000, hour: hour + 1, reason: reason), from: "adyen")
                try await stage.sleep(until: stage.now + 3_600_000)
            }
            let captured = try await client.amounts(of: attempt).captured
            #expect(captured == .cents(1_000), "\(captured)")
            let again = await sell(client, try AttemptID("sale-2"))
            #expect(!again.isApproved, "charged again: \(again)")
        }
    }

    /// A void of what was captured is a refund at Adyen, which the card scheme may reject days later.
    @Test(arguments: ["REFUND_FAILED", "REFUNDED_REVERSED"])
    func voidOfACapturedSale_thatFailsLater_leavesItCharged(_ code: String) throws {
        try play { [attempt, stage] client, psp in
            let void = try AttemptID("void-1")
            _ = try await client.void(PaymentID(attempt), attempt: void)
            let name = try await client.payment(PaymentID(attempt)).attempts.last?.verdict?.references["modification"]
            let reversal = try #require(name)
            await client.takeWebhook(
                try webhook("CANCEL_OR_REFUND", reversal, of: psp, for: void.text, 1_000, hour: 1), from: "adyen")
            let undone = try await client.amounts(of: attempt)
            #expect(undone.isVoided, "\(undone)")
            try await stage.sleep(until: stage.now + 3_600_000)
            await client.takeWebhook(
                try webhook(code, reversal, of: psp, for: void.text, 1_000, hour: 2), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(!amounts.isVoided && amounts.captured == .cents(1_000), "\(amounts)")
            #expect(amounts.refundable == .cents(1_000), "\(amounts)")
        }
    }

    /// The same for a reversal at another till.
    @Test func reversalAtAnotherTill_thatFailsLater_leavesItCharged() throws {
        try play { [attempt, stage] client, psp in
            await client.takeWebhook(
                try webhook("CANCEL_OR_REFUND", "REV0000000000001", of: psp, for: "till-7", 1_000, hour: 1),
                from: "adyen")
            try await stage.sleep(until: stage.now + 3_600_000)
            await client.takeWebhook(
                try webhook("REFUND_FAILED", "REV0000000000001", of: psp, for: "till-7", 1_000, hour: 2), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(!amounts.isVoided && amounts.captured == .cents(1_000), "\(amounts)")
            #expect(amounts.refunded.isZero, "\(amounts)")
        }
    }

    /// The same messages in another order.
    @Test func disputeReversalBeforeTheDispute_addsUp() throws {
        try play { [attempt] client, psp in
            await client.takeWebhook(
                try webhook("CHARGEBACK_REVERSED", "DIS0000000000001", of: psp, 1_000, hour: 2), from: "adyen")
            await client.takeWebhook(
                try webhook("CHARGEBACK", "DIS0000000000001", of: psp, 1_000, hour: 1), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.refunded.isZero && amounts.refundable == .cents(1_000), "\(amounts)")
        }
    }

    /// A refund of the dashboard, whose failure comes first.
    @Test func dashboardRefundWhoseFailureComesFirst_addsUp() throws {
        try play { [attempt] client, psp in
            await client.takeWebhook(
                try webhook("REFUND_FAILED", "REF0000000000001", of: psp, 400, hour: 2), from: "adyen")
            await client.takeWebhook(try webhook("REFUND", "REF0000000000001", of: psp, 400, hour: 1), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.refunded.isZero && amounts.refundable == .cents(1_000), "\(amounts)")
        }
    }

    /// A chargeback of a sale of which a part was refunded at the dashboard.
    @Test func chargebackOfTheRest_afterADashboardRefund_leavesNothing() throws {
        try play { [attempt] client, psp in
            await client.takeWebhook(try webhook("REFUND", "REF0000000000001", of: psp, 400, hour: 1), from: "adyen")
            await client.takeWebhook(
                try webhook("CHARGEBACK", "DIS0000000000001", of: psp, 600, hour: 2), from: "adyen")
            let amounts = try await client.amounts(of: attempt)
            #expect(amounts.refunded == .cents(1_000) && amounts.refundable.isZero, "\(amounts)")
        }
    }

    /// The reply of a sale is lost; a part is reversed at another till before the sale's own webhook comes.
    @Test func partialReversalBeforeTheSalesWebhook_leavesTheRest() throws {
        let client = try client()
        try stage.run { [stage, attempt, isCut, backend] in
            isCut.turn(true)
            let told = await sell(client)
            #expect(told.saysUnknown, "\(told)")
            await client.takeWebhook(
                try webhook("CANCEL_OR_REFUND", "REV0000000000001", of: "PSP0000000000001", 300, hour: 2), from: "adyen"
            )
            await client.takeWebhook(
                try webhook("AUTHORISATION", "PSP0000000000001", of: "", 1_000, hour: 1), from: "adyen")
            try await stage.sleep(until: stage.now + 60_000)
            let amounts = try await client.amounts(of: attempt)
            let isOpen = try await client.openCount(of: attempt) > 0
            let timeline = try await client.timeline(of: PaymentID(attempt)).map(\.kind)
            isCut.turn(false)
            let again = await sell(client, try AttemptID("sale-2"))
            let standing = try await client.standing(of: attempt).map { "\($0)" } ?? ""
            #expect(
                isOpen || amounts.captured.minorUnits - amounts.refunded.minorUnits == 700,
                "\(standing): captured \(amounts.captured), refunded \(amounts.refunded); \(timeline)"
            )
            #expect(!again.isApproved, "charged again: \(again), \(backend.ledger.movements.count) movements")
        }
    }

    /// A payment was imported with 4.00 refunded; that refund fails after the import.
    @Test func importedRefundAtAdyen_failsLater_isTakenBack() throws {
        let folder = try JournalFolder()
        let file = folder.file
        let line = """
            {"attempt":"old-1","provider":"adyen","adapter":"adyen","environment":"ENV","merchant":"\(backend.merchant)",\
            "reference":"old-order","minorUnits":1000,"currency":"EUR","takenAt":\(stage.now - 3_600_000),\
            "refunded":400,"holdsUntil":\(stage.now),"references":{"psp":"PSP0000000000009"}}
            """
        let environment = try driver().identity.environment
        let text = line.replacingOccurrences(of: "ENV", with: environment)
        let now = stage.now
        try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("import"))
            _ = try await journal.adopt([text], at: Attempt.Instant(wall: now, uptime: 0))
            await journal.close()
        }
        try folder.open { journal in
            let client = try client(journal)
            try stage.run {
                let old = try AttemptID("old-1")
                let before = try await client.amounts(of: old).refunded
                // A message arrives when what it is about has happened.
                try await stage.sleep(until: stage.now + 10 * 3_600_000)
                await client.takeWebhook(
                    try webhook(
                        "REFUND_FAILED", "REF0000000000001", of: "PSP0000000000009", for: "old-1", 400, hour: 9),
                    from: "adyen")
                let amounts = try await client.amounts(of: old)
                let isOpen = try await client.openCount(of: old) > 0
                #expect(before == .cents(400))
                #expect(
                    amounts.refunded.isZero || isOpen,
                    "refunded \(amounts.refunded), refundable \(amounts.refundable), \(isOpen)")
            }
        }
    }

    /// A payment was imported with a chargeback; the provider reports the chargeback again, and then takes it back.
    @Test func importedChargebackAtAdyen_toldAgain_countsOnceUntilItIsReversed() throws {
        let folder = try JournalFolder()
        let environment = try driver().identity.environment
        let text = """
            {"attempt":"old-1","provider":"adyen","adapter":"adyen","environment":"\(environment)",\
            "merchant":"\(backend.merchant)","reference":"old-order","minorUnits":1000,"currency":"EUR",\
            "takenAt":\(stage.now - 3_600_000),"references":{"psp":"PSP0000000000009"},\
            "chargebacks":[{"name":"DSP0000000000001","minorUnits":400,"at":\(stage.now - 60_000)}]}
            """
        let (file, now) = (folder.file, stage.now)
        try SchedulerJournal.wait {
            let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("import"))
            let count = try await journal.adopt([text], at: Attempt.Instant(wall: now, uptime: 0))
            #expect(count == 1)
            await journal.close()
        }
        try folder.open { journal in
            let client = try client(journal)
            try stage.run {
                let old = try AttemptID("old-1")
                func told(_ code: String, hour: Int) async throws -> PaymentAmounts {
                    await client.takeWebhook(
                        try webhook(code, "DSP0000000000001", of: "PSP0000000000009", for: "old-1", 400, hour: hour),
                        from: "adyen")
                    return try await client.amounts(of: old)
                }
                #expect(try await client.amounts(of: old).refunded == .cents(400))
                let again = try await told("CHARGEBACK", hour: 1)
                #expect(again.refunded == .cents(400) && again.inDoubt.isZero, "\(again)")
                let reversed = try await told("CHARGEBACK_REVERSED", hour: 9)
                let isOpen = try await client.openCount(of: old) > 0
                #expect(reversed.refunded.isZero && !isOpen, "\(reversed)")
            }
        }
    }
}
