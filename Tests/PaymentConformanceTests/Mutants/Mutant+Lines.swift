import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTransport

extension Mutant {
    static let lines: [Mutant] = [
        twice("sale.twice", "Sends every sale twice.", caughtBy: "concurrency.many-sales", "/payments"),
        twice("refund.twice", "Sends every refund twice.", caughtBy: "refund.parts-then-rest", "/refund"),
        twice("capture.twice", "Sends every capture twice.", caughtBy: "capture.several", "/capture"),
        twice("token.twice", "Has two renewals in flight.", caughtBy: "session.one-renewal-for-all", "/token"),
        target(
            "capture.other-payment", "Captures from the first payment that there was.",
            caughtBy: "capture.right-payment"
        ) { _, target in
            target.replacing("mp_2/capture", with: "mp_1/capture")
        },
        target(
            "refund.other-payment", "Gives back from the first payment that there was.",
            caughtBy: "refund.right-payment"
        ) { _, target in
            target.replacing("mp_3/refund", with: "mp_1/refund").replacing("mp_2/refund", with: "mp_1/refund")
        },
        target("void.refunds", "Gives back instead of undoing.", caughtBy: "void.sale") { _, target in
            target.replacing("/void", with: "/refund")
        },
        target("void.gives-back", "Gives back what it should undo.", caughtBy: "concurrency.capture-and-void") {
            _, target in
            target.replacing("/void", with: "/refund")
        },
        target("refund.voids", "Undoes instead of giving back.", caughtBy: "refund.replayed") { _, target in
            target.replacing("/refund", with: "/void")
        },
        target("void.refunds-bank", "Gives a transfer back instead of undoing it.", caughtBy: "void.bank") {
            _, target in
            target.replacing("/void", with: "/refund")
        },
        target("refund.voids-bank", "Undoes a transfer instead of giving it back.", caughtBy: "refund.bank") {
            _, target in
            target.replacing("/refund", with: "/void")
        },
        target("adjust.captures", "Captures instead of adjusting.", caughtBy: "adjust.down") { _, target in
            target.replacing("/adjust", with: "/capture")
        },
        target("list.first-page-again", "Gives the first page for ever.", caughtBy: "list.pages") { _, target in
            target.split(separator: "&").filter { !$0.hasPrefix("cursor=") }.joined(separator: "&")
        },
        target("list.filter-ignored", "Ignores filters.", caughtBy: "list.filtered") { _, target in
            target.split(separator: "&").filter { !$0.hasPrefix("reference=") }.joined(separator: "&")
        },
        target("details.other-payment", "Asks about another payment.", caughtBy: "details.found") { method, target in
            method == "GET" ? target.replacing("/payments/mp_1", with: "/payments/mp_0") : target
        },
        reply("list.one-lost", "Loses the last item of each page.", caughtBy: "list.contains", "/payments", "items") {
            .array(Array(($0.array ?? []).dropLast()))
        },
        answer(
            "details.unknown-as-failure", "Takes what is not there for a failure.", caughtBy: "details.unknown",
            "/nobody-knows-it"
        ) { _, reply in
            reply.status == 404 ? HTTPResponse(500) : reply
        },
        answer("devices.made-up", "Makes up devices.", caughtBy: "devices.listed", "/nobody-knows-it") { _, _ in
            HTTPResponse(200, body: JSON.object(["id": "nobody-knows-it"]).bytes())
        },
        request(
            "attempt.renamed", "Knows attempts by names of its own.", caughtBy: "attempt.wire-names", "/payments",
            "attempt"
        ) { .string("x" + ($0.string ?? "")) },
        request(
            "attempt.key-reused", "Uses one key for everything.", caughtBy: "sale.parts", "/payments",
            "attempt"
        ) { _ in "check-1" },
        request(
            "attempt.fresh-key-each-call", "Draws a key for each call.", caughtBy: "lookup.late-arrival", "/payments",
            "attempt"
        ) { .string("y" + ($0.string ?? "")) },
        request(
            "attempt.cut", "Cuts attempt ids at thirty characters.", caughtBy: "limit.attempt-longest", "/payments",
            "attempt"
        ) { .string(String(($0.string ?? "").prefix(30))) },
        request("refund.fresh-key", "Draws a key for each refund.", caughtBy: "refund.part", "/refund", "attempt") {
            .string("y" + ($0.string ?? ""))
        },
        request("void.fresh-key", "Draws a key for each void.", caughtBy: "void.authorisation", "/void", "attempt") {
            .string("y" + ($0.string ?? ""))
        },
        reply("activation.never", "Never sees that the device is active.", caughtBy: "reader.activate", "", "state") {
            $0.string == "active" ? "waiting" : $0
        },
        reply(
            "token.lapsed", "Takes an access for lapsed when it is given.", caughtBy: "session.open", "/token",
            "expires"
        ) { _ in 0 },
        reply(
            "token.lives-on", "Takes an access for good for another day.", caughtBy: "session.lapsed", "/token",
            "expires"
        ) { .number(JSONNumber(($0.int64 ?? 0) + 86_400_000)) },
        wire("token.never-renewed", "Uses the first access for ever.", caughtBy: "session.renewed-on-refusal") {
            let first = Locked(String?.none)
            return Interceptor { (request, next) async throws(TransportFailure) in
                var request = request
                if let value = request.headers["Authorization"] {
                    let kept = first.withLock { first in
                        first = first ?? value
                        return first ?? value
                    }
                    request.headers["Authorization"] = kept
                }
                return try await next(request)
            }
        },
        wire("lookup.sells", "Sends the sale again when it is only asked about.", caughtBy: "lookup.read-only") {
            Interceptor { (request, next) async throws(TransportFailure) in
                let reply = try await next(request)
                guard request.method == "GET", request.path.hasPrefix("/attempts/") else { return reply }
                var sale = HTTPRequest("POST", request.origin, "/payments", headers: request.headers, body: [])
                sale.headers.add("Content-Type", "application/json")
                let name = String(request.path.dropFirst(10))
                sale.body = JSON.object([
                    "attempt": .string(name), "kind": "sale", "reference": "order",
                    "source": ["kind": "token", "token": "t"],
                    "amount": ["minorUnits": 5_000, "currency": "EUR"],
                ]).bytes()
                _ = try await next(sale)
                return reply
            }
        },
        news("webhook.failure-as-success", "Takes bad news for good.", caughtBy: "sale.pending-declined", "state") {
            _ in "approved"
        },
        news("webhook.success-as-failure", "Takes good news for bad.", caughtBy: "webhook.removes-doubt", "state") {
            _ in "declined"
        },
        news(
            "webhook.refund-failure-as-success", "Takes the failure of a refund for its success.",
            caughtBy: "refund.pending-fails", "state"
        ) { _ in "approved" },
        news("webhook.time-backwards", "Hears the newest as the oldest.", caughtBy: "webhook.older-loses", "at") {
            .number(JSONNumber(4_102_444_800_000 - ($0.int64 ?? 0)))
        },
        news(
            "webhook.other-attempt", "Takes a message for one about another attempt.", caughtBy: "refund.pending",
            "attempt"
        ) { _ in "somebody-else" },
        around("store.forgets", "A token store that forgets.", caughtBy: "session.kept-over-restart") {
            $0.tokens = ForgetfulStore()
        },
        around("store.keeps", "A token store that keeps what is given back.", caughtBy: "session.sign-out") {
            $0.tokens = KeepingStore(inner: $0.tokens)
        },
        around(
            "installation.forgotten", "Forgets the names of the installation.", caughtBy: "session.installation-kept"
        ) { $0.installations = ForgetfulInstallations() },
        around("clock.never-rings", "A clock that wakes nobody.", caughtBy: "cancel.deadline") {
            $0.clock = SilentClock(inner: $0.clock)
        },
        around("clock.never-ends", "A clock by which nobody's time is up.", caughtBy: "cancel.deadline-before") {
            $0.clock = SilentClock(inner: $0.clock)
        },
        around("answers.made-up", "Answers whatever is asked.", caughtBy: "question.partial-needs-handler") {
            $0.answers = CheckContext.defaultHandlers
        },
        around("clock.behind", "A clock that is an hour behind.", caughtBy: "session.lapsed") {
            $0.clock = LateClock(inner: $0.clock)
        },
        around("reader.deaf", "A reader that does not hear a cancellation.", caughtBy: "reader.cancel-waiting") {
            given in
            if let reader = given.reader { given.reader = DeafReader(inner: reader) }
        },
    ]
}

/// Keeps no token.
struct ForgetfulStore: TokenStore {
    func load(_ provider: ProviderIdentity) async throws -> AccessToken? { nil }
    func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {}
}

/// Keeps tokens that were given back.
struct KeepingStore: TokenStore {
    let inner: any TokenStore
    func load(_ provider: ProviderIdentity) async throws -> AccessToken? { try await inner.load(provider) }
    func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {
        if let access { try await inner.save(access, for: provider) }
    }
}

/// Keeps no names.
struct ForgetfulInstallations: InstallationStore {
    func load() async throws -> Installation? { nil }
    func save(_ installation: Installation) async throws {}
}

/// Shows the time and wakes nobody.
struct SilentClock: PaymentClock {
    let inner: any PaymentClock
    var now: Int64 { inner.now }
    func sleep(until instant: Int64) async throws {
        let never = Promise<Bool>()
        _ = await withTaskCancellationHandler {
            await never.value()
        } onCancel: {
            never.fulfill(false)
        }
        try Task.checkCancellation()
    }
}

/// Shows the time of an hour ago.
struct LateClock: PaymentClock {
    let inner: any PaymentClock
    var now: Int64 { inner.now - 3_600_000 }
    func sleep(until instant: Int64) async throws { try await inner.sleep(until: instant + 3_600_000) }
}

/// Reads cards and hears nothing.
struct DeafReader: CardReader {
    let inner: any CardReader
    func compatibility() async -> ReaderCompatibility { await inner.compatibility() }
    func setEventHandler(_ sink: @escaping @Sendable (ReaderEvent) -> Void) async { await inner.setEventHandler(sink) }
    func prepare(token: Secret) async throws { try await inner.prepare(token: token) }
    func read(_ request: CardReadRequest) async throws -> CardReadResult { try await inner.read(request) }
    func readPIN(token: Secret, after read: CardReadResult) async throws -> CardReadResult {
        try await inner.readPIN(token: token, after: read)
    }
    func cancel() async throws -> CancelResult { .nothingToCancel }
}
