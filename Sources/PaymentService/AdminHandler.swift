internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
package import PaymentHTTPServer
internal import PaymentJournalKit
internal import PaymentModel

/// Health and metrics of a service, for a listener of its own that no client of the API reaches.
package struct AdminHandler: HTTPRequestHandler {
    /// How many pages of open attempts are looked at, of all shops together: each look costs about the same.
    private static let pagesMax = 100
    /// Where an open attempt stands.
    private static let states: [Attempt.State] = [.running, .inDoubt, .pending]
    /// The upper ends of the classes of ages, in milliseconds, with their names.
    private static let ages: [(name: String, end: Int64)] = [
        ("1m", 60_000), ("1h", 3_600_000), ("1d", 86_400_000), ("more", .max),
    ]

    private let core: ServiceCore

    init(_ core: ServiceCore) { self.core = core }

    package func refusal(of head: RequestHead) -> ServerResponse? {
        guard ["/health/live", "/health/ready", "/metrics"].contains(head.path) else { return text(404, "not found\n") }
        return head.method == "GET" || head.method == "HEAD"
            ? nil : text(405, "GET\n", [HTTPField("Allow", "GET, HEAD")])
    }

    package func refusal(_ status: Int) -> ServerResponse { text(status, "refused\n") }

    package func response(to request: ServerRequest) async -> ServerResponse {
        switch request.head.path {
        case "/health/live": return json(200, ["isLive": true])
        case "/health/ready": return await ready()
        default: return text(200, core.metrics.text(await gauges()), [HTTPField("Cache-Control", "no-store")])
        }
    }

    private func ready() async -> ServerResponse {
        var reasons: [JSON] = core.carrier.isStopping ? ["The service stops."] : []
        if !core.carrier.isStopping, await !core.canBegin() { reasons.append("The journal can't be read or written.") }
        return json(
            reasons.isEmpty ? 200 : 503,
            ["isReady": .bool(reasons.isEmpty), "reasons": .array(reasons), "keys": .string(core.keys.checksum)])
    }

    private func gauges() async -> [ServiceMetrics.Gauge] {
        let isReady = await core.canBegin()
        let counted = await core.counted(isReady: isReady) { await webhooks() + openAttempts() }
        return (counted ?? unread) + (await marks()) + [
            .init(
                name: "payments_attempts_under_way", help: "Attempts that this process works on.",
                values: [("", core.carrier.count)]),
            .init(name: "payments_waits", help: "Requests that wait.", values: [("", core.room.count)]),
            .init(name: "payments_streams", help: "Streams of events.", values: [("", core.streamCount)]),
            .init(
                name: "payments_ready", help: "1 while attempts can begin, as /health/ready says.",
                values: [("", isReady ? 1 : 0)]),
            .init(
                name: "payments_stopping", help: "1 while the service stops.",
                values: [("", core.carrier.isStopping ? 1 : 0)]),
        ]
    }

    /// What means all that is counted in a journal that does not answer: a number that is missing raises no alert.
    private var unread: [ServiceMetrics.Gauge] {
        let receivers = core.webhooks.withLock { $0.count }
        return (receivers == 0 ? [] : [Self.unreadReceivers(receivers)]) + [Self.unreadShops(scopes.count)]
    }

    private static func unreadShops(_ count: Int) -> ServiceMetrics.Gauge {
        .init(name: "payments_shops_unread", help: "Shops whose open attempts can't be read.", values: [("", count)])
    }

    private static func unreadReceivers(_ count: Int) -> ServiceMetrics.Gauge {
        .init(
            name: "payments_webhooks_unread", help: "Receivers whose webhooks can't be read.", values: [("", count)])
    }

    /// What is open in one shop.
    private struct Open {
        /// How many in each state, for each class of ages.
        var counts: [Attempt.State: [Int]] = [:]
        /// How many payments can't be read.
        var unreadable = 0
        /// Whether there are more than were looked at.
        var hasMore = false
    }

    /// The shops, and the scopes that no shop serves any more: what was open there is open still.
    private var scopes: [(name: String, client: PaymentClient)] {
        let shops = core.options.shops.values.map { (name: $0.name, client: $0.client) }
        let names = Set(shops.map(\.name))
        let others = core.options.keyless.map { client in
            let name = client.scope.isEmpty ? "default scope" : client.scope
            return (name: names.contains(name) ? "\(name) without a key" : name, client: client)
        }
        return (shops + others).sorted { $0.name < $1.name }
    }

    /// A text as the value of a label: a scope may be any text.
    private static func label(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// How many attempts are open, by state and age: what is in doubt needs a look, what is pending waits for its provider.
    private func openAttempts() async -> [ServiceMetrics.Gauge] {
        var (open, lost, more) = ([(labels: String, value: Int)](), 0, 0)
        var unread = 0
        let scopes = scopes
        let pages = max(1, Self.pagesMax / max(1, scopes.count))
        for scope in scopes {
            guard let found = try? await seen(of: scope.client, pages: pages) else {
                unread += 1
                continue
            }
            lost += found.unreadable
            if found.hasMore { more += 1 }
            let name = Self.label(scope.name)
            for state in Self.states {
                let counts = found.counts[state] ?? [Int](repeating: 0, count: Self.ages.count)
                for (age, count) in zip(Self.ages, counts) {
                    let labels = "shop=\"\(name)\",status=\"\(state.rawValue)\",age=\"\(age.name)\""
                    open.append((labels, count))
                }
            }
        }
        return [
            .init(
                name: "payments_attempts_open", help: "Attempts that are not decided, by status and age.", values: open),
            .init(
                name: "payments_attempts_unread", help: "Payments with something open that can't be read.",
                values: [("", lost)]),
            .init(
                name: "payments_shops_uncounted", help: "Shops of which not all open attempts are counted.",
                values: [("", more)]),
            Self.unreadShops(unread),
        ]
    }

    private func seen(of client: PaymentClient, pages: Int) async throws(PaymentError) -> Open {
        var (open, cursor) = (Open(), PaymentPage.Cursor?.none)
        for _ in 0..<pages {
            let page = try await client.openAttempts(after: cursor, limit: ListQuery.limitMax)
            open.unreadable += page.unreadable.count
            for attempt in page.attempts {
                let age = core.clock.now.subtractingSaturating(attempt.runs.first?.begunAt.wall ?? 0)
                guard let place = Self.ages.firstIndex(where: { age <= $0.end }) else { continue }
                open.counts[attempt.state, default: [Int](repeating: 0, count: Self.ages.count)][place] += 1
            }
            cursor = page.next
            if cursor == nil { return open }
        }
        open.hasMore = true
        return open
    }

    /// How many webhooks of each receiver wait, how many failed for good, and which receivers are switched off.
    private func webhooks() async -> [ServiceMetrics.Gauge] {
        var (messages, off) = ([(labels: String, value: Int)](), [(labels: String, value: Int)]())
        var unread = 0
        let endpoints = core.webhooks.withLock { $0 }
        for endpoint in endpoints {
            guard let client = core.options.shops[endpoint.shop]?.client,
                let state = try? await WebhookDesk(client).state(of: endpoint.row)
            else {
                // A number that is missing raises no alert.
                unread += 1
                continue
            }
            let label = "endpoint=\"\(endpoint.row)\""
            messages += [
                ("\(label),state=\"waiting\"", state.counts.all - state.counts.failed),
                ("\(label),state=\"failed\"", state.counts.failed),
            ]
            off.append((label, state.endpoint?.offAt == nil ? 0 : 1))
        }
        if endpoints.isEmpty { return [] }
        return [
            .init(name: "payments_webhooks", help: "Webhooks that wait or failed for good.", values: messages),
            .init(name: "payments_webhooks_off", help: "1 for a receiver that is switched off.", values: off),
            Self.unreadReceivers(unread),
        ]
    }

    /// What waits for a person in the journal and is in no answer.
    private func marks() async -> [ServiceMetrics.Gauge] {
        let count = await core.marks()
        let values = count.map { [("proven=\"yes\"", $0.proven), ("proven=\"no\"", $0.others)] } ?? []
        return [
            .init(
                name: "payments_marks", help: "Messages for a person, which `payctl journal check` shows.",
                values: values),
            .init(
                name: "payments_marks_unread", help: "1 while the messages for a person can't be read.",
                values: [("", count == nil ? 1 : 0)]),
        ]
    }

    private func json(_ status: Int, _ body: JSON) -> ServerResponse {
        ServerResponse(
            status, [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store")],
            .bytes(body.bytes()))
    }

    private func text(_ status: Int, _ text: String, _ fields: [HTTPField] = []) -> ServerResponse {
        ServerResponse(
            status, [HTTPField("Content-Type", "text/plain; version=0.0.4; charset=utf-8")] + fields,
            .bytes(Array(text.utf8)))
    }
}
