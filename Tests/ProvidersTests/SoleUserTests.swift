import ARISEProvider
import EcommpayProvider
import NetworkInternationalProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// What is found by amount and time or by what has changed is ours only where the configuration says that no other works on
/// the account.
@Suite struct SoleUserTests {
    /// What is lost, by the end of its path.
    private static let arise = ["/sale", "/return"]
    private static let ni = ["/purchase", "/capture", "/refund"]
    private static let ecommpay = ["/capture", "/cancel", "/incremental"]

    @Test(arguments: arise, [true, false])
    func atARISE(_ path: String, _ isSole: Bool) throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { ($0.referenceEcho, $0.isSoleUser) = (.none, isSole) }
        let line = LosingReplies(InProcessTransport([ARISEBench.origin: bench.backend], clock: bench.scheduler), path)
        var given = ClientOptions(journal: bench.journal)
        (given.clock, given.executor) = (bench.scheduler, bench.scheduler)
        let client = try PaymentClient(ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto()), given)
        let outcome = bench.scheduler.outcome { [bench] in
            let sold = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "o").payment
            guard path == "/return", let sold else { return }
            bench.scheduler.advance(by: 48 * 3_600_000)
            _ = try await client.refund(sold.id, of: .dollars(1_000))
        }
        #expect(outcome == (isSole ? nil : .unknown) && line.lostCount > 0)
    }

    @Test(arguments: ni, [true, false])
    func atNetworkInternational(_ path: String, _ isSole: Bool) throws {
        var till = NITill()
        till.configuration.isSoleUser = isSole
        let line = LosingReplies(till.tools.transport, path)
        till.tools.transport = line
        let client = try till.client()
        let outcome = till.scheduler.outcome { [till] in
            switch path {
            case "/capture":
                let held = try await client.authorize(.aed(2_000), from: .reader, reference: "o").payment
                if let held { _ = try await client.capture(held.id, of: .aed(1_000)) }
            case "/refund":
                let sold = try await client.sale(.aed(2_000), from: .reader, reference: "o").payment
                till.advance(hours: 48)
                if let sold { _ = try await client.refund(sold.id, of: .aed(1_000)) }
            default: _ = try await client.sale(.aed(2_000), from: .reader, reference: "o")
            }
        }
        #expect(outcome == (isSole ? nil : .unknown) && line.lostCount > 0)
    }

    /// The list masks the last digits of a sale alike: it may be ours as well.
    @Test func saleAlike_whoseCardCanNotBeRead_isNotPassedOver() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { $0.referenceEcho = .none }
        let sold = try bench.play { client in
            try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "theirs")
        }
        let theirs = try #require(sold.payment?.references["transaction"])
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            let response = try await next(request)
            guard request.method == "GET", request.path.hasSuffix("/transactions"),
                let list = try? JSONReader().read(response.body), let items = list["items"]?.array
            else { return response }
            let masked = items.map { item in
                item["id"]?.string == theirs ? item.adding("customerPan", .string("411111******")) : item
            }
            let bytes = list.adding("items", .array(masked)).bytes()
            return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: bytes)
        }
        let inner = InProcessTransport([ARISEBench.origin: bench.backend], clock: bench.scheduler)
        let line = LosingReplies(HookTransport(inner, hook), "/sale")
        var given = ClientOptions(journal: bench.journal)
        (given.clock, given.executor) = (bench.scheduler, bench.scheduler)
        given.random = SeededRandom(seed: 99)
        let client = try PaymentClient(ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto()), given)
        let outcome = bench.scheduler.outcome {
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(outcome == .unknown && line.lostCount > 0)
        #expect(bench.backend.ledger.movements.count == 2)
        // A person who says that nothing was executed has to name the one that no attempt has.
        bench.scheduler.advance(by: 3_600_000)
        let told = try bench.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                try await client.resolve(open, as: .notExecuted(), reason: "not on the slip")
                return "recorded"
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of") && !told.contains(theirs), "\(told)")
    }

    /// A client of which each sale's reply is lost, or that sale never arrives.
    private static func client(
        _ bench: ARISEBench, _ clock: any PaymentClock, arrives: Bool, journal: any Journal = InMemoryJournal()
    ) throws -> PaymentClient {
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            let isSale = request.path.hasSuffix("/sale")
            if isSale, !arrives { throw TransportFailure.maybeSent(.connectionReset) }
            let response = try await next(request)
            if isSale { throw TransportFailure.maybeSent(.connectionReset) }
            return response
        }
        let inner = InProcessTransport([ARISEBench.origin: bench.backend], clock: bench.scheduler)
        var given = ClientOptions(journal: journal)
        (given.clock, given.executor) = (clock, bench.scheduler)
        given.random = SeededRandom(seed: 99)
        let driver = ARISEDriver(bench.configuration, HookTransport(inner, hook), crypto: OpenSSLCrypto())
        return try PaymentClient(driver, given)
    }

    /// Our clock is three hours slow: by it our own charged sale is long after its request, and a person has to name it.
    @Test func notExecuted_whereOurClockIsSlow_isRefusedUntilItIsNamed() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { ($0.referenceEcho, $0.isSoleUser) = (.none, false) }
        let slow = Shifted(stage: bench.scheduler, milliseconds: -3 * 3_600_000)
        let client = try Self.client(bench, slow, arrives: true)
        let outcome = bench.scheduler.outcome {
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(outcome == .unknown && bench.backend.ledger.movements.count == 1)
        bench.scheduler.advance(by: 3_600_000)
        let told = try bench.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                return try await client.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of"), "\(told)")
    }

    /// Our clock is three hours fast, or the list's times are behind as far as the merchant's zone: by them our own charged
    /// sale is long before its request, and a person has to name it.
    @Test(arguments: [true, false]) func notExecuted_whereTheListIsBehindOurClock_isRefusedUntilItIsNamed(
        _ isFast: Bool
    ) throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { ($0.referenceEcho, $0.isSoleUser) = (.none, false) }
        if !isFast { #expect(bench.backend.play("arise.dates.zone/2")) }
        let clock = Shifted(stage: bench.scheduler, milliseconds: isFast ? 3 * 3_600_000 : 0)
        let client = try Self.client(bench, clock, arrives: true)
        let outcome = bench.scheduler.outcome {
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(outcome == .unknown && bench.backend.ledger.movements.count == 1)
        bench.scheduler.advance(by: 3_600_000)
        let told = try bench.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                return try await client.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of"), "\(told)")
    }

    /// The till is twenty minutes fast or slow, and the person sits at a machine that is right: what that machine measures says
    /// nothing about the till's clock.
    @Test(arguments: [-20, 20] as [Int64]) func notExecuted_atAnotherMachineThanTheTill_isRefusedUntilItIsNamed(
        _ minutes: Int64
    ) throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { ($0.referenceEcho, $0.isSoleUser) = (.none, false) }
        let journal = InMemoryJournal()
        let clock = Shifted(stage: bench.scheduler, milliseconds: minutes * 60_000)
        let till = try Self.client(bench, clock, arrives: true, journal: journal)
        let outcome = bench.scheduler.outcome {
            _ = try await till.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(outcome == .unknown && bench.backend.ledger.movements.count == 1)
        bench.scheduler.advance(by: 3_600_000)
        // The shop is open: the list's newest sale is of this moment.
        _ = try bench.play { try await $0.sale(.dollars(700), from: try ARISEBench.card(), reference: "later") }
        let office = try Self.client(bench, bench.scheduler, arrives: true, journal: journal)
        let told = try bench.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await office.recover().first else { return "nothing is open" }
                return try await office.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of"), "\(told)")
    }

    /// Our sale never arrived. After a quiet hour it is looked further back, at what another system has sold before: that
    /// is shown, and not taken for ours on an account that is said to be ours alone.
    @Test func saleThatNeverArrived_besideAnEarlierOneAlike_isNotMatched() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { $0.referenceEcho = .none }
        let theirs = try bench.play { client in
            try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "theirs")
        }
        let name = try #require(theirs.payment?.references["transaction"])
        bench.scheduler.advance(by: 1_800_000)
        let client = try Self.client(bench, bench.scheduler, arrives: false)
        let outcome = bench.scheduler.outcome {
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(outcome == .unknown && bench.backend.ledger.movements.count == 1)
        bench.scheduler.advance(by: 3_600_000)
        let told = try bench.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                return try await client.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of \(name)"), "\(told)")
    }

    /// Our sale never arrived. What another till sold long after is none of it: a person need not name each.
    @Test(arguments: [3, 51]) func notExecuted_whereOthersSoldTheSameHoursLater_isRecorded(_ count: Int) throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { ($0.referenceEcho, $0.isSoleUser) = (.none, false) }
        let client = try Self.client(bench, bench.scheduler, arrives: false)
        let outcome = bench.scheduler.outcome {
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(outcome == .unknown && bench.backend.ledger.movements.isEmpty)
        bench.scheduler.advance(by: 3 * 3_600_000)
        try bench.play { client in
            for number in 1...count {
                _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "theirs-\(number)")
            }
        }
        #expect(bench.backend.ledger.movements.count == count)
        let told = try bench.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                return try await client.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told == "notExecuted", "\(told)")
    }

    /// Our clock is ten minutes slow or fast: by it our own charged order is long after its request or long before, and a
    /// person has to name it.
    @Test(arguments: [-600_000, 600_000] as [Int64])
    func notExecutedAtNetworkInternational_whereOurClockIsWrong_isRefusedUntilItIsNamed(
        _ milliseconds: Int64
    ) throws {
        var till = NITill()
        till.configuration.isSoleUser = false
        let line = LosingReplies(till.tools.transport, "/purchase")
        till.tools.transport = line
        var given = ClientOptions(journal: till.journal)
        given.clock = Shifted(stage: till.scheduler, milliseconds: milliseconds)
        (given.executor, given.reader, given.random) = (till.scheduler, till.reader, till.random)
        let client = try PaymentClient(NIDriver(till.configuration, till.tools), given)
        let outcome = till.scheduler.outcome {
            _ = try await client.sale(.aed(2_000), from: .reader, reference: "ours")
        }
        #expect(outcome == .unknown && line.lostCount > 0 && till.backend.ledger.movements.count == 1)
        till.scheduler.advance(by: 3_600_000)
        let told = try till.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                return try await client.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of"), "\(told)")
    }

    /// What of the provider's answers keeps our own charged order from being matched.
    enum Obstacle: CaseIterable { case dubaiTime, unreadableLine, unreadableOrder }

    /// A lookup can't match our charged order, or not now: a person has to name it all the same.
    @Test(arguments: Obstacle.allCases)
    func notExecutedAtNetworkInternational_whereNoLookupMatches_isRefusedUntilItIsNamed(
        _ obstacle: Obstacle
    ) throws {
        var till = NITill()
        till.configuration.isSoleUser = false
        if obstacle == .dubaiTime { #expect(till.backend.play("ni.list.time-zone/2")) }
        let other = till
        let line = LosingReplies(
            HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
                if obstacle == .unreadableOrder, request.method == "GET", request.path.contains("/orders/") {
                    return HTTPResponse(500, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
                }
                let response = try await next(request)
                guard obstacle == .unreadableLine, request.path.hasSuffix("/reporting/payments"),
                    let list = try? JSONReader().read(response.body), let items = list["items"]?.array,
                    let newest = items.first, items.count > 1
                else { return response }
                let odd = [newest.adding("amount", .null)] + items.dropFirst()
                return HTTPResponse(
                    200, headers: ["Content-Type": "application/json"], body: list.adding("items", .array(odd)).bytes())
            }, "/purchase")
        till.tools.transport = line
        let client = try PaymentClient(NIDriver(till.configuration, till.tools), Self.options(till))
        let outcome = till.scheduler.outcome {
            _ = try await client.sale(.aed(2_000), from: .reader, reference: "ours")
        }
        #expect(outcome == .unknown && line.lostCount > 0 && till.backend.ledger.movements.count == 1)
        till.scheduler.advance(by: obstacle == .unreadableLine ? 30_000 : 10 * 3_600_000)
        let second = try PaymentClient(NIDriver(other.configuration, other.tools), Self.options(till))
        _ = try till.scheduler.run { try await second.sale(.aed(700), from: .reader, reference: "theirs") }
        if obstacle == .unreadableLine { till.scheduler.advance(by: 3_600_000) }
        let told = try till.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await client.recover().first else { return "nothing is open" }
                return try await client.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(told.contains("It could be one of"), "\(told)")
    }

    /// Our sale never arrived. What another system sold an hour before at this terminal is shown, and not taken for ours
    /// on an account that is said to be ours alone; what another terminal took is not even shown.
    @Test(arguments: [true, false])
    func saleThatNeverArrivedAtNetworkInternational_besideAnEarlierOneAlike_isNotMatched(_ isHere: Bool) throws {
        var till = NITill()
        var other = till
        if !isHere {
            let (rules, own) = (till.backend.rules, till.configuration)
            other.configuration = NIConfiguration(
                endpoint: own.endpoint, outlet: rules.outlet, terminal: rules.terminals[1], deviceCode: "000C70",
                userCode: "user-2", apiKey: rules.apiKey)
            other.configuration.deviceIdentifier = "till-2"
        }
        let first = try PaymentClient(NIDriver(other.configuration, other.tools), Self.options(till))
        let theirs = try till.scheduler.run { try await first.sale(.aed(2_000), from: .reader, reference: "theirs") }
        let name = try #require(theirs.payment?.references["order"])
        till.scheduler.advance(by: 3_600_000)
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            if request.path.hasSuffix("/purchase") { throw TransportFailure.maybeSent(.connectionReset) }
            return try await next(request)
        }
        till.tools.transport = HookTransport(till.tools.transport, hook)
        let second = try PaymentClient(NIDriver(till.configuration, till.tools), Self.options(till))
        let outcome = till.scheduler.outcome {
            _ = try await second.sale(.aed(2_000), from: .reader, reference: "ours")
        }
        #expect(outcome == .unknown && till.backend.ledger.movements.count == 1)
        till.scheduler.advance(by: 3_600_000)
        let told = try till.scheduler.run {
            do throws(PaymentError) {
                guard let open = try await second.recover().first else { return "nothing is open" }
                return try await second.resolve(open, as: .notExecuted(), reason: "not on the slip").state.rawValue
            } catch { return error.detail }
        }
        #expect(isHere ? told.contains("It could be one of \(name)") : told == "notExecuted", "\(told)")
    }

    /// A journal of its own in front of the same terminal.
    private static func options(_ till: NITill) -> ClientOptions {
        var given = ClientOptions(journal: InMemoryJournal())
        (given.clock, given.executor, given.reader) = (till.scheduler, till.scheduler, till.reader)
        given.random = till.random
        return given
    }

    /// The order of a purchase alike says neither the terminal nor the device: the other need not be ours.
    @Test func purchaseAlike_whoseOrderNamesNoTerminal_isNotPassedOver() throws {
        var till = NITill()
        let first = try till.client()
        let theirs = try #require(
            try till.scheduler.run { try await first.sale(.aed(2_000), from: .reader, reference: "theirs") }.payment?
                .references["order"])
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            let response = try await next(request)
            guard request.method == "GET", request.path.hasSuffix("/orders/\(theirs)"),
                let order = try? JSONReader().read(response.body)
            else { return response }
            let bytes = order.adding("tid", .null).adding("device", .null).bytes()
            return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: bytes)
        }
        let line = LosingReplies(HookTransport(till.tools.transport, hook), "/purchase")
        till.tools.transport = line
        let second = try till.client()
        let outcome = till.scheduler.outcome {
            _ = try await second.sale(.aed(2_000), from: .reader, reference: "ours")
        }
        #expect(outcome == .unknown && line.lostCount > 0)
        #expect(till.backend.ledger.movements.count == 2)
    }

    /// The report is in no order: an older line on its first page does not end it.
    @Test func purchaseAlike_onAPageBehindOlderLines_isSeen() throws {
        var till = NITill()
        let first = try till.client()
        for (amount, pause) in [(1_000, 60_000), (1_100, 3_600_000), (2_000, 0)] as [(Int64, Int64)] {
            _ = try till.scheduler.run { try await first.sale(.aed(amount), from: .reader, reference: "o-\(amount)") }
            till.scheduler.advance(by: pause)
        }
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            guard request.path.hasSuffix("/reporting/payments") else { return try await next(request) }
            let offset = request.target.firstMatch(of: /offset=([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
            var whole = request
            whole.target.replace(/offset=[0-9]+/) { _ in "offset=0" }
            let response = try await next(whole)
            guard let list = try? JSONReader().read(response.body), let items = list["items"]?.array, items.count == 4
            else { return response }
            // The newest one, then the oldest two, then the one alike.
            let mixed = [items[0], items[3], items[2], items[1]]
            let bytes = list.adding("items", .array(Array(mixed.dropFirst(offset).prefix(3)))).bytes()
            return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: bytes)
        }
        let line = LosingReplies(HookTransport(till.tools.transport, hook), "/purchase")
        till.tools.transport = line
        let second = try till.client()
        let outcome = till.scheduler.outcome {
            _ = try await second.sale(.aed(2_000), from: .reader, reference: "ours")
        }
        #expect(outcome == .unknown && line.lostCount > 0)
        #expect(till.backend.ledger.movements.count == 4)
    }

    @Test(arguments: ecommpay, [true, false])
    func atEcommpay(_ path: String, _ isSole: Bool) throws {
        var till = EcommpayTill()
        till.configuration.isSoleUser = isSole
        let line = LosingReplies(till.tools.transport, path)
        till.tools.transport = line
        let client = try till.client()
        let request = try EcommpayTill.request(6_000)
        let outcome = till.scheduler.outcome {
            guard let held = try await client.authorize(request).payment else { return }
            switch path {
            case "/capture": _ = try await client.capture(held.id, of: Money(minorUnits: 6_000, .eur))
            case "/cancel": _ = try await client.void(held.id)
            default: _ = try await client.adjust(held.id, to: Money(minorUnits: 7_000, .eur))
            }
        }
        #expect(outcome == (isSole ? nil : .unknown) && line.lostCount > 0)
    }

    /// What could not be read before the request, and can be read later, would look like ours.
    @Test func captureAtEcommpay_afterAReportThatCanNotBeRead_isNotCompared() throws {
        var till = EcommpayTill()
        till.configuration.isSoleUser = true
        let isTorn = Locked(false)
        let hook = {
            @Sendable (request: HTTPRequest, next: HookTransport.Next) async throws(TransportFailure) -> HTTPResponse in
            if request.path.hasSuffix("/capture") { isTorn.withLock { $0 = false } }
            let response = try await next(request)
            guard request.path.hasSuffix("/payment/status"), isTorn.withLock({ $0 }),
                let report = try? JSONReader().read(response.body), let operations = report["operations"]?.array
            else { return response }
            let bytes = report.adding("operations", .array(operations + [.object([:])])).bytes()
            return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: bytes)
        }
        let line = LosingReplies(HookTransport(till.tools.transport, hook), "/capture")
        till.tools.transport = line
        let client = try till.client()
        let request = try EcommpayTill.request(6_000)
        let outcome = till.scheduler.outcome {
            guard let held = try await client.authorize(request).payment else { return }
            isTorn.withLock { $0 = true }
            _ = try await client.capture(held.id, of: Money(minorUnits: 6_000, .eur))
        }
        #expect(outcome == .unknown && line.lostCount > 0)
    }
}

/// Loses the first reply of a path; the provider has done what was asked.
private struct LosingReplies: HTTPTransport {
    let inner: any HTTPTransport
    let path: String
    private let lost = Locked(0)

    init(_ inner: any HTTPTransport, _ path: String) { (self.inner, self.path) = (inner, path) }

    var lostCount: Int { lost.withLock { $0 } }
    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let response = try await inner.send(request)
        guard request.method != "GET", request.path.hasSuffix(path) else { return response }
        let isFirst = lost.withLock { count in
            count += 1
            return count == 1
        }
        if isFirst { throw .maybeSent(.connectionReset) }
        return response
    }
}

extension TestScheduler {
    /// What is known about the money when a body ends with an error; nil when it ends without.
    fileprivate func outcome(_ body: @escaping @Sendable () async throws -> Void) -> PaymentError.Outcome? {
        do { try run(body) } catch { return (error as? PaymentError)?.outcome }
        return nil
    }
}

/// A till in front of one simulated provider, on the stage of a scheduler.
protocol ProviderTill: Sendable {
    var scheduler: TestScheduler { get }

    /// A client of the till as it is set up now.
    func client() throws -> PaymentClient
}

extension ProviderTill {
    /// Runs a body with a client on the stage.
    func play<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentClient) async throws -> Value
    ) throws -> Value {
        let client = try client()
        return try scheduler.run { try await body(client) }
    }

    /// How a body fails on the stage; nil when it doesn't.
    func failure(_ body: @escaping @Sendable (PaymentClient) async throws -> Void) -> PaymentError? {
        do { try play(body) } catch { return error as? PaymentError }
        return nil
    }
}

/// A clock that is fast by so much, and slow where that is negative.
struct Shifted: PaymentClock {
    let stage: TestScheduler
    let milliseconds: Int64

    var now: Int64 { stage.now + milliseconds }
    var uptime: Int64 { stage.now }

    func sleep(until instant: Int64) async throws { try await stage.sleep(until: instant - milliseconds) }
}
