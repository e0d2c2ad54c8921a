internal import PaymentBase

/// To a phone's kit, which runs payments and reversals and nothing else.
struct PhoneLink: AdyenLink {
    let phone: any AdyenPhone
    let interface: AdyenInterface
    let screen: Locked<Screen>

    /// How the phone shows a payment.
    struct Screen: Sendable {
        var successMilliseconds: Int64?
        var logo: [UInt8]?
    }

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret) async throws -> NexoMessage? {
        let shown = screen.withLock { $0 }
        let answer = try await phone.perform(
            message, on: interface, successMilliseconds: shown.successMilliseconds,
            logo: shown.logo)
        return try AdyenPost.answer(AdyenPost.read(answer), to: header)
    }
}
