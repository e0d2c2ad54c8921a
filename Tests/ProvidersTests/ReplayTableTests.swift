import ARISEProvider
import EcommpayProvider
import HaloProvider
import NetworkInternationalProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentLinux
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import AdyenProvider

/// What a stranger can change in a webhook that he has seen, member by member: either the verifier notices it, or nothing
/// about money changes.
@Suite struct ReplayTableTests {
    /// What a member may decide that no signature covers.
    typealias Table = [String: String]

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

    /// Changes each member of a message, and compares what the verifier makes of it with a table of what is not covered;
    /// gives the rows of the table that it has seen.
    private func check(
        _ provider: String, _ message: WebhookMessage, uncovered: Table,
        _ read: (WebhookMessage) throws -> [ProviderNotice]
    ) throws -> Set<String> {
        let body = try JSONReader().read(message.body)
        let genuine = Self.money(try read(message))
        #expect(!genuine.isEmpty, "\(provider): the message says nothing")
        let hints = genuine.map { $0.replacing(/: (approved|declined|cancelled|pending).*/, with: ": hint") }
        var rows: Set<String> = []
        func said(_ path: [String], _ change: JSON?) -> [String]? {
            let bytes = Replay.setting(body, path[...], change).bytes()
            return (try? read(WebhookMessage(headers: message.headers, body: bytes, at: message.at))).map(Self.money)
        }
        for (path, value) in Replay.leaves(body) {
            let name = path.filter { Int($0) == nil }.joined(separator: ".")
            let role = uncovered[name]
            rows.insert(Replay.row(provider, name, role))
            // An empty text and none are signed alike.
            let isEmpty = value == .string("")
            for change in Replay.changed(value).map(Optional.some) + [nil]
            where change != value && !(isEmpty && (change == nil || change == .null)) {
                let said = said(path, change)
                guard role != nil else {
                    #expect(said == nil, "\(provider): \(name) = \(String(describing: change)) was not noticed")
                    continue
                }
                #expect(said == genuine || said == hints, "\(provider): \(name) decided: \(said ?? [])")
            }
            // A signature over texts does not notice another kind of value: it must decide nothing then.
            for change in Replay.alike(value) {
                let said = said(path, change)
                #expect(
                    said == nil || said == genuine || said == hints, "\(provider): \(name) as \(change): \(said ?? [])")
            }
        }
        // What was not there before: a signature over chosen values does not cover it.
        for path in [["added"], ["frame_mode"], ["payment", "frame_mode"], ["operation", "frame_mode"]] {
            for value: JSON in ["x", ["payment": ["status": "success"]], []] {
                var changed = body
                if path.count == 1 { changed = body.adding(path[0], value) }
                if path.count == 2, let inner = body[path[0]] {
                    changed = body.adding(path[0], inner.adding(path[1], value))
                }
                let copy = WebhookMessage(headers: message.headers, body: changed.bytes(), at: message.at)
                let said = (try? read(copy)).map(Self.money)
                #expect(said == nil || said == genuine || said == hints, "\(provider): \(path) added: \(said ?? [])")
            }
        }
        return rows
    }

    // MARK: - Adyen

    private static let item = "notificationItems.NotificationRequestItem."
    static let adyen: Table = [
        "live": "nothing", item + "reason": "words for people, and whether Adyen made a failed capture good",
        item + "eventDate": "the order of two messages; one that can't be read makes a hint",
        item + "additionalData.modification.action": "nothing",
        item + "additionalData.tenderReference": "the terminal's name of the payment, and whether a refusal is a hint",
        item + "additionalData.terminalId": "which terminal is shown",
        item + "additionalData.uniqueTerminalId": "which terminal is shown",
        item + "additionalData.shopperInteraction": "whether a refusal is a hint",
        item + "additionalData.retry.rescueScheduled": "whether a refusal is a hint",
    ]

    /// A recorded message as the provider of a till would have signed it, with other values of some members.
    static func signed(
        _ body: [UInt8], _ merchant: String, _ key: Secret, _ change: (JSON) -> JSON = { $0 }
    ) throws -> [UInt8] {
        let json = try JSONReader().read(body)
        let path = ["notificationItems", "0", "NotificationRequestItem"]
        var item = try #require(json["notificationItems"]?.array?.first?["NotificationRequestItem"])
        item = change(item.adding("merchantAccountCode", .string(merchant)))
        let text = try #require(NotificationItem(item)).signedText
        let signature = try #require(AdyenHMAC.signature(Array(text.utf8), key, OpenSSLCrypto()))
        let proof = JSON.string(Base64.standard.encode(signature))
        let data = (item["additionalData"] ?? [:]).adding("hmacSignature", proof)
        return Replay.setting(json, path[...], item.adding("additionalData", data)).bytes()
    }

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
        var rows: Set<String> = []
        let recorded = try Self.signed(
            AdyenTill.fixture("webhook.captureFailed.json"), till.backend.merchant, till.backend.webhookKey)
        let refused = try Self.signed(
            try #require(messages.first).body, till.backend.merchant, till.backend.webhookKey
        ) { item in
            let data: JSON = [
                "shopperInteraction": "ContAuth", "uniqueTerminalId": "V400m-324688179",
                "retry.rescueScheduled": "false",
            ]
            return item.adding("success", "false").adding("additionalData", data)
        }
        for message in messages.map({ ($0.headers, $0.body) }) + [([:], recorded), ([:], refused)] {
            let webhook = WebhookMessage(headers: message.0, body: message.1, at: till.scheduler.now)
            rows.formUnion(try check("adyen", webhook, uncovered: Self.adyen) { try driver.notices(in: $0) })
        }
        let unseen = Self.adyen.filter { !rows.contains(Replay.row("adyen", $0.key, $0.value)) }
        #expect(unseen.isEmpty, "no message has \(unseen.keys.sorted())")
        try Replay.expectDocumented("adyen", rows)
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
        var rows: Set<String> = []
        for message in messages {
            let webhook = WebhookMessage(headers: message.headers, body: message.body, at: scheduler.now)
            rows.formUnion(try check("ecommpay", webhook, uncovered: [:]) { try driver.notices(in: $0) })
        }
        rows.insert(Replay.row("ecommpay", "frame_mode", "nothing"))
        try Replay.expectDocumented("ecommpay", rows)
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
        var rows = try check("arise", webhook, uncovered: [:]) { try driver.notices(in: $0) }
        for name in ["flute-webhook-id", "flute-webhook-timestamp", "flute-webhook-signature"] {
            var headers = news.headers
            let key = try #require(headers.keys.first { $0.lowercased() == name })
            headers[key] = (headers[key] ?? "") + "1"
            #expect(throws: PaymentError.self) {
                _ = try driver.notices(in: WebhookMessage(headers: headers, body: news.body, at: bench.scheduler.now))
            }
            rows.insert(Replay.row("arise", "\(name) (header)", nil))
        }
        try Replay.expectDocumented("arise", rows)
    }

    // MARK: - Those that sign nothing

    private static let halos: Set<String> = ["merchantReference", "disposition", "haloReference"]

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
        var (haloRows, niRows): (Set<String>, Set<String>) = ([], [])
        for (path, value) in Replay.leaves(said) {
            let name = path.filter { Int($0) == nil }.joined(separator: ".")
            let isHalos = Self.halos.contains(name)
            let role = "which payment is looked up"
            if isHalos {
                haloRows.insert(Replay.row("halo", name, role))
            } else {
                niRows.insert(Replay.row("ni", name, role))
            }
            for change in Replay.changed(value) + [value] {
                let body = Replay.setting(said, path[...], change).bytes()
                let notices =
                    ((try? halo.notices(in: WebhookMessage(body: body, at: 1))) ?? [])
                    + ((try? driver.notices(in: WebhookMessage(headers: [header.0: header.1], body: body, at: 1))) ?? [])
                #expect(notices.allSatisfy { $0.verdict == nil && $0.at == nil })
            }
        }
        try Replay.expectDocumented("halo", haloRows)
        try Replay.expectDocumented("ni", niRows)
        #expect(try !halo.notices(in: WebhookMessage(body: said.bytes(), at: 1)).isEmpty)
        #expect(
            try !driver.notices(in: WebhookMessage(headers: [header.0: header.1], body: said.bytes(), at: 1)).isEmpty)
    }
}
