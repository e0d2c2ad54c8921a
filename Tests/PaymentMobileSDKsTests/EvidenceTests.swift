import Testing

@testable import PaymentMobileSDKs

@Suite struct EvidenceTests {
    private static let steps: [HaloPhoneSDK.HaloAnalyticsEvent] = [
        step(.cardDetected), step(.transactionSubmissionStarted), step(.transactionResponseReceived),
        step(.transactionResponseReceived, ["isApproved": "true"]),
        step(.transactionResponseReceived, ["isApproved": "false", "isSingleTapAndPin": "true"]),
        step(.pinCaptureSucceeded), step(.paymentApproved), step(.paymentCancelled), step(.init(rawValue: "new")),
    ]

    private static func step(
        _ type: HaloPhoneSDK.EventType, _ metadata: [String: String] = [:]
    ) -> HaloPhoneSDK.HaloAnalyticsEvent { HaloPhoneSDK.HaloAnalyticsEvent(type, timestamp: 0, metadata: metadata) }

    private static func seen(_ events: [HaloPhoneSDK.HaloAnalyticsEvent]) -> SDKEvidence {
        var evidence = SDKEvidence.nothingSeen
        for event in events { evidence.see(event) }
        return evidence
    }

    /// All sequences of up to five of nine steps, against rules that are stated another way.
    @Test func everyShortTimelineOfHaloIsSeenRightly() {
        let steps = Self.steps
        var (level, count) = ([[Int]()], 0)
        for _ in 0..<5 {
            level = level.flatMap { row in steps.indices.map { row + [$0] } }
            for row in level {
                let approval = row.contains { $0 == 3 || $0 == 6 }
                let lastSent = row.lastIndex(of: 1)
                let lastPIN = row.lastIndex(of: 4)
                let isOpen = lastSent.map { sent in lastPIN.map { $0 < sent } ?? true } ?? false
                let expected: SDKEvidence = approval ? .approved : isOpen ? .submitted : .nothingSeen
                if Self.seen(row.map { steps[$0] }) != expected { Issue.record("\(row)") }
                count += 1
            }
        }
        #expect(count == 9 + 81 + 729 + 6_561 + 59_049)
    }

    @Test func theDocumentsTimelineEndsApproved() {
        let timeline: [HaloPhoneSDK.HaloAnalyticsEvent] = [
            Self.step(.sdkInitialized), Self.step(.discoveryShown), Self.step(.sdkReaderPrepared),
            Self.step(.cardDetected), Self.step(.transactionSubmissionStarted),
            Self.step(.transactionResponseReceived, ["isSingleTapAndPin": "true", "originalTransactionId": "t1"]),
            Self.step(.pinCaptureStarted), Self.step(.pinCaptureSucceeded),
            Self.step(.transactionSubmissionStarted, ["isSingleTapAndPin": "true"]),
            Self.step(.transactionResponseReceived, ["isApproved": "true"]),
        ]
        #expect(timeline[5].originalTransactionId == "t1" && timeline[5].isApproved == nil)
        let seen = (1...timeline.count).map { Self.seen(Array(timeline.prefix($0))) }
        #expect(seen[3] == .nothingSeen && seen[4] == .submitted && seen[7] == .nothingSeen)
        #expect(seen[8] == .submitted && seen[9] == .approved)
    }

    @Test func aTapOfARISEIsOnItsWayOnceItsCardWasRead() {
        func seen(_ events: [ARISEPhoneSDK.TTPEvent]) -> SDKEvidence {
            var evidence = SDKEvidence.nothingSeen
            for event in events { evidence.see(event) }
            return evidence
        }
        let before: [ARISEPhoneSDK.TTPEvent] = [
            .customEvent(.preparing), .customEvent(.ready), .readerEvent(.readyForTap), .readerEvent(.cardDetected),
            .customEvent(.cardReadFailure), .readerEvent(.readRetry), .customEvent(.errorOccurred),
            .customEvent(.unknownEvent("new")), .readerEvent(.other("new")), .readerEvent(.updateProgress(7)),
        ]
        #expect(seen(before) == .nothingSeen)
        let after: [ARISEPhoneSDK.TTPEvent] = [
            .readerEvent(.readCompleted), .readerEvent(.pinEntryCompleted), .customEvent(.cardReadSuccess),
            .customEvent(.authorizing), .customEvent(.inProgress), .customEvent(.declined),
        ]
        for event in after {
            #expect(seen(before + [event]) == .submitted)
            #expect(seen([event] + before) == .submitted)
            #expect(seen([.customEvent(.approved), event]) == .approved)
        }
    }

    @Test func aPaymentOfSDKCoreExistsFromItsFirstEventOn() {
        let payment = EcommpayPhoneSDK.Payment(id: "p")
        let page = EcommpayPhoneSDK.ThreeDSecurePage(type: .threeDs2Challenge)
        let events: [EcommpayPhoneSDK.PayDelegate] = [
            .onPaymentCreated, .onStatusChanged(status: .processing, payment: payment),
            .onThreeDSecure(threeDSecurePage: page, isCascading: false, payment: payment),
            .onThreeDSecureRedirectComplete,
            .onClarificationFields(clarificationFields: [], payment: payment),
            .onCompleteWithDecline(isTryAgain: false, paymentMessage: nil, payment: payment),
            .onCompleteWithDecline(isTryAgain: true, paymentMessage: nil, payment: payment),
        ]
        for event in events {
            var evidence = SDKEvidence.nothingSeen
            evidence.see(.onCustomerFields(customerFields: []))
            evidence.see(.onError(code: .networkError, message: ""))
            #expect(evidence == .nothingSeen)
            evidence.see(event)
            #expect(evidence == .submitted)
            evidence.see(.onCompleteWithSuccess(payment: payment))
            evidence.see(event)
            #expect(evidence == .approved)
        }
    }

    @Test func anApprovalIsNeverUnseen() {
        for one in SDKEvidence.allCases {
            for other in SDKEvidence.allCases {
                var evidence = one
                evidence.raise(to: other)
                #expect(evidence.rawValue == max(one.rawValue, other.rawValue))
            }
        }
    }
}
