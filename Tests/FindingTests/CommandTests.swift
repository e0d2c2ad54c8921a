import AllProviders
import Foundation
import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSQLite
import PaymentSimulator
import PaymentTestTill
import Payments
import Testing

/// `payctl`, as a clerk types it.
@Suite struct CommandTests {
    /// Without the time in which the bytes can leave, no silence ever proves that a request didn't arrive.
    @Test func saleByPayctl_sendInJournal_saysWithinWhatTimeItsBytesLeave() async throws {
        let shop = try CommandShop()
        let sale = await shop.run("sale 10 EUR --source card --card visa --reference order-1")
        #expect(sale.status == 0, "\(sale)")
        let export = await shop.run("journal export")
        #expect(export.text.contains("\"request\""), "\(export)")
        #expect(export.text.contains("\"limit\""), "The request in the journal has no `limit`.")
    }

    /// The same for the library where the provider's endpoint has a path.
    @Test func saleAtEndpointWithPath_sendInJournal_saysWithinWhatTimeItsBytesLeave() async throws {
        let backend = MemoryBackend(clock: SystemClock())
        let origin = Origin(.http, "memory.test")
        let text = """
            { "active": "till", "journal": { "kind": "memory" }, "providers": { "till": {
              "adapter": "memory", "environment": "sandbox", "merchant": "m-1",
              "endpoint": "http://memory.test/path" } } }
            """
        let configuration = try ConfigurationReader(.builtin).read(Array(text.utf8), file: "providers.json")
        let inside = InProcessTransport([origin: backend])
        let line = HookTransport(DeclaringTransport(inner: inside)) { request, next async throws(TransportFailure) in
            var request = request
            request.target = request.target.replacing(/^\/path/, with: "")
            return try await next(request)
        }
        let client = try await PaymentClient.open(configuration: configuration) { $0.transport = line }
        let attempt = try AttemptID("sale-1")
        let told = await client.sell(attempt: attempt)
        #expect(told.isApproved, "\(told)")
        let record = try await client.attempt(attempt)
        let leaves = record?.requests.first?.sendLimit
        #expect(leaves == DeclaringTransport.milliseconds, "\(String(describing: leaves))")
    }

    /// A sale without a name ended unknown; the same sale is typed again at another provider.
    @Test func unnamedSaleInDoubt_typedAgainAtAnotherProvider_isHeldBack() async throws {
        let shop = try CommandShop()
        for path in ["/payments", "/attempts/:attempt"] { await shop.plant("reply.lost", at: "memory", path: path) }
        let first = await shop.run("sale 12 EUR --source card --card visa --within 10 --unreferenced")
        #expect(first.status == 3, "\(first)")
        let same = await shop.run("sale 12 EUR --source card --card visa --within 10 --unreferenced")
        #expect(same.status == 3, "\(same)")
        let other = await shop.run("sale 12 EUR --provider adyen --unreferenced")
        #expect(other.status == 3, "\(other)")
    }

    /// Of amounts that are typed with a full stop between thousands, only those that end in zeros are taken.
    @Test func amountWithStopBetweenThousands_isRefused() async throws {
        let shop = try CommandShop()
        for (amount, currency) in [("1.000", "EUR"), ("12.500", "EUR"), ("1.000", "JPY")] {
            let call = await shop.run("sale \(amount) \(currency) --source card --card visa --reference order-1")
            #expect(call.status == 2, "\(amount) \(currency): \(call)")
        }
    }

    /// An application with a scope of its own has a sale in doubt in the configured journal.
    @Test func saleInDoubtOfAnotherScope_isNotReportedAsNothingOpen() async throws {
        let shop = try CommandShop()
        #expect(await shop.run("sale 1 EUR --source card --card visa --reference order-1").status == 0)
        let journal = try await SQLiteJournal.open(path: shop.journal, processes: SingleProcess("pos-1"))
        let attempt = try AttemptID("a-2")
        let provider = ProviderIdentity("memory", adapter: "memory", environment: "sandbox", merchant: "m-1")
        var intent = Attempt.Intent(attempt, .sale, .cents(2_000), reference: "order-2", scope: "pos")
        intent.source = .card
        let now = Attempt.Instant(wall: SystemClock().now, uptime: 1_000, boot: "")
        let open = OpenRequest(Begin(intent, provider), owner: "gone", sendLimit: 0)
        _ = try await journal.write(JournalEntry(.request(open)), WriteID("w-1"), at: now)
        var finish = Finish(attempt, owner: "gone", account: provider)
        (finish.run, finish.closing) = (1, Closing(1, .lost))
        let answer = try await journal.write(JournalEntry(.finish(finish)), WriteID("w-2"), at: now)
        #expect(answer.attempt?.state == .inDoubt, "\(answer)")
        await journal.close()
        let recover = await shop.run("recover")
        #expect(recover.status != 0 || !recover.text.contains("nothing is open"), "\(recover)")
        let list = await shop.run("list --status open")
        #expect(list.text.contains("a-2") || list.text.contains("scope"), "\(list)")
    }

    /// The year was mistyped; the payment was made a moment ago.
    @Test func pruneWithDateInTheFuture_forgetsNothing() async throws {
        let shop = try CommandShop()
        let sale = await shop.run("sale 10 EUR --source card --card visa --attempt sale-1 --reference order-1")
        #expect(sale.status == 0, "\(sale)")
        let prune = await shop.run("journal prune --before 2099-01-01")
        #expect(prune.status != 0, "\(prune)")
        let refund = await shop.run("refund sale-1")
        #expect(refund.status == 0, "\(refund)")
    }

    /// ARISE approves half of this amount.
    @Test func listOfPartlyApprovedSale_showsTheApprovedAmount() async throws {
        let shop = try CommandShop()
        let sale = await shop.run(
            "sale 100.20 USD --provider arise --source card --card visa --accept-partial --reference order-1")
        #expect(sale.text.contains("50.10 USD"), "\(sale)")
        let list = await shop.run("list")
        #expect(list.text.contains("50.10"), "\(list)")
    }

    /// An offline approval can only be voided until it is forwarded.
    @Test func showOfOfflineApproval_saysNothingIsRefundable() async throws {
        let shop = try CommandShop()
        let sale = await shop.run("sale 9.09 EUR --provider adyen --attempt sale-1 --reference order-1")
        #expect(sale.status == 0, "\(sale)")
        let show = await shop.run("show sale-1")
        #expect(!show.text.contains("refundable 9.09 EUR"), "\(show)")
        #expect(show.text.contains("offline"), "\(show)")
    }

    /// So is a hold: it can be captured once it is forwarded.
    @Test func showOfOfflineHold_saysNothingIsCapturable() async throws {
        let shop = try CommandShop()
        let hold = await shop.run("authorize 9.09 EUR --provider adyen --attempt hold-1 --reference order-1")
        #expect(hold.status == 0, "\(hold)")
        let show = await shop.run("show hold-1")
        #expect(show.text.contains("offline") && !show.text.contains("capturable 9.09 EUR"), "\(show)")
        let capture = await shop.run("capture hold-1")
        #expect(capture.status != 0, "\(capture)")
    }

    /// The provider gave a part back in another currency; a person says how much that was of the payment's.
    @Test(arguments: ["9.50", "9.50 EUR"]) func amountOfAMovementInAnotherCurrency_canBeSaid(_ amount: String)
        async throws
    {
        let shop = try CommandShop()
        _ = await shop.run("sale 10 EUR --source card --card visa --attempt sale-1 --reference order-1")
        let journal = try await SQLiteJournal.open(path: shop.journal, processes: SingleProcess("pos-1"))
        let page = try await journal.attempts(.attempt(try AttemptID("sale-1")), after: nil, limit: 1)
        let name = try #require(page.attempts.first?.names.first)
        let approval = Approval(Money(minorUnits: 1_100, .usd), references: ["refund": "dash-1"])
        let now = Attempt.Instant(wall: SystemClock().now, uptime: 1_000, boot: "")
        let notice = Notice(
            "m-1", name.account, .name("dash-1"), [.refund], .approved(approval), at: now.wall, names: ["dash-1"],
            original: name.value)
        _ = try await journal.write(JournalEntry(.notice(notice)), WriteID("w-1"), at: now)
        let named = try await journal.attempts(.named(ProviderName(name.account, "dash-1")), after: nil, limit: 1)
        let movement = try #require(named.attempts.first?.intent.attempt)
        await journal.close()
        let said = await shop.run("resolve \(movement) --by Ann --because seen --acknowledge", amount)
        #expect(said.status == 0, "\(said)")
    }
}

/// A transport that declares within what time the bytes of a request have left.
private struct DeclaringTransport: HTTPTransport {
    static let milliseconds: Int64 = 4_321

    let inner: any HTTPTransport
    var sendLimitMilliseconds: Int64? { Self.milliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { try await inner.send(request) }
}
