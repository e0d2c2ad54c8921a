import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// What the documents leave open, and what the adapter makes of it.
@Suite struct AdyenReadingTests {
    private func cents(_ units: Int64) -> Money { Money(minorUnits: units, .eur) }

    /// The adapter's list is written beside the adapter, the sandbox's beside the simulated company: the same places,
    /// and the adapter takes for granted what is played when nothing is named.
    @Test func whatTheAdapterTakesForGrantedIsWhatIsPlayed() {
        let assumed = ProviderDefinition.adyen.assumptions.map(\.id)
        let usual = AdyenSimulator.readings.filter(\.isUsual).map(\.id)
        #expect(Set(assumed) == Set(usual))
        #expect(assumed.count == usual.count)
    }

    @Test func everySettingOfOursThatIsNamedIsThere() {
        let keys = Set(ProviderDefinition.adyen.settings.map(\.key) + ProviderDefinition.adyen.credentials.map(\.key))
        for one in ProviderDefinition.adyen.assumptions {
            // Settings of the provider's say whose they are.
            guard let setting = one.setting, !setting.contains("(") else { continue }
            #expect(keys.contains(setting), "\(one.id) names \(setting)")
        }
    }

    @Test(arguments: [Int64(704), 409]) func aKeyThatCameBeforeProvesArrivalAndNothingElse(_ number: Int64) {
        let row = ErrorTable.adyen[String(number)]
        #expect(row?.delivery == .maybeSent)
    }

    /// When the items below arrive, shortly after their date.
    private static let arrival: Int64 = 1_767_607_260_000

    private func item(_ code: String, _ more: JSONObject = [:], success: String = "true") throws -> NotificationItem {
        var item: JSONObject = [
            "eventCode": .string(code), "pspReference": "8815000000000002", "merchantReference": "a-1",
            "merchantAccountCode": "TestMerchant", "success": .string(success), "eventDate": "2026-01-05T10:00:00Z",
            "amount": ["currency": "EUR", "value": 5_000],
        ]
        for member in more.members { item[member.key] = member.value }
        return try #require(NotificationItem(.object(item)))
    }

    @Test func aRefusedChargeOfASavedCardIsFinalAndOneAtATerminalIsAHint() throws {
        let saved = try item("AUTHORISATION", ["additionalData": ["shopperInteraction": "ContAuth"]], success: "false")
        let notices = AdyenNotices.notices(saved, at: Self.arrival, canAsk: true)
        #expect(notices.contains { if case .declined? = $0.verdict { true } else { false } })
        let terminal = try item("AUTHORISATION", success: "false")
        #expect(AdyenNotices.notices(terminal, at: Self.arrival, canAsk: true).allSatisfy { $0.verdict == nil })
    }

    /// It carries no key, so that the refused one may be the second copy of one that was carried out.
    @Test func aRefusedReversalIsDecidedByItsOwnNameAlone() throws {
        let refused = try item("CANCEL_OR_REFUND", ["originalReference": "8815000000000001"], success: "false")
        let notices = AdyenNotices.notices(refused, at: Self.arrival, canAsk: false)
        #expect(notices.allSatisfy { !$0.isAttempt && $0.original != nil })
        let meanings = notices.filter {
            if case .reference(_, let known) = $0.subject { known.contains(.refund) } else { false }
        }
        #expect(!meanings.isEmpty && meanings.allSatisfy { $0.verdict != nil })
        let done = try item("CANCEL_OR_REFUND", ["originalReference": "8815000000000001"])
        #expect(
            AdyenNotices.notices(done, at: Self.arrival, canAsk: false).contains { $0.isAttempt && $0.verdict != nil })
    }

    @Test func aChargeOfASavedCardThatIsRefusedByWebhookEnds() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.saved.result.received"))
        let client = try till.client()
        let id = AdyenMapping.instrument(AdyenSimulator.savedInstrument, AdyenSimulator.savedCustomer)
        let state = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("a-1")
            _ = try? await client.sale(cents(5_124), from: .saved(id), reference: "o", attempt: attempt)
            try await scheduler.sleep(until: scheduler.now + 1_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return try await till.journal.record(attempt)?.state
        }
        #expect(state == .declined)
    }

    @Test(arguments: [("EXPIRE", PaymentOperation.authorize), ("CAPTURE_FAILED", .sale), ("CAPTURE_FAILED", .capture)])
    func whatFailsLaterIsHeard(_ code: String, _ operation: PaymentOperation) throws {
        let notices = AdyenNotices.notices(
            try item(code, ["originalReference": "8815000000000001"]), at: Self.arrival, canAsk: true)
        #expect(notices.allSatisfy { $0.operations?.contains(operation) ?? true })
        let declined = notices.compactMap { notice -> Decline.Reason? in
            if case .declined(let decline)? = notice.verdict { return decline.reason }
            return nil
        }
        #expect(declined.contains(.failedAfterApproval))
    }

    @Test func twoFiguresThatDifferAreNoApproval() throws {
        let till = AdyenTill()
        #expect(till.backend.play("adyen.tip.beside-the-amount"))
        let client = try till.client()
        let (error, after) = try till.play { [scheduler = till.scheduler] in
            let attempt = try AttemptID("a-1")
            var error: PaymentError?
            do {
                _ = try await client.sale(cents(5_000), from: .reader, reference: "o", attempt: attempt)
            } catch let failure as PaymentError { error = failure }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            try await till.deliver(till.backend.takeMessages(), to: client)
            return (error, try await till.journal.record(attempt)?.approval?.amount)
        }
        #expect(error?.outcome == .unknown)
        #expect(error?.detail.contains("gratuities") == true, "\(error?.detail ?? "")")
        #expect(after == cents(6_000), "the webhook says what was charged")
    }
}

extension ProviderNotice {
    /// Whether it names an attempt of ours by our own name.
    fileprivate var isAttempt: Bool { if case .attempt = subject { true } else { false } }
}
