#if canImport(ProximityReader)
internal import PaymentMobileSDKs
internal import PaymentProviderKit
internal import ProximityReader

@available(iOS 17.0, *)
extension PhoneCardReader {
    /// An error of Apple's as ours, by Apple's lists. No money is in a read; what was sent before it is not its business.
    static func failure(_ error: any Error) -> PaymentError {
        switch error {
        case let error as PaymentCardReaderError:
            let name = error.errorName
            let rule = ProximityReaderErrors.reader.rule(for: name, in: ProximityReaderErrors.Call.prepare)
            return PaymentError(rule, .notExecuted, ProviderMessage(code: name))
        case let error as PaymentCardReaderSession.ReadError:
            let name = error.errorName
            let rule = ProximityReaderErrors.read.rule(for: name, in: ProximityReaderErrors.Call.readPaymentCard)
            return PaymentError(rule, .notExecuted, ProviderMessage(code: name))
        case is CancellationError:
            return PaymentError.notExecuted(.cancelled, "the read was left before a card was there")
        default: return PaymentError.notExecuted(.readerUnavailable, "the reader failed without a name for it")
        }
    }
}

@available(iOS 17.0, *)
extension ReaderEvent {
    /// Takes Apple's event, which has the same name; one that is not listed says only that the reader isn't ready.
    init(_ event: PaymentCardReader.Event) {
        switch event {
        case .readyForTap: self = .readyForTap
        case .cardDetected: self = .cardDetected
        case .removeCard: self = .removeCard
        case .readCompleted: self = .readCompleted
        case .readCancelled: self = .readCancelled
        case .readNotCompleted: self = .readNotCompleted
        case .readRetry: self = .readRetry
        case .pinEntryRequested: self = .pinEntryRequested
        case .pinEntryCompleted: self = .pinEntryCompleted
        case .userInterfaceDismissed: self = .userInterfaceDismissed
        case .notReady: self = .notReady
        case .updateProgress(let percent): self = .updateProgress(percent)
        @unknown default: self = .notReady
        }
    }
}
#endif
