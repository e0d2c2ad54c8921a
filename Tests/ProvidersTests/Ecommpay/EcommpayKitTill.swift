import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport

/// A phone with the vendor's kit in front of the simulated provider, whose merchant's server signs.
struct EcommpayKitTill {
    var inner = EcommpayTill()
    let kit: SimulatedEcommpaySDK
    let server: SigningServer
    /// What stands before the kit.
    var bend: @Sendable (any EcommpayPhoneSDK.SDK) -> any EcommpayPhoneSDK.SDK = { $0 }

    var scheduler: TestScheduler { inner.scheduler }
    var backend: EcommpaySimulator { inner.backend }

    /// - Parameter showsStatus: Whether the Gate tells what became of a payment.
    init(_ way: SigningServer.Way = .signs, showsStatus: Bool = true) {
        server = SigningServer(secret: inner.backend.rules.secret, way: way)
        kit = SimulatedEcommpaySDK(
            clock: inner.scheduler, executor: inner.scheduler, transport: inner.tools.transport,
            origin: Origin(.http, "ecommpay.test"))
        inner.configuration.link = .mobile
        inner.configuration.secret = nil
        inner.tools.delegates["ecommpay"] = server
        if !showsStatus { inner.tools.transport = BlindTransport(inner: inner.tools.transport) }
    }

    func client() throws -> PaymentClient {
        var given = ClientOptions(journal: inner.journal)
        (given.clock, given.executor, given.answers) = (scheduler, scheduler, inner.answers)
        given.random = inner.random
        let driver = try EcommpayDriver(inner.configuration, inner.tools)
        return try PaymentClient(try EcommpayMobileDriver(driver, bend(kit)), given)
    }

    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    func sell(
        _ units: Int64 = 5_000, _ number: String = "5555555555554444",
        with change: (inout SaleRequest) -> Void = { _ in }
    ) throws -> PaymentResult {
        var request = try EcommpayTill.request(units, number)
        change(&request)
        return try play { [request] in try await $0.sale(request, attempt: AttemptID("a-1")) }
    }

    /// What a sale is told as, in a word or two.
    func told(_ units: Int64 = 5_000, _ number: String = "5555555555554444") throws -> String {
        do {
            switch try sell(units, number) {
            case .approved: return "approved"
            case .declined: return "declined"
            case .cancelled: return "cancelled"
            case .pending: return "pending"
            }
        } catch let error as PaymentError { return "\(error.code.rawValue) \(error.outcome.rawValue)" }
    }

    var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
}

/// The merchant's server, which alone has the secret.
struct SigningServer: EcommpaySigner {
    /// What it does with what it is to sign.
    enum Way {
        case signs, changesTheAmount, addsADescription, addsALanguage, refuses
    }

    struct Refusal: Error {}

    let secret: Secret
    let way: Way
    /// The texts that it was to sign.
    let texts = Locked([String]())

    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
        texts.withLock { $0.append(request.text) }
        var (parameters, text) = (request.parameters, request.text)
        guard parameters["payment_amount"] != nil else { return try signed(parameters, text) }
        switch way {
        case .signs: break
        case .refuses: throw Refusal()
        case .changesTheAmount: parameters = parameters.adding("payment_amount", 1)
        case .addsADescription: parameters = parameters.adding("payment_description", "Order 7")
        case .addsALanguage: parameters = parameters.adding("language_code", "de")
        }
        if way != .signs { text = try EcommpaySigningRequest(parameters).text }
        return try signed(parameters, text)
    }

    private func signed(_ parameters: JSON, _ text: String) throws -> EcommpaySignedParameters {
        let proof = try OpenSSLCrypto().authenticate(.sha512, key: secret, Array(text.utf8))
        return EcommpaySignedParameters(parameters, signature: Base64.standard.encode(proof))
    }
}

/// A line on which nobody hears what became of a payment.
private struct BlindTransport: HTTPTransport {
    let inner: any HTTPTransport
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.path.hasPrefix("/v2/payment/status") { throw .notSent(.init(rawValue: "blind")) }
        return try await inner.send(request)
    }
}
