internal import PaymentBase
internal import PaymentMobileSDKs

/// To a phone's kit, which runs payments and reversals and nothing else.
struct MobileLink: AdyenLink {
    let kit: any AdyenPhoneSDK.PaymentService
    let interface: AdyenInterface
    let screen: Locked<AdyenPhoneSDK.Parameters>

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage? {
        let (call, answer): (AdyenPhoneSDK.Call, AdyenPhoneSDK.Answer)
        switch header.category {
        case .reversal:
            call = .performReversal
            answer = await kit.performReversal(with: .init(data: message))
        default:
            call = .performTransaction
            answer = await kit.performTransaction(
                with: .init(data: message), paymentInterface: .init(rawValue: interface.rawValue),
                presentationMode: .init(.presentingViewController, parameters: screen.withLock { $0 }))
        }
        switch answer {
        case .failed(let code): throw AdyenKitFailure(code: code, call: call)
        case .message(let bytes):
            let reply = try AdyenRequestSender.answer(AdyenRequestSender.read(bytes), to: header)
            if let code = Self.finding(in: reply.response) { throw AdyenKitFailure(code: code, call: call) }
            return reply
        }
    }

    /// What the checks of the phone's security found, as an answer that failed tells it. The document says that errors
    /// are in the answer and not where: any of its words that is one of the listed codes says so.
    private static func finding(in response: NexoResponse?) -> AdyenPhoneSDK.ErrorCode? {
        guard let response, response.result == "Failure", !AdyenDeclineCodes.isDecline(response) else { return nil }
        // One of the codes has a mark in it that stands between two pairs, if nobody has escaped it.
        let pairs = response.additional.pairs
        let texts =
            [response.condition] + pairs.map(\.value)
            + [pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")]
        let words = texts.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "&") } }
        return words.lazy.map { String($0) }.first {
            AdyenPhoneSDK.table.rule(for: $0, in: AdyenPhoneSDK.Call.warmUp) != nil
        }
        .map { AdyenPhoneSDK.ErrorCode(rawValue: $0) }
    }
}
