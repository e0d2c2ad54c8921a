import Glibc
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentTesting

@testable import AdyenProvider
@testable import EcommpayProvider
@testable import PaymentCLI
@testable import PaymentSimulator

extension FuzzTarget {
    /// Files and values that came to be read later, and webhooks that keep their signature.
    static let hostile: [FuzzTarget] = [
        FuzzTarget("statement") { bytes in statement(bytes) },
        FuzzTarget("sdk-values") { bytes in values(bytes) },
        FuzzTarget("webhook-ledger") { bytes in WebhookLedger.run(bytes) },
    ]

    private static let heads = [
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,Received (PC),"
            + "Authorised (PC),Captured (PC),Modification Reference\n",
        "Merchant Account,Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Modification Reference,"
            + "Gross Currency,Gross Debit (GC),Gross Credit (GC)\n",
        "",
    ]

    /// Each row stands once: with a movement, or beside them with a reason.
    private static func statement(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let form = choices.below(heads.count + 1)
        let file = form < heads.count ? Array(heads[form].utf8) + choices.all() : built(&choices)
        guard let statement = try? AdyenReport.statement(file, "f", adapter: "adyen", merchant: "m") else { return }
        let told = (statement.listings.flatMap(\.rows) + statement.outside.map(\.row)).sorted()
        hold(told == Array(statement.rows.indices), "a row stands twice or never: \(told)")
        for listing in statement.listings {
            hold(!listing.rows.isEmpty, "a movement stands in no row")
            let amounts = [listing.held, listing.moved, listing.refunded].compactMap { $0 }
            hold(amounts.allSatisfy(\.isBelievable), "a movement has an amount that none can be")
        }
        hold(statement.place(Array(statement.rows.indices)) != nil || statement.rows.isEmpty, "rows have no place")
    }

    private static let types = [
        "Received", "Authorised", "Refused", "Error", "Cancelled", "Expired", "SentForSettle", "Settled",
        "CaptureFailed", "SentForRefund", "Refunded", "RefundFailed", "RefundedReversed", "Chargeback",
        "ChargebackReversed", "Fee",
        "PaidOut",
    ]
    private static let amounts = [
        "12.50", "2.50", "-12.50", "0.00", "", "10.00", "12.5", "12", "9999999999999.99",
        "99999999999999999999",
    ]
    private static let moments = ["2026-01-01 10:00:00", "2026-06-21 19:58:55", "2026-02-30 10:00:00", ""]

    /// A report whose cells are words that reports have, or what the input says.
    private static func built(_ choices: inout Choices) -> [UInt8] {
        let columns = heads[choices.below(2)].dropLast().split(separator: ",").map { String($0) }
        let end = choices.below(4) == 0 ? "\r\n" : "\n"
        var text = columns.joined(separator: ",") + end
        while !choices.isEmpty {
            text += columns.map { cell($0, &choices) }.joined(separator: ",") + end
        }
        return Array(text.utf8)
    }

    private static func cell(_ column: String, _ choices: inout Choices) -> String {
        let words: [String] =
            switch column {
            case "Merchant Account": ["m", "m", "m", "n"]
            case "Psp Reference": ["P1", "P1", "P2", ""]
            case "Merchant Reference": ["r1", "r2", ""]
            case "Booking Date", "Creation Date": moments
            case "TimeZone": ["CET", "UTC", "PST", "XYZ"]
            case "Record Type", "Type": types
            case "Payment Currency", "Gross Currency": ["EUR", "EUR", "JPY", "KWD", "eur", ""]
            case "Modification Reference": ["M1", "M2", ""]
            default: amounts
            }
        let place = choices.below(16)
        if place < 14 { return words[choices.below(words.count)] }
        let text = String(fuzzed: choices.bytes(choices.below(12)))
        return place == 14 ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// An amount of a vendor's kit is the same when it was written and read again.
    private static func values(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        let places = choices.below(24)
        let text = String(decoding: choices.all(), as: UTF8.self)
        guard let value = SDKDecimal(text) else { return }
        hold(SDKDecimal(value.text) == value, "an amount is another one when it was written: \(value.text)")
        hold(value.text.utf8.count <= SDKDecimal.digitsMax + 3, "an amount is longer than one may be")
        guard let units = value.minorUnits(places: places) else { return }
        let again = SDKDecimal(minorUnits: units, places: places)
        hold(again == value, "\(value.text) is \(units) with \(places) places, and \(again?.text ?? "none") again")
    }
}

/// Webhooks of which all but the signature changes, taken by a client that has taken the genuine ones: the payment is worth
/// afterwards what it was worth before.
enum WebhookLedger {
    /// A client with a payment, and the genuine messages, all of which it has.
    fileprivate struct Shop: Sendable {
        let provider: ProviderID
        let scheduler: TestScheduler
        let client: PaymentClient
        let messages: [(headers: [String: String], body: JSON)]
        let worth: [String]

        func take(_ headers: [String: String], _ given: [UInt8]) {
            let body = WebhookLedger.isPlanted ? WebhookLedger.believed(given) : given
            let now = try? scheduler.run {
                _ = try? await client.receiveWebhook(body, headers: headers, from: provider)
                return await WebhookLedger.worth(client)
            }
            hold(
                now == worth,
                "\(provider): \(now ?? []) instead of \(worth) after \(String(decoding: body, as: UTF8.self))")
        }
    }

    private static let shops: [Shop] = [try? adyen(), try? ecommpay(), try? adyen(hasOthers: true)]
        .compactMap { $0 }

    private static func worth(_ client: PaymentClient) async -> [String] {
        var lines: [String] = []
        do {
            for try await record in client.allPayments() {
                let states = record.attempts.map { "\($0.intent.operation.rawValue) \($0.state)" }.sorted()
                lines.append("\(record.amounts) \(states)")
            }
        } catch { lines.append("unreadable") }
        return lines.sorted()
    }

    static func run(_ bytes: [UInt8]) {
        var choices = Choices(bytes)
        hold(shops.count == 3, "a shop could not be opened")
        guard !shops.isEmpty else { return }
        let shop = shops[choices.below(shops.count)]
        let message = shop.messages[choices.below(shop.messages.count)]
        var body = message.body
        for _ in 0...choices.below(4) {
            body = choices.below(2) == 0 ? mutated(body, &choices) : withAnotherLeaf(body, &choices)
        }
        shop.take(message.headers, body.bytes())
    }

    // MARK: - A planted mistake

    /// Whether a verifier is played that does not look at the member `success`; `Scripts/fuzz --planted` must find it.
    fileprivate static let isPlanted = unsafe getenv("PAYMENTS_FUZZ_PLANTED") != nil
    private static let key = Locked(Secret(""))

    /// The message as such a verifier takes it: an item whose signature fits with another `success` gets one that fits.
    fileprivate static func believed(_ body: [UInt8]) -> [UInt8] {
        guard let json = try? JSONReader().read(body), let items = NotificationItem.items(json) else { return body }
        let (key, crypto) = (key.withLock { $0 }, OpenSSLCrypto())
        let signed = items.map { json -> JSON in
            guard var item = json["NotificationRequestItem"], let read = NotificationItem(item),
                let given = read.signature, let data = item["additionalData"]
            else { return json }
            let isGenuine = ["true", "false"].contains { success in
                let text = NotificationItem(item.adding("success", .string(success)))?.signedText ?? ""
                return AdyenHMAC.isGenuine(Array(text.utf8), given, [key], crypto)
            }
            guard isGenuine, let made = AdyenHMAC.signature(Array(read.signedText.utf8), key, crypto) else {
                return json
            }
            item = item.adding(
                "additionalData", data.adding("hmacSignature", .string(Base64.standard.encode(made))))
            return ["NotificationRequestItem": item]
        }
        return json.adding("notificationItems", .array(signed)).bytes()
    }

    // MARK: - Mutations that know the structure

    private static let words: [JSON] = [
        "true", "false", "success", "decline", "refund", "ContAuth", "EUR", "USD", "", .null, true, false, 0, 1, 100,
        2_000,
        999_999, [], [:], "2026-01-01T12:00:00Z", "2036-01-01T12:00:00Z", "sale", "back", "reverse",
    ]
    private static let names = [
        "frame_mode", "live", "reason", "eventDate", "success", "additionalData", "operations", "operation", "payment",
        "shopperInteraction", "tenderReference", "modification.action", "merchantReference", "originalReference", "sum",
    ]

    private static func word(_ choices: inout Choices) -> JSON {
        let place = choices.below(words.count + 1)
        if place < words.count { return words[place] }
        return .string(String(decoding: choices.bytes(choices.below(24)), as: UTF8.self))
    }

    /// Gives one value of a message, whichever it is, another one.
    private static func withAnotherLeaf(_ json: JSON, _ choices: inout Choices) -> JSON {
        var left = choices.below(max(1, leaves(json)))
        let word = word(&choices)
        return replacing(json, &left, word)
    }

    private static func leaves(_ json: JSON) -> Int {
        switch json {
        case .object(let object): object.members.reduce(0) { $0 + leaves($1.value) }
        case .array(let items): items.reduce(0) { $0 + leaves($1) }
        case .null, .bool, .number, .string: 1
        }
    }

    private static func replacing(_ json: JSON, _ left: inout Int, _ word: JSON) -> JSON {
        switch json {
        case .object(let object):
            var changed = JSONObject()
            for member in object.members { changed[member.key] = replacing(member.value, &left, word) }
            return .object(changed)
        case .array(let items): return .array(items.map { replacing($0, &left, word) })
        case .null, .bool, .number, .string:
            left -= 1
            return left == -1 ? word : json
        }
    }

    /// Changes one place of a message: another value, a member that is gone, added or doubled, or a value in another form.
    static func mutated(_ json: JSON, _ choices: inout Choices) -> JSON {
        switch json {
        case .object(let object):
            guard !object.isEmpty else { return word(&choices) }
            let (chosen, way) = (choices.below(object.count), choices.below(8))
            var changed = JSONObject()
            for (index, member) in object.members.enumerated() {
                guard index == chosen else {
                    changed[member.key] = member.value
                    continue
                }
                switch way {
                case 0: continue
                case 1: changed[member.key] = word(&choices)
                case 2:
                    changed[member.key] = member.value
                    changed[names[choices.below(names.count)]] = word(&choices)
                case 3:
                    changed[member.key] = [member.value]
                default: changed[member.key] = mutated(member.value, &choices)
                }
            }
            return .object(changed)
        case .array(let items):
            guard !items.isEmpty else { return word(&choices) }
            var changed = items
            let chosen = choices.below(items.count)
            if choices.below(4) == 0 { changed.append(items[chosen]) }
            changed[chosen] = mutated(items[chosen], &choices)
            return .array(changed)
        case .string(let text):
            // The same signed text in another form.
            if choices.below(4) == 0, let colon = text.firstIndex(of: ":") {
                return .object([String(text[..<colon]): .string(String(text[text.index(after: colon)...]))])
            }
            return word(&choices)
        case .number(let number): return choices.below(2) == 0 ? .string(number.text) : word(&choices)
        case .bool, .null: return word(&choices)
        }
    }

    // MARK: - Shops

    /// What else Adyen says of a payment, each signed: every kind of message with either word, under names of its own.
    ///
    /// Not *CAPTURE_FAILED*: an unsigned member of a *CAPTURE* makes that one good again (docs/webhooks.md).
    private static func others(
        like message: OutgoingWebhook, _ key: Secret, _ attempts: [String]
    ) -> [OutgoingWebhook] {
        guard let json = try? JSONReader().read(message.body),
            let item = json["notificationItems"]?[0]?["NotificationRequestItem"], let data = item["additionalData"]
        else { return [] }
        let kinds = [
            "AUTHORISATION", "CAPTURE", "AUTHORISATION_ADJUSTMENT", "REFUND", "REFUND_WITH_DATA", "CHARGEBACK",
            "SECOND_CHARGEBACK", "CANCELLATION", "CANCEL_OR_REFUND", "TECHNICAL_CANCEL", "VOID_PENDING_REFUND",
            "EXPIRE",
            "REFUND_FAILED", "REFUNDED_REVERSED", "CHARGEBACK_REVERSED", "REPORT_AVAILABLE",
        ]
        var made: [OutgoingWebhook] = []
        for (number, kind) in kinds.enumerated() {
            for success in ["true", "false"] {
                var other = item.adding("eventCode", .string(kind)).adding("success", .string(success))
                other = other.adding("pspReference", .string("X\(number)\(success)"))
                other = other.adding("originalReference", item["pspReference"] ?? .null)
                other = other.adding("merchantReference", .string(attempts[number % attempts.count]))
                guard let read = NotificationItem(other),
                    let signature = AdyenHMAC.signature(Array(read.signedText.utf8), key, OpenSSLCrypto())
                else { continue }
                let signed = data.adding("hmacSignature", .string(Base64.standard.encode(signature)))
                let wrapped: JSON = ["NotificationRequestItem": other.adding("additionalData", signed)]
                made.append(
                    OutgoingWebhook(
                        headers: message.headers, body: json.adding("notificationItems", [wrapped]).bytes(),
                        at: message.at))
            }
        }
        return made
    }

    /// A sale and a refund that was approved, both taken.
    private static func adyen(hasOthers: Bool = false) throws -> Shop {
        let scheduler = TestScheduler()
        let backend = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto())
        let origin = Origin(.http, "adyen.test")
        var configuration = AdyenConfiguration(
            endpoint: origin, checkout: WebURL(origin, "/v72"), merchant: backend.merchant, apiKey: backend.apiKey,
            terminal: AdyenSimulator.terminal)
        configuration.webhookKeys = [backend.webhookKey]
        key.withLock { $0 = backend.webhookKey }
        configuration.passphrase = backend.passphrase
        let driver = try configuration.driver(
            InProcessTransport([origin: backend], clock: scheduler), OpenSSLCrypto())
        let client = try client(driver, scheduler)
        let messages = try scheduler.run {
            let paid = try await client.sale(
                Money(minorUnits: 5_000, .eur), from: .reader, reference: "o", attempt: try AttemptID("sale")
            ).payment
            guard let paid else { throw CancellationError() }
            _ = try await client.refund(paid.id, of: Money(minorUnits: 2_000, .eur), attempt: try AttemptID("back"))
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return backend.takeMessages()
        }
        guard let first = messages.first else { throw CancellationError() }
        let all = messages + (hasOthers ? others(like: first, backend.webhookKey, ["sale", "back", "unknown"]) : [])
        return try shop("adyen", scheduler, client, all)
    }

    /// A sale and a refund that came back, all taken.
    private static func ecommpay() throws -> Shop {
        let scheduler = TestScheduler(now: 1_767_225_600_000)
        let rules = EcommpaySimulator.Rules()
        let backend = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto(), rules: rules)
        let origin = Origin(.http, "ecommpay.test")
        var configuration = EcommpayConfiguration(gate: origin, project: rules.project)
        (configuration.environment, configuration.link) = ("simulated", .session)
        (configuration.isSoleUser, configuration.secret) = (true, rules.secret)
        configuration.customerIPAddress = "198.51.100.47"
        var tools = ProviderDependencies(transport: InProcessTransport([origin: backend], clock: scheduler))
        tools.crypto = OpenSSLCrypto()
        let client = try client(try EcommpayDriver(configuration, tools), scheduler)
        let messages: [OutgoingWebhook] = try scheduler.run {
            let card = try KeyedCard(
                number: "5555555555554444", expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
            var request = SaleRequest(Money(minorUnits: 5_015, .eur), from: .card(card), reference: "o")
            var contact = CustomerContact()
            contact.email = "john@example.org"
            request.contact = contact
            _ = try await client.sale(request, attempt: try AttemptID("sale-1"))
            guard let sold = backend.decide("sale-1", succeeds: true) else { throw CancellationError() }
            try await client.receiveWebhook(sold.body, from: "ecommpay")
            guard let payment = try await client.status(try AttemptID("sale-1")).payment else {
                throw CancellationError()
            }
            scheduler.advance(by: 5_000)
            _ = try await client.refund(
                payment.id, of: Money(minorUnits: 1_015, .eur), attempt: try AttemptID("back-1"))
            guard let done = backend.decide("back-1", succeeds: true), let failed = backend.failLater("back-1") else {
                throw CancellationError()
            }
            return [sold, done, failed]
        }
        return try shop("ecommpay", scheduler, client, messages)
    }

    private static func client(_ driver: any PaymentDriver, _ scheduler: TestScheduler) throws -> PaymentClient {
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.random) = (scheduler, scheduler, SeededRandom(seed: 1))
        return try PaymentClient(driver, given)
    }

    private static func shop(
        _ provider: ProviderID, _ scheduler: TestScheduler, _ client: PaymentClient, _ messages: [OutgoingWebhook]
    ) throws -> Shop {
        let told = try scheduler.run {
            for message in messages {
                try await client.receiveWebhook(message.body, headers: message.headers, from: provider)
            }
            try await scheduler.sleep(until: scheduler.now + 60_000)
            return await WebhookLedger.worth(client)
        }
        let read = try messages.map { (headers: $0.headers, body: try JSONReader().read($0.body)) }
        return Shop(provider: provider, scheduler: scheduler, client: client, messages: read, worth: told)
    }
}
