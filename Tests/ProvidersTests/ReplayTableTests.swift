import ARISEProvider
import EcommpayProvider
import HaloProvider
import NetworkInternationalProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// What a stranger can change in a webhook that he has seen, member by member: either the verifier notices it, or nothing
/// about money changes.
@Suite struct ReplayTableTests {
    /// What a member may decide that no signature covers.
    private typealias Table = [String: String]

    /// One way to change a value.
    private static func changed(_ value: JSON) -> [JSON] {
        switch value {
        case .string(let text): [.string(text + "1"), .string(""), .string(text == "true" ? "false" : "true"), .null]
        case .number: [.number(JSONNumber(987_654)), .string("1"), .null]
        case .bool(let flag): [.bool(!flag), .null]
        case .null: [.string("1")]
        case .array, .object: []
        }
    }

    /// Every value of a message with the names that lead to it.
    private static func leaves(_ json: JSON, _ path: [String] = []) -> [(path: [String], value: JSON)] {
        if let object = json.object { return object.members.flatMap { leaves($0.value, path + [$0.key]) } }
        if let items = json.array { return items.enumerated().flatMap { leaves($1, path + [String($0)]) } }
        return [(path, json)]
    }

    /// The message with another value at a path; without one, the member is gone.
    private static func setting(_ json: JSON, _ path: ArraySlice<String>, _ value: JSON?) -> JSON {
        guard let name = path.first else { return value ?? .null }
        if let items = json.array, let index = Int(name), items.indices.contains(index) {
            var items = items
            items[index] = setting(items[index], path.dropFirst(), value)
            return .array(items)
        }
        guard let object = json.object else { return json }
        var changed = JSONObject()
        for member in object.members {
            if member.key != name {
                changed[member.key] = member.value
            } else if path.count > 1 || value != nil {
                changed[name] = setting(member.value, path.dropFirst(), value)
            }
        }
        return .object(changed)
    }

    /// What a notice says about money.
    private static func money(_ notices: [ProviderNotice]) -> [String] {
        notices.map { notice in
            let said: String
            switch notice.verdict {
            case .approved(let approval)?: said = "approved \(approval.amount) \(approval.isPartial)"
            case .declined(let decline)?: said = "declined \(decline.reason)"
            case .cancelled(let cancellation)?: said = "cancelled \(cancellation.wasReversed)"
            case .pending?: said = "pending"
            case nil: said = "hint"
            }
            let operations = (notice.operations ?? []).map(\.rawValue).sorted()
            let subject: String
            switch notice.subject {
            case .attempt(let attempt): subject = "attempt \(attempt) \(operations)"
            case .reference(let name, let kinds): subject = "name \(name) \(kinds.map(\.rawValue).sorted())"
            }
            return "\(subject) of \(notice.original ?? "") in \(notice.id ?? ""): \(said)"
        }
    }

    /// Changes each member of a message, and compares what the verifier makes of it with a table of what is not covered.
    private func check(
        _ provider: String, _ message: WebhookMessage, uncovered: Table,
        _ read: (WebhookMessage) throws -> [ProviderNotice]
    ) throws {
        let body = try JSONReader().read(message.body)
        let genuine = Self.money(try read(message))
        #expect(!genuine.isEmpty, "\(provider): the message says nothing")
        var lines: [String] = []
        for (path, value) in Self.leaves(body) {
            let name = path.filter { Int($0) == nil }.joined(separator: ".")
            let role = uncovered[name]
            lines.append("\(provider)\t\(name)\t\(role == nil ? "covered" : "not covered")\t\(role ?? "")")
            // An empty text and none are signed alike.
            let isEmpty = value == .string("")
            for change in Self.changed(value).map(Optional.some) + [nil]
            where change != value && !(isEmpty && (change == nil || change == .null)) {
                let bytes = Self.setting(body, path[...], change).bytes()
                let copy = WebhookMessage(headers: message.headers, body: bytes, at: message.at)
                let said = (try? read(copy)).map(Self.money)
                guard role != nil else {
                    #expect(said == nil, "\(provider): \(name) = \(String(describing: change)) was not noticed")
                    continue
                }
                let hints = genuine.map { $0.replacing(/: (approved|declined|cancelled|pending).*/, with: ": hint") }
                #expect(said == genuine || said == hints, "\(provider): \(name) decided: \(said ?? [])")
            }
        }
        print(Array(Set(lines)).sorted().joined(separator: "\n"))
    }

    // MARK: - Adyen

    private static let item = "notificationItems.NotificationRequestItem."
    private static let adyen: Table = [
        "live": "nothing", item + "reason": "words for people",
        item + "eventDate": "the order of two messages; one that can't be read makes a hint",
        item + "additionalData.modification.action": "nothing",
        item + "additionalData.tenderReference": "the terminal's name of the payment",
        item + "additionalData.terminalId": "which terminal is shown",
        item + "additionalData.uniqueTerminalId": "which terminal is shown",
        item + "additionalData.shopperInteraction": "whether a refusal is a hint",
    ]

    @Test func adyen_everyMemberOfAWebhook_isCoveredOrDecidesNothing() throws {
        let till = AdyenTill()
        let (client, driver) = (try till.client(), try till.driver())
        let messages: [OutgoingWebhook] = try till.play { [scheduler = till.scheduler] in
            let paid = try await client.sale(Money(minorUnits: 5_000, .eur), from: .reader, reference: "o").payment
            let payment = try #require(paid)
            _ = try await client.refund(payment.id, of: Money(minorUnits: 2_000, .eur), attempt: try AttemptID("back"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let sent = till.backend.takeMessages()
            return sent + [try #require(till.backend.failLater("back"))]
        }
        #expect(messages.count >= 3)
        for message in messages {
            let webhook = WebhookMessage(headers: message.headers, body: message.body, at: till.scheduler.now)
            try check("adyen", webhook, uncovered: Self.adyen) { try driver.notices(in: $0) }
        }
    }

    // MARK: - ecommpay

    @Test func ecommpay_everyMemberOfACallback_isCovered() throws {
        let till = EcommpayTill()
        let (provider, scheduler) = (till.backend, till.scheduler)
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let client = try till.client()
        let request = try EcommpayTill.request(5_015)
        let messages: [OutgoingWebhook] = try scheduler.run {
            _ = try await client.sale(request, attempt: try AttemptID("sale-1"))
            let sold = try #require(provider.decide("sale-1", succeeds: true))
            try await client.receiveWebhook(sold.body, from: "ecommpay")
            let payment = try #require(try await client.status(try AttemptID("sale-1")).payment)
            scheduler.advance(by: 5_000)
            _ = try await client.refund(
                payment.id, of: Money(minorUnits: 1_015, .eur), attempt: try AttemptID("refund-1"))
            let done = try #require(provider.decide("refund-1", succeeds: true))
            return [sold, done, try #require(provider.failLater("refund-1"))]
        }
        for message in messages {
            let webhook = WebhookMessage(headers: message.headers, body: message.body, at: scheduler.now)
            try check("ecommpay", webhook, uncovered: [:]) { try driver.notices(in: $0) }
        }
    }

    // MARK: - ARISE

    @Test func arise_everyMemberAndHeader_isCovered() throws {
        let bench = ARISEBench()
        let client = try bench.client()
        let account = BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))
        _ = try bench.scheduler.run {
            try await client.sale(
                .dollars(5_000), from: .bank(account), reference: "a", attempt: try AttemptID("bank-1"))
        }
        bench.scheduler.advance(by: 3 * 86_400_000)
        let news = try #require(bench.backend.failLater("bank-1"))
        let driver = bench.driver
        let webhook = WebhookMessage(headers: news.headers, body: news.body, at: bench.scheduler.now)
        try check("arise", webhook, uncovered: [:]) { try driver.notices(in: $0) }
        for name in ["flute-webhook-id", "flute-webhook-timestamp", "flute-webhook-signature"] {
            var headers = news.headers
            let key = try #require(headers.keys.first { $0.lowercased() == name })
            headers[key] = (headers[key] ?? "") + "1"
            #expect(throws: PaymentError.self) {
                _ = try driver.notices(in: WebhookMessage(headers: headers, body: news.body, at: bench.scheduler.now))
            }
        }
    }

    // MARK: - Those that sign nothing

    @Test func unsignedWebhooks_whateverTheySay_areHints() throws {
        let halo = HaloTill().driver
        let ni = NITill()
        let header = (ni.configuration.webhookHeader, try #require(ni.configuration.webhookSecret).expose())
        let driver = NIDriver(ni.configuration, ni.tools)
        let said: JSON = [
            "merchantReference": "a-1", "disposition": "Approved", "haloReference": "x", "eventName": "CAPTURED",
            "outletId": "o",
            "order": [
                "reference": "r-1", "amount": ["value": 100, "currencyCode": "AED"],
                "_embedded": ["payment": [["_embedded": ["cnp:capture": [["createdTime": "2026-01-01T00:00:00Z"]]]]]],
            ],
        ]
        for (path, value) in Self.leaves(said) {
            for change in Self.changed(value) + [value] {
                let body = Self.setting(said, path[...], change).bytes()
                let notices =
                    ((try? halo.notices(in: WebhookMessage(body: body, at: 1))) ?? [])
                    + ((try? driver.notices(in: WebhookMessage(headers: [header.0: header.1], body: body, at: 1))) ?? [])
                #expect(notices.allSatisfy { $0.verdict == nil && $0.at == nil })
            }
        }
        #expect(try !halo.notices(in: WebhookMessage(body: said.bytes(), at: 1)).isEmpty)
        #expect(
            try !driver.notices(in: WebhookMessage(headers: [header.0: header.1], body: said.bytes(), at: 1)).isEmpty)
    }
}
