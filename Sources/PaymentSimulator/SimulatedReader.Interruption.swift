internal import PaymentBase

internal import struct PaymentModel.PaymentError
internal import struct PaymentModel.ProviderMessage

extension SimulatedReader {
    /// What continues around the reader, during which no card is read.
    public enum Interruption: String, Hashable, Sendable, CaseIterable {
        /// A telephone call is under way.
        case phoneCall
        /// The application is not in front; the session is over, and the reader has to be prepared again.
        case background
        /// The screen is being recorded or mirrored.
        case screenCapture

        /// What a read ends with.
        var error: PaymentError {
            switch self {
            case .phoneCall:
                PaymentError(
                    .readerUnavailable, outcome: .notExecuted,
                    provider: ProviderMessage(code: "readNotAllowedDuringCall"),
                    detail: "no card is read during a phone call")
            case .background:
                PaymentError(
                    .readerUnavailable, outcome: .notExecuted,
                    provider: ProviderMessage(code: "readFromBackgroundError"),
                    detail: "no card is read behind other applications")
            case .screenCapture:
                PaymentError(
                    .deviceCompromised, outcome: .notExecuted,
                    provider: ProviderMessage(code: "screenCaptureDetected"),
                    detail: "no card is read while the screen is captured")
            }
        }
    }

    /// Something begins around the reader; a read that waits for a card ends with an error.
    public func begin(_ situation: Interruption) {
        let wake = state.withLock { state in
            state.situations.insert(situation)
            if situation == .background { state.preparedUntil = nil }
            return state.isDetected ? nil : state.wake
        }
        wake?.fulfill(.interrupted(situation))
    }

    /// Something around the reader is over.
    public func end(_ situation: Interruption) { state.withLock { _ = $0.situations.remove(situation) } }
}
