public import PaymentAbstraction
internal import PaymentBase
public import PaymentMobileSDKs
public import PaymentProviderKit

/// ARISE on a phone: the vendor's kit takes cards by tapping; all else goes through the platform's interface.
///
/// A tap is one call of the kit and one send: nothing can be held back in it, and nothing of ours travels with it. The
/// session is the kit's, whose token serves the interface as well.
public struct ARISEMobileDriver: MobileSDKDriver {
    /// The same account by the platform's interface.
    public let apiDriver: ARISEDriver
    /// The same for looking taps up, which come back without a reference of ours.
    let tapped: ARISEDriver
    let kit: any ARISEPhoneSDK.TappingSdk
    let watch = ARISEEventMonitor()

    /// How long a customer may take to present a card, in milliseconds; no document names a limit.
    static let untilTapMilliseconds: Int64 = 120_000
    /// How long reading, PIN and submission take at most after that, in milliseconds.
    static let afterTapMilliseconds: Int64 = 120_000
    /// How long the kit's call takes at most, in milliseconds.
    static let callMilliseconds = untilTapMilliseconds + afterTapMilliseconds
    /// How long a token is used that doesn't say how long it lives, in milliseconds.
    static let tokenMilliseconds: Int64 = 10 * 60_000
    /// How long the kit's answer to a wish to cancel may come after the end of the call that it is about, in milliseconds.
    static let abortMilliseconds: Int64 = 2_000

    /// Makes a driver that takes taps with a kit, and does all else through another's interface.
    public init(_ driver: ARISEDriver, _ kit: any ARISEPhoneSDK.TappingSdk) {
        var tapped = driver
        tapped.configuration.referenceEcho = .none
        (apiDriver, self.tapped, self.kit) = (driver, tapped, kit)
    }

    public var capabilities: Capabilities {
        // A vendor's SDK whose process is dead sends nothing after so long.
        var takes = apiDriver.capabilities.limited(to: Self.callMilliseconds)
        takes.usesProviderTerminal = true
        return takes
    }

    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await (inquiry.record.intent.source == .reader ? tapped : apiDriver).lookup(inquiry, context)
    }

    public func classify(_ error: any Error) -> RequestFailure {
        guard let failure = error as? ARISEPhoneSDK.Failure else { return apiDriver.classify(error) }
        return RequestFailure(Self.failure(failure, .prepare, .notExecuted))
    }

    /// An error of the kit as ours.
    static func failure(
        _ failure: ARISEPhoneSDK.Failure, _ call: ARISEPhoneSDK.Call, _ outcome: PaymentError.Outcome
    ) -> PaymentError {
        PaymentError(ARISEPhoneSDK.rule(of: failure, in: call), outcome, failure.said)
    }
}

extension ARISEPhoneSDK.Failure {
    /// The error in the kit's words: under its code, where it has one.
    var said: ProviderMessage {
        switch self {
        case .ttp(let error):
            let code = error.code?.rawValue ?? ""
            return ProviderMessage(code: code.isEmpty ? error.name : code, message: error.text)
        case .api(let error): return ProviderMessage(code: name, message: error.text)
        case .other(_, let text): return ProviderMessage(code: name, message: text)
        case .authentication, .cardReader: return ProviderMessage(code: name)
        }
    }
}

extension ARISEPhoneSDK.Failure {
    /// Whether it is a failed payment's error without a code, which the kit gives for a cancelled read as well.
    var saysNothing: Bool {
        switch self {
        case .ttp(.transactionFailed(let code, _)): code.rawValue.isEmpty
        case .ttp, .api, .authentication, .cardReader, .other: false
        }
    }
}

extension ARISEPhoneSDK.TTPError {
    fileprivate var text: String {
        switch self {
        case .notCompatible(let reasons): reasons.joined(separator: "; ")
        case .notActive, .sdkNotInitialized: ""
        case .configurationFailed(_, let text), .activationFailed(_, let text), .transactionFailed(_, let text),
            .failedToAbortTransaction(_, let text), .unknown(_, let text):
            text
        }
    }
}

extension ARISEPhoneSDK.AriseApiError {
    fileprivate var text: String {
        switch self {
        case .badRequest(let text), .unauthorized(let text), .forbidden(let text), .notFound(let text),
            .serverError(let text), .unknown(let text), .invalidResponse(let text), .networkError(let text):
            text
        }
    }
}
