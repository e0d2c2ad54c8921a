import AllProviders
import Foundation
import PaymentBase
import PaymentCLI
import PaymentCore
import PaymentHTTPServer
import PaymentLinux
import PaymentModel
import PaymentProviderKit
import PaymentSQLite
import PaymentService
import PaymentTransport
import Payments
import Testing

/// What one door said of a failure.
struct FailureAnswer: Hashable, CustomStringConvertible {
    let code: String
    let step: String?
    let host: String?
    let cause: String?
    let reason: String?
    let message: String

    init(_ error: PaymentError) {
        (code, message) = (error.code.rawValue, error.message)
        (step, host) = (error.diagnosis?.step.rawValue, error.diagnosis?.host)
        (cause, reason) = (error.diagnosis?.cause.rawValue, error.diagnosis?.reason)
    }

    /// What `payctl` printed, or what the service answered: as a problem, or as an attempt that has one.
    init(_ json: JSON) {
        let problem = json["error"] ?? json["problem"].flatMap { $0 == .null ? nil : $0 } ?? json
        (code, message) = (problem["code"]?.string ?? "", problem["message"]?.string ?? "")
        (step, host) = (problem["step"]?.string, problem["host"]?.string)
        (cause, reason) = (problem["cause"]?.string, problem["reason"]?.string)
    }

    /// Where and why, without the code, which the service calls by a name of its own.
    var place: [String?] { [step, host, cause, reason] }

    var description: String {
        "\(code): \(step ?? "-") \(host ?? "-") \(cause ?? "-")\(reason.map { " (\($0))" } ?? "") | \(message)"
    }
}

/// One shop whose failures are asked for at three doors: the library, `payctl` and the service.
final class FailureDoors: Sendable {
    let folder: String
    private let transport: CurlTransport.Configuration

    /// Makes a shop at a provider's address.
    init(
        _ origin: Origin, _ transport: CurlTransport.Configuration = CurlTransport.Configuration(),
        journal: String = "{\"kind\": \"memory\"}"
    ) throws {
        self.transport = transport
        folder = FileManager.default.temporaryDirectory.appending(path: "doors-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try configure(origin, journal: journal)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { "\(folder)/providers.json" }
    var state: String { "\(folder)/state" }

    /// Writes the configuration.
    func configure(_ origin: Origin, journal: String, merchant: String = "m-1") throws {
        try Data(Self.configuration(origin, journal: journal, merchant: merchant).utf8)
            .write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    static func configuration(_ origin: Origin, journal: String, merchant: String = "m-1") -> String {
        """
        {"active": "till", "journal": \(journal), "providers": {"till": {
          "adapter": "arise", "environment": "uat", "merchant": "\(merchant)", "endpoint": "\(origin)",
          "settings": {"link": "reader", "oauth": "\(origin)", "clientId": "c-1", "processor": "p-1"},
          "credentials": {"clientSecret": "env:PATH"}}}}
        """
    }

    /// What the library says about a sale.
    func librarySale(_ journal: JournalStore? = nil, reference: String = "o-1") async throws -> FailureAnswer {
        try await answer(journal) { client throws(PaymentError) in
            let amount = try Money("5.00", .usd)
            let saved = SavedInstrument.ID(rawValue: "s-1")
            _ = try await client.sale(amount, from: .saved(saved), reference: OrderReference(reference))
        }
    }

    /// What all three say about a sale.
    func sale() async throws -> [FailureAnswer] {
        try await CurlTransport.Configuration.$standard.withValue(transport) {
            let library = try await librarySale()
            let command = try await payctl(
                "sale", "5", "USD", "--source", "saved", "--saved", "s-1", "--reference", "o-2")
            let body: JSON = [
                "amount": ["value": "5.00", "currency": "USD"], "reference": "o-3", "source": "saved", "saved": "s-1",
            ]
            return [library, command, try await service("/v1/sales", body)]
        }
    }

    /// What all three say about a refund of a payment.
    func refund(_ payment: String) async throws -> [FailureAnswer] {
        let id = try AttemptID(payment)
        let library = try await answer(nil) { client throws(PaymentError) in
            _ = try await client.refund(PaymentID(id), of: try Money("1.00", .usd))
        }
        let command = try await payctl("refund", payment, "1")
        let body: JSON = ["amount": ["value": "1.00", "currency": "USD"], "reference": "r-3"]
        return [library, command, try await service("/v1/payments/\(payment)/refunds", body)]
    }

    /// Opens a client and lets it fail; the opening may fail as well.
    private func answer(
        _ journal: JournalStore?, _ work: (PaymentClient) async throws(PaymentError) -> Void
    ) async throws -> FailureAnswer {
        do throws(PaymentError) {
            try await work(try await client(journal))
        } catch { return FailureAnswer(error) }
        Issue.record("the library did not fail")
        return FailureAnswer(JSON.null)
    }

    private func client(_ journal: JournalStore?) async throws(PaymentError) -> PaymentClient {
        try await PaymentClient.open(configuration: path) { options in
            options.transport = CurlTransport()
            if let journal { options.journal = journal }
        }
    }

    private func payctl(_ words: String...) async throws -> FailureAnswer {
        let run = await CommandRun.of(words + ["--config", path, "--state", state, "--format", "json"])
        #expect(run.status != 0)
        let json = try run.json
        #expect(try OutputSchemas.problems(words, json) == [])
        return FailureAnswer(json)
    }

    /// The service over the same configuration; where its client can't be opened, `payctl serve` says so at its start.
    private func service(_ target: String, _ body: JSON) async throws -> FailureAnswer {
        let client: PaymentClient
        do throws(PaymentError) { client = try await self.client(nil) } catch {
            return try await payctl("serve", "--listen", "127.0.0.1:0")
        }
        let key = try ServiceKey(
            Secret("paysecret_test_key"), name: "office", shop: "shop", role: .office, crypto: OpenSSLCrypto())
        let shop = ServiceShop("shop", scope: "", client: client)
        let service = PaymentService(ServiceOptions(shops: [shop], keys: [key], crypto: OpenSSLCrypto()))
        let bytes = body.bytes()
        let fields = [
            HTTPField("authorization", "Bearer paysecret_test_key"), HTTPField("content-type", "application/json"),
            HTTPField("idempotency-key", "0193a7e2-5b1c-7c55-9d0a-000000000003"),
            HTTPField("content-length", "\(bytes.count)"), HTTPField("prefer", "wait=60"),
        ]
        let head = RequestHead(method: "POST", target: target, fields: fields)
        #expect(service.refusal(of: head) == nil)
        let response = await service.response(to: ServerRequest(head, body: bytes))
        guard case .bytes(let told) = response.body else {
            Issue.record("the service answered without a body")
            return FailureAnswer(JSON.null)
        }
        return FailureAnswer(try JSONReader().read(told))
    }
}
