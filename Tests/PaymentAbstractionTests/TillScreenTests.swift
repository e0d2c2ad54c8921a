import PaymentBase
import PaymentModel
import Testing

/// What a till shows: one screen for each end, whichever way a link ends it.
@Suite struct TillScreenTests {
    private static let attempt = Result { try AttemptID("a-1") }

    @Test func screen_ofEveryEndWithoutACard_isTheSame() throws {
        let attempt = try Self.attempt.get()
        let causes: [Cancellation.Cause] = [
            .customer, .merchant, .reader, .timeout, .screenCapture, .background, .deviceCompromised, .provider,
        ]
        for cause in causes {
            #expect(TillScreen(.cancelled(Cancellation(cause: cause)), of: attempt) == .cancelled)
        }
        #expect(TillScreen(PaymentError(.timedOut, outcome: .notExecuted), of: attempt) == .cancelled)
        #expect(TillScreen(PaymentError(.cancelled, outcome: .notExecuted), of: attempt) == .cancelled)
    }

    /// A line that failed is no customer who went away, and a doubt is never a cancellation.
    @Test func screen_ofALineThatFailedInTime_isAFailure() throws {
        let attempt = try Self.attempt.get()
        let line = PaymentError(
            .timedOut, outcome: .notExecuted, detail: "",
            diagnosis: FailureDiagnosis(.connect, host: "https://host.example:443", .timedOut))
        #expect(TillScreen(line, of: attempt) == .failed(key: "timedOut", needsPerson: false))
        for code in PaymentError.Code.known {
            #expect(TillScreen(PaymentError(code, outcome: .unknown), of: attempt) == .unknown(attempt))
            #expect(TillScreen(PaymentError(code, outcome: .executed), of: attempt) == .unknown(attempt))
        }
        let nameless = TillScreen(PaymentError(.network, outcome: .unknown), of: nil)
        #expect(nameless == .failed(key: CashierMessages.unknownKey, needsPerson: true))
        #expect(TillScreen(PaymentError(.termsNotAccepted, outcome: .notExecuted), of: attempt) == .terms)
    }

    @Test func screen_ofAReaderThatAsksAgain_keepsAsking() {
        let kinds: [PaymentEvent.Kind] = [
            .begun, .submitted, .readyForCard, .reader(.readyForTap), .reader(.cardDetected), .reader(.readRetry),
            .reader(.readyForTap), .reader(.cardDetected), .reader(.pinEntryRequested), .reader(.pinEntryCompleted),
            .reader(.removeCard), .reader(.readCompleted), .cardRead, .approved,
        ]
        var screen = TillScreen.paying(.wait)
        let shown = kinds.map { kind -> TillScreen in
            screen = screen.after(PaymentEvent(kind, at: 0))
            return screen
        }
        let prompts: [TillScreen.Prompt] = [
            .wait, .wait, .presentCard, .presentCard, .holdStill, .presentAgain, .presentAgain, .holdStill, .enterPIN,
            .deciding, .removeCard, .deciding, .deciding, .deciding,
        ]
        #expect(shown == prompts.map { .paying($0) })
        #expect(TillScreen.ready.after(PaymentEvent(.readyForCard, at: 0)) == .ready)
    }

    @Test func onlyWhatIsProvenLetsTheNextPaymentBegin() throws {
        let attempt = try Self.attempt.get()
        let able: [TillScreen] = [
            .ready, .declined(.doNotHonor), .cancelled, .failed(key: "network", needsPerson: true), .pending(attempt),
        ]
        let unable: [TillScreen] = [
            .starting, .unsuitable([]), .needsLocation, .terms, .preparing(percent: 9), .paying(.wait),
            .unknown(attempt),
        ]
        #expect(able.allSatisfy(\.takesPayments) && !unable.contains(where: \.takesPayments))
        for table in [CashierMessages.english, .german] {
            for screen in able + unable { #expect(table.sentences[screen.messageKey] != nil, "\(screen)") }
        }
    }
}
