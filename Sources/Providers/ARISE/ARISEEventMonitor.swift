internal import PaymentAbstraction
internal import PaymentMobileSDKs
internal import PaymentProviderKit

/// Listens to the kit: its events go on the payment's timeline, and what they show about the money is kept.
struct ARISEEventMonitor {
    /// What the kit has shown of a payment so far.
    struct Seen: Sendable {
        var evidence = SDKEvidence.nothingSeen
        /// Whether a card was seen, after which nothing is cancelled.
        var hasCard = false
        /// Whether the till wanted it cancelled.
        var wantsCancel = false
        /// Whether the kit has said that it stopped the payment.
        var isAborted = false
        /// Whether the reader has said that its read was cancelled.
        var isReadCancelled = false

        /// Whether an end that says nothing of the money is the end of a wait for a card: stopped by the kit's own word, or
        /// by the reader's, and nothing was seen that could have left the phone.
        var isCancelled: Bool { evidence == .nothingSeen && (isAborted || isReadCancelled) }
    }

    let calls = MobileSDKCalls<Seen>()

    /// Somebody wants the newest payment ended.
    func cancel() -> MobileSDKCalls<Seen>.Cancel {
        calls.cancel { seen in
            if !seen.hasCard { seen.wantsCancel = true }
            return !seen.hasCard
        }
    }

    /// The kit has stopped what the till wanted cancelled.
    func aborted() { calls.hear { $0.isAborted = $0.wantsCancel } }

    /// Listens while something runs, and to the end of what the kit has said by then.
    func listening<Value: Sendable>(
        to events: AsyncStream<ARISEPhoneSDK.TTPEvent>, _ body: () async -> Value
    ) async -> Value {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await event in events { heard(event) } }
            let value = await body()
            // A stream that is given up still hands over what it holds.
            group.cancelAll()
            await group.waitForAll()
            return value
        }
    }

    /// The kit says something.
    func heard(_ event: ARISEPhoneSDK.TTPEvent) {
        let context = calls.hear { $0.hear(event) }
        switch event {
        case .readerEvent(.other(let name)), .customEvent(.unknownEvent(let name)):
            context?.emit(PaymentEvent.Kind(rawValue: "arise.unknownEvent"), ["name": name])
        case .readerEvent(let event):
            guard let event = Self.event(event) else { return }
            calls.tell(event)
            context?.emit(.reader(event))
        case .customEvent(.readerNotReady(let reason)):
            calls.tell(.notReady)
            context?.emit(.reader(.notReady), ["reason": reason])
        case .customEvent(.updateReaderProgress(let percent)):
            calls.tell(.updateProgress(max(1, min(100, percent))))
        case .customEvent(let event): context?.emit(PaymentEvent.Kind(rawValue: "arise.\(event)"))
        }
    }

    private static func event(_ event: ARISEPhoneSDK.TTPReaderEvent) -> ReaderEvent? {
        switch event {
        case .updateProgress(let percent): .updateProgress(max(1, min(100, percent)))
        case .notReady: .notReady
        case .readyForTap: .readyForTap
        case .cardDetected: .cardDetected
        case .removeCard: .removeCard
        case .readCompleted: .readCompleted
        case .readRetry: .readRetry
        case .readCancelled: .readCancelled
        case .pinEntryRequested: .pinEntryRequested
        case .pinEntryCompleted: .pinEntryCompleted
        case .userInterfaceDismissed: .userInterfaceDismissed
        case .readNotCompleted: .readNotCompleted
        case .other: nil
        }
    }
}

extension ARISEEventMonitor.Seen {
    /// Takes in what the kit says of a payment.
    mutating func hear(_ event: ARISEPhoneSDK.TTPEvent) {
        evidence.see(event)
        switch event {
        case .readerEvent(.cardDetected), .customEvent(.cardDetected): hasCard = true
        // That the sheet is gone says less: it goes after a card was read, too.
        case .readerEvent(.readCancelled): isReadCancelled = true
        case .readerEvent, .customEvent: if evidence != .nothingSeen { hasCard = true }
        }
    }
}
