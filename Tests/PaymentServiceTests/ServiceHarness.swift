import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentLinux
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport

@testable import PaymentService

/// An answer of the service, read.
struct Reply: Sendable {
    let status: Int
    let body: JSON
    let fields: [HTTPField]

    init(_ response: ServerResponse) throws {
        (status, fields) = (response.status, response.fields)
        guard case .bytes(let bytes) = response.body else {
            body = .null
            return
        }
        body = try JSONReader().read(bytes)
    }

    /// A field of the head.
    subscript(field: String) -> String? { fields.first { $0.name == field }?.value }
    /// The attempt's status, or the problem's code.
    var word: String? { body["code"]?.string ?? body["status"]?.string }
    /// What became of the money.
    var outcome: String? { body["outcome"]?.string }
    /// The pointers of the members that were wrong.
    var pointers: [String] { (body["fields"]?.array ?? []).compactMap { $0["pointer"]?.string } }
    /// The payment of an attempt.
    var payment: String { body["payment"]?.string ?? "" }
}

/// Which key a call uses.
enum Caller: String, CaseIterable { case viewer, till, office, other, free, none, unknown }

/// A service over the memory provider on a stage.
struct ServiceHarness: Sendable {
    let till: Till
    let service: PaymentService

    /// The text of a caller's key.
    static func key(_ caller: Caller) -> String { "paysecret_test_\(caller.rawValue)_key" }

    /// A UUID made of a number.
    static func uuid(_ number: Int) -> String {
        let digits = String(number)
        return "0193a7e2-5b1c-7c55-9d0a-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    init(
        _ till: Till = Till(), transport: (any HTTPTransport)? = nil, hasIntake: Bool = false,
        _ set: (inout ServiceOptions) throws -> Void = { _ in }
    ) throws {
        self.till = till
        let desk = QuestionDesk(clock: till.scheduler, random: till.random)
        func shop(_ name: String) throws -> ServiceShop {
            var options = till.dependencies
            (options.scope, options.customersOf) = (name, name)
            desk.handle(&options.answers)
            return ServiceShop(name, scope: name, client: try PaymentClient(till.driver(transport), options))
        }
        service = try Self.service([try shop("berlin"), try shop("paris")]) { options in
            (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            options.desk = desk
            if hasIntake { options.intake = try PaymentClient(till.driver(transport), till.dependencies) }
            try set(&options)
        }
    }

    /// A service over shops, with a key of each role for the first.
    static func service(
        _ shops: [ServiceShop], _ set: (inout ServiceOptions) throws -> Void = { _ in }
    ) throws -> PaymentService {
        func key(_ caller: Caller, _ shop: ServiceShop, _ role: ServiceRole) throws -> ServiceKey {
            try ServiceKey(
                Secret(Self.key(caller)), name: caller.rawValue, shop: shop.name, role: role, crypto: OpenSSLCrypto())
        }
        var free = try key(.free, shops[0], .till)
        (free.mayRefund, free.mayOmitReference) = (true, true)
        let keys = [
            try key(.viewer, shops[0], .viewer), try key(.till, shops[0], .till), try key(.office, shops[0], .office),
            try key(.other, shops.last ?? shops[0], .office), free,
        ]
        var options = ServiceOptions(shops: shops, keys: keys, crypto: OpenSSLCrypto())
        try set(&options)
        return PaymentService(options)
    }

    /// Runs a body on the stage, with the memory provider behind the service.
    static func play(
        _ till: Till = Till(), transport: (any HTTPTransport)? = nil,
        _ body: @escaping @Sendable (ServiceHarness) async throws -> Void
    ) throws {
        let harness = try ServiceHarness(till, transport: transport)
        try till.play { try await body(harness) }
    }

    /// A POST; a number makes its `Idempotency-Key`.
    func post(
        _ path: String, _ body: JSON = [:], _ key: Int? = nil, by caller: Caller = .till, wait: Int? = nil,
        fields: [HTTPField] = []
    ) async throws -> Reply {
        try await Self.post(service, path, body, key, by: caller, wait: wait, fields: fields)
    }

    static func post(
        _ service: PaymentService, _ path: String, _ body: JSON = [:], _ key: Int? = nil, by caller: Caller = .till,
        wait: Int? = nil, fields: [HTTPField] = []
    ) async throws -> Reply {
        var all = fields + [HTTPField("content-type", "application/json")]
        if let key { all.append(HTTPField("idempotency-key", uuid(key))) }
        return try await send(service, "POST", path, body.bytes(), by: caller, wait: wait, all)
    }

    /// A GET.
    func get(_ target: String, by caller: Caller = .till, wait: Int? = nil) async throws -> Reply {
        try await Self.send(service, "GET", target, [], by: caller, wait: wait, [])
    }

    /// Sends a request as a server would.
    static func send(
        _ service: PaymentService, _ method: String, _ target: String, _ body: [UInt8], by caller: Caller,
        wait: Int? = nil, _ fields: [HTTPField]
    ) async throws -> Reply {
        var all = fields
        if caller != .none { all.append(HTTPField("authorization", "Bearer \(key(caller))")) }
        if let wait { all.append(HTTPField("prefer", "wait=\(wait)")) }
        if !body.isEmpty { all.append(HTTPField("content-length", "\(body.count)")) }
        let head = RequestHead(method: method, target: target, fields: all)
        if let refusal = service.refusal(of: head) { return try Reply(refusal) }
        return try Reply(await service.response(to: ServerRequest(head, body: body)))
    }

    /// A sale from the reader.
    static func sale(_ value: String, _ reference: String = "order-1") -> JSON {
        ["amount": euro(value), "reference": .string(reference)]
    }

    static func euro(_ value: String) -> JSON { ["value": .string(value), "currency": "EUR"] }

    /// How many movements the provider's ledger has under an attempt.
    func movements(_ key: Int) -> Int { till.backend.ledger.movements(attempt: Self.uuid(key)).count }
}
