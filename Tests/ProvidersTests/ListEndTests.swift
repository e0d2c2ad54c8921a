import ARISEProvider
import HaloProvider
import MemoryProvider
import NetworkInternationalProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentLinux
import PaymentModel
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// A list that was not read to its end would prove that a payment is not there, and it would be charged again.
@Suite struct ListEndTests {
    /// A provider that lists transactions.
    enum Lister: CaseIterable { case arise, halo, memory, ni }

    /// What comes in place of a page.
    enum Change: Sendable {
        case body(String)
        /// Of as many transactions as the provider cares to give.
        case limit(Int)
        /// What an earlier page was.
        case page(Int)
    }

    /// A client of a provider at which three sales were made, and which changes pages by their number.
    private static func client(
        _ lister: Lister, _ change: @escaping @Sendable (Int) -> Change?
    ) throws -> (PaymentClient, TestScheduler) {
        let (number, pages) = (Locked(0), Locked([HTTPResponse]()))
        let hook = { @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) in
            var request = request
            guard request.method == "GET", request.target.contains(/[?&](limit|pageSize)=/) else {
                return try await next(request)
            }
            let page = number.withLock { number in
                number += 1
                return number - 1
            }
            switch change(page) {
            case .body(let text):
                return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
            case .page(let earlier):
                let known = pages.withLock { $0.indices.contains(earlier) ? $0[earlier] : nil }
                if let known { return known }
            case .limit(let count):
                request.target.replace(/(limit|pageSize)=[0-9]+/) { "\($0.output.1)=\(count)" }
            case nil: break
            }
            let response = try await next(request)
            pages.withLock { $0.append(response) }
            return response
        }
        switch lister {
        case .arise:
            let bench = ARISEBench()
            let line = HookTransport(
                InProcessTransport([ARISEBench.origin: JudgedService(bench.backend)], clock: bench.scheduler), hook)
            var options = ClientOptions(journal: bench.journal)
            (options.clock, options.executor) = (bench.scheduler, bench.scheduler)
            options.random = SeededRandom(seed: 1)
            let driver = ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto())
            return (try PaymentClient(driver, options), bench.scheduler)
        case .halo:
            var till = HaloTill()
            till.tools.transport = HookTransport(till.tools.transport, hook)
            return (try till.client(), till.scheduler)
        case .memory:
            let till = Till()
            return (try till.client(HookTransport(till.transport, hook)), till.scheduler)
        case .ni:
            var till = NITill()
            till.tools.transport = HookTransport(till.tools.transport, hook)
            return (try till.client(), till.scheduler)
        }
    }

    /// How many of three transactions a list has, page by page; nil where it can't be read to its end.
    private static func count(
        _ lister: Lister, limit: Int = 2, _ change: @escaping @Sendable (Int) -> Change?
    ) throws -> Int? {
        let (client, scheduler) = try client(lister, change)
        return try scheduler.run {
            for number in 1...3 {
                let (source, currency): (PaymentSource, Currency) =
                    switch lister {
                    case .arise: (try ARISEBench.card(), .usd)
                    case .halo: (.reader, .zar)
                    case .memory: (try Cards.good(), .eur)
                    case .ni: (.reader, .aed)
                    }
                _ = try await client.sale(
                    Money(minorUnits: 2_000 + Int64(number), currency), from: source, reference: "o-\(number)")
            }
            let listed = try #require(try client.provider(ProviderID(rawValue: "\(lister)")).transactions)
            var count = 0
            do {
                for try await _ in listed.every(ListQuery(limit: limit)) { count += 1 }
            } catch let error as PaymentError {
                #expect(error.code == .unreadableReply && error.outcome == .notExecuted, "\(error)")
                return nil
            }
            return count
        }
    }

    @Test(arguments: Lister.allCases) func list_asItIs_isReadToItsEnd(_ lister: Lister) throws {
        #expect(try Self.count(lister) { _ in nil } == 3)
    }

    @Test(
        arguments: Lister.allCases, ["", "{}", #"{"error":"backend busy"}"#, #"{"items":null}"#, #"{"items":{}}"#, "7"])
    func page_thatCantBeRead_isNoEnd(_ lister: Lister, _ body: String) throws {
        for broken in 0...1 {
            #expect(try Self.count(lister) { $0 == broken ? .body(body) : nil } == nil, "page \(broken)")
        }
    }

    /// Providers give fewer than they are asked for; no document says how many.
    @Test(arguments: Lister.allCases) func page_withFewerThanWereAskedFor_isNoEnd(_ lister: Lister) throws {
        let count = try Self.count(lister) { _ in .limit(1) }
        #expect(lister == .arise ? count == nil : count == 3, "\(String(describing: count))")
    }

    @Test(arguments: [
        #"{"items":[],"total":3}"#, #"{"items":[],"total":0}"#, #"{"items":[],"total":-1}"#, #"{"items":[]}"#,
        #"{"items":[],"total":9223372036854775807}"#,
    ])
    func page_thatContradictsItsTotal_isNoEnd(_ body: String) throws {
        #expect(try Self.count(.arise) { $0 == 1 ? .body(body) : nil } == nil)
    }

    @Test(arguments: Lister.allCases) func list_thatBringsTheSamePageAgain_endsWithAnError(_ lister: Lister) throws {
        #expect(try Self.count(lister) { $0 > 0 ? .page(0) : nil } == nil)
    }

    /// As many items as the total says, of which two are the same.
    @Test(arguments: Lister.allCases) func lastPage_thatIsAnEarlierOneAgain_isNoEnd(_ lister: Lister) throws {
        for earlier in 0...1 {
            #expect(try Self.count(lister, limit: 1) { $0 == 2 ? .page(earlier) : nil } == nil, "page \(earlier)")
        }
    }

    @Test(arguments: [#"{"items":[],"total":"3"}"#, #"{"items":[],"total":2.5}"#, #"{"items":[],"total":[]}"#])
    func total_thatCantBeRead_isNoTotal(_ body: String) throws {
        #expect(try Self.count(.arise) { $0 == 0 ? .body(body) : nil } == nil)
    }

    @Test func list_whosePagesGoRound_endsWithAnError() throws {
        let asked = Locked(0)
        let count = try Self.count(.memory, limit: 1) { number in
            asked.withLock { $0 = number }
            return number > 200 ? .body("7") : number > 1 ? .page(number % 2) : nil
        }
        #expect(count == nil && asked.withLock { $0 } == 2)
    }

    @Test func list_thatBringsNothingForEver_endsWithAnError() throws {
        let asked = Locked(0)
        let count = try Self.count(.memory) { number in
            asked.withLock { $0 = number }
            return .body(#"{"items":[],"next":"\#(number)"}"#)
        }
        #expect(count == nil && asked.withLock { $0 } == 1_000)
    }

    @Test(arguments: Lister.allCases, ["x", "-1", "99999999999999999999"])
    func cursor_thatIsNone_isRefused(_ lister: Lister, _ cursor: String) throws {
        let (client, scheduler) = try Self.client(lister) { _ in nil }
        var query = ListQuery()
        query.cursor = cursor
        let asked = query
        let refused = try scheduler.run { () async throws -> Bool in
            do {
                let page = try await client.provider(ProviderID(rawValue: "\(lister)")).transactions?.list(asked)
                return lister == .memory && page?.items.isEmpty == true
            } catch let error as PaymentError {
                return error.code == .invalidRequest && error.outcome == .notExecuted || lister == .memory
            }
        }
        #expect(refused)
    }
}
