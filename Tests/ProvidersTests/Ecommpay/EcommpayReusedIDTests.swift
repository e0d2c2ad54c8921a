import EcommpayProvider
import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// Two applications of one merchant, each with a journal of its own, on one project of the provider's: an attempt id that
/// one has used is used by the other.
@Suite struct EcommpayReusedIDTests {
    /// What becomes of the requests of one application on their way.
    enum Line: Sendable {
        case whole
        /// The first request that begins a payment is lost, and nothing comes back.
        case losesFirst
        /// The first one is carried out, and its answer is lost.
        case losesFirstAnswer
        /// The first one is delivered twice, and the second answer comes back.
        case doublesFirst
    }

    private final class Network: HTTPTransport {
        private let real: any HTTPTransport
        private let line: Locked<Line>

        init(_ real: any HTTPTransport, _ line: Line) { (self.real, self.line) = (real, Locked(line)) }

        var sendLimitMilliseconds: Int64? { real.sendLimitMilliseconds }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            let begins = request.target.hasSuffix("/msdk/v1/pay") || request.target.hasPrefix("/v2/payment/card/sale")
            let line = self.line.withLock { line in
                defer { if begins { line = .whole } }
                return begins ? line : .whole
            }
            switch line {
            case .whole: return try await real.send(request)
            case .losesFirst: throw .maybeSent(.stalled)
            case .losesFirstAnswer:
                _ = try await real.send(request)
                throw .maybeSent(.stalled)
            case .doublesFirst:
                _ = try await real.send(request)
                return try await real.send(request)
            }
        }
    }

    /// Two applications, the first of which has sold under the id.
    private struct Shops {
        let first: EcommpayTill
        var second: EcommpayTill

        init(_ link: EcommpayConfiguration.Integration) {
            var first = EcommpayTill()
            (first.configuration.link, first.configuration.returnAddress) = (link, "https://shop.example/back")
            first.configuration.notificationAddress = "https://shop.example/loaded"
            self.first = first
            second = EcommpayTill(sharing: first)
        }

        /// What a sale of one of them comes to.
        static func sell(_ till: EcommpayTill, _ units: Int64, _ line: Line = .whole) throws -> String {
            var till = till
            till.tools.transport = Network(till.tools.transport, line)
            let request =
                try till.configuration.link == .gate
                ? EcommpayTill.gateRequest(units) : EcommpayTill.request(units)
            do {
                let result = try till.play { client in
                    try await client.sale(request, attempt: try AttemptID("order-1001"))
                }
                guard let payment = result.payment else { return "no payment" }
                return "approved \(payment.approved)\(payment.isPartial ? " in part" : "")"
            } catch let error as PaymentError {
                return "\(error.code.rawValue) \(error.outcome.rawValue): \(error.detail)"
            }
        }

        /// What another look at the attempt of the second one comes to.
        func looked() throws -> Attempt.State? {
            try second.play { client in
                _ = try? await client.status(try AttemptID("order-1001"))
                return try await client.attempt(try AttemptID("order-1001"))?.state
            }
        }

        var movementCount: Int { first.backend.ledger.movements.count }
        func pass(_ milliseconds: Int64) { first.scheduler.advance(by: milliseconds) }
    }

    private static let hour: Int64 = 3_600_000
    private static let links: [EcommpayConfiguration.Integration] = [.session, .gate]

    // MARK: - The answer to a first request

    @Test(arguments: links, [1_000, 2_500, 400] as [Int64])
    func sale_idOfAnotherShopsOldPayment_isAConflictAndNothingMoved(
        _ link: EcommpayConfiguration.Integration, _ units: Int64
    ) throws {
        let shops = Shops(link)
        #expect(try Shops.sell(shops.first, 1_000) == "approved 10.00 EUR")
        shops.pass(30 * Self.hour)
        let told = try Shops.sell(shops.second, units)
        #expect(told.hasPrefix("conflict notExecuted"), "\(told)")
        #expect(told.contains("order-1001"))
        #expect(shops.movementCount == 1)
        // A session shows the payment before a request of the attempt is opened: then there is no attempt.
        #expect(try shops.looked() == (link == .session ? nil : .notExecuted))
    }

    /// A session says that there is a payment before anything of the attempt was sent: no clock is needed.
    @Test(arguments: [0, 1_000, 60_000, hour] as [Int64])
    func sale_idOfAnotherShopsPaymentInASession_isAConflictAtOnce(_ milliseconds: Int64) throws {
        let shops = Shops(.session)
        #expect(try Shops.sell(shops.first, 1_000) == "approved 10.00 EUR")
        shops.pass(milliseconds)
        for units in [1_000, 2_500] as [Int64] {
            let told = try Shops.sell(shops.second, units)
            #expect(told.hasPrefix("conflict notExecuted"), "\(told)")
            shops.pass(1_000)
        }
        #expect(shops.movementCount == 1)
    }

    /// The Gate's refusal may answer a copy of the request: while the clocks can't exclude that, it stays in doubt.
    @Test(arguments: [5_000, 60_000, hour, 20 * hour] as [Int64])
    func sale_idOfAnotherShopsRecentPaymentAtTheGate_isNeverApproved(_ milliseconds: Int64) throws {
        for units in [1_000, 2_500, 400] as [Int64] {
            let shops = Shops(.gate)
            #expect(try Shops.sell(shops.first, 1_000) == "approved 10.00 EUR")
            shops.pass(milliseconds)
            let told = try Shops.sell(shops.second, units)
            #expect(told.hasPrefix("mismatch unknown"), "\(told)")
            #expect(told.contains("it was created at"), "\(told)")
            #expect(shops.movementCount == 1)
            #expect(try shops.looked() == .inDoubt)
        }
    }

    @Test func sale_otherAmountUnderTheIDInTheSameSecond_isNeverApproved() throws {
        for units in [2_500, 400] as [Int64] {
            let shops = Shops(.gate)
            #expect(try Shops.sell(shops.first, 1_000) == "approved 10.00 EUR")
            let told = try Shops.sell(shops.second, units)
            #expect(told.hasPrefix("mismatch unknown") && told.contains("it is over 10.00 EUR"), "\(told)")
            #expect(shops.movementCount == 1)
            #expect(try shops.looked() == .inDoubt)
        }
    }

    /// The copy of the very first request was carried out a moment ago: the refusal of the second is no refusal.
    @Test(arguments: links)
    func sale_firstRequestDoubledOnItsWay_isApprovedOnce(_ link: EcommpayConfiguration.Integration) throws {
        let shops = Shops(link)
        #expect(try Shops.sell(shops.second, 1_000, .doublesFirst) == "approved 10.00 EUR")
        #expect(shops.movementCount == 1)
    }

    /// Both debit a registered card, and have chosen the same id.
    @Test(arguments: [700, 900, 300] as [Int64])
    func debit_idOfAnotherApplicationsDebit_isNeverApproved(_ units: Int64) throws {
        func debit(_ till: EcommpayTill, _ units: Int64) throws -> String {
            do {
                let result = try till.play { client in
                    let card = try await EcommpayRegistrationTests.register(client)
                    var asked = CardOnFileRequest(Money(minorUnits: units, .eur), of: card, reference: "d")
                    asked.customer = "customer-1"
                    return try await client.chargeCardOnFile(asked, attempt: try AttemptID("month-11"))
                }
                return result.payment.map { "approved \($0.approved)" } ?? "no payment"
            } catch let error as PaymentError {
                return "\(error.code.rawValue) \(error.outcome.rawValue)"
            }
        }
        for (passed, due) in [(Self.hour, " unknown"), (30 * Self.hour, "conflict notExecuted")] {
            let first = EcommpayTill()
            let second = EcommpayTill(sharing: first)
            #expect(try debit(first, 700) == "approved 7.00 EUR")
            first.scheduler.advance(by: passed)
            let told = try debit(second, units)
            #expect(told.hasSuffix(due), "\(told)")
            // Two sales that register a card, and one debit.
            #expect(first.backend.ledger.movements.count == 3)
        }
    }

    // MARK: - What a lookup finds

    @Test(arguments: links)
    func sale_requestLostWhileAnotherShopHoldsTheID_isNeverApproved(_ link: EcommpayConfiguration.Integration) throws {
        for units in [1_000, 2_500, 400] as [Int64] {
            let shops = Shops(link)
            #expect(try Shops.sell(shops.first, 1_000) == "approved 10.00 EUR")
            shops.pass(Self.hour)
            // In a session the payment is seen when it is opened, so that nothing of the attempt can be lost.
            let told = try Shops.sell(shops.second, units, .losesFirst)
            #expect(told.contains(link == .session ? "conflict notExecuted" : " unknown"), "\(told)")
            #expect(shops.movementCount == 1)
            #expect(try shops.looked() == (link == .session ? nil : .inDoubt))
        }
    }

    @Test(arguments: links)
    func sale_ownAnswerLost_isFoundAndApprovedOnce(_ link: EcommpayConfiguration.Integration) throws {
        let shops = Shops(link)
        #expect(try Shops.sell(shops.second, 1_000, .losesFirstAnswer) == "approved 10.00 EUR")
        #expect(shops.movementCount == 1)
    }

    /// By our clock, which is ten minutes fast, our own charged payment is older than its request: a person has to name it.
    @Test func notExecuted_whereOurClockIsFast_isRefusedUntilItIsNamed() throws {
        var till = Shops(.gate).second
        till.tools.transport = Network(till.tools.transport, .losesFirstAnswer)
        var given = ClientOptions(journal: till.journal)
        given.clock = Shifted(stage: till.scheduler, milliseconds: 600_000)
        (given.executor, given.answers, given.random) = (till.scheduler, till.answers, till.random)
        let client = try PaymentClient(try EcommpayDriver(till.configuration, till.tools), given)
        let (request, id) = (try EcommpayTill.gateRequest(1_000), try AttemptID("order-1001"))
        let told = try till.scheduler.run { [scheduler = till.scheduler] in
            _ = try? await client.sale(request, attempt: id)
            try await scheduler.sleep(until: scheduler.now + Self.hour)
            do throws(PaymentError) {
                return try await client.resolve(id, as: .notExecuted(), reason: "not ours").state.rawValue
            } catch { return error.detail }
        }
        #expect(till.backend.ledger.movements.count == 1)
        #expect(told.contains("It could be one of order-1001"), "\(told)")
    }

    /// The application ended while its request was on its way; another process finds the payment of its id.
    @Test(arguments: [true, false])
    func attempt_requestLostAndProcessGone_isFoundOnlyIfItIsItsOwn(_ isOwn: Bool) throws {
        let shops = Shops(.gate)
        if !isOwn {
            #expect(try Shops.sell(shops.first, 1_000) == "approved 10.00 EUR")
            shops.pass(Self.hour)
        }
        var till = shops.second
        till.tools.transport = Network(till.tools.transport, isOwn ? .losesFirstAnswer : .losesFirst)
        till.tools.transport = NoStatus(till.tools.transport)
        let request = try EcommpayTill.gateRequest(1_000)
        let error = till.failure { client in
            _ = try await client.sale(request, attempt: try AttemptID("order-1001"))
        }
        #expect(error?.outcome == .unknown)
        let state = try shops.looked()
        if isOwn {
            #expect(state == .approved)
        } else {
            #expect(state == .inDoubt)
        }
        #expect(shops.movementCount == 1)
    }
}

/// A line on which no status is answered.
private struct NoStatus: HTTPTransport {
    let real: any HTTPTransport
    init(_ real: any HTTPTransport) { self.real = real }
    var sendLimitMilliseconds: Int64? { real.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.target.hasSuffix("/payment/status") { throw .maybeSent(.stalled) }
        return try await real.send(request)
    }
}

/// What another application of the project took, and an import took over: the project knows it by that application's id.
@Suite struct EcommpayImportTests {
    @Test func importedPayment_messagePromisedNews_isAskedForByItsOwnID() throws {
        let theirs = EcommpayTill()
        let name = try #require(try theirs.sell().payment?.references["payment"])
        var till = EcommpayTill(sharing: theirs)
        let asked = Locked([String]())
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            let body = try? JSONReader().read(request.body)
            if request.target.hasSuffix("/payment/status"), let id = body?["general"]?["payment_id"]?.string {
                asked.withLock { $0.append(id) }
            }
            return try await next(request)
        }
        let (scheduler, journal) = (till.scheduler, till.journal)
        let account = try EcommpayDriver(till.configuration, till.tools).identity
        try till.play { client in
            _ = try await journal.adopt(
                "old-1", Money(minorUnits: 5_000, .eur), ["payment": name], of: account, at: scheduler.now)
            let hint = Notice("n-1", account, .name(name), [.sale], nil, at: nil)
            _ = try await journal.write(
                JournalEntry(.notice(hint)), WriteID("n-1"), at: Attempt.Instant(wall: scheduler.now, uptime: 0))
            try await scheduler.sleep(until: scheduler.now + 3_600_000)
            _ = try await client.recover()
        }
        let ids = asked.withLock { $0 }
        #expect(!ids.isEmpty && ids.allSatisfy { $0 == name }, "\(ids)")
    }
}
