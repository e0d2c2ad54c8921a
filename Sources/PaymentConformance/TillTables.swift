internal import PaymentBase
package import PaymentCore
internal import PaymentDriverKit
internal import PaymentTesting

/// What a till's screen shows at each link, found by playing it at the simulated provider.
package struct TillTables: Sendable {
    /// What a link says of one test card.
    package struct CardRow: Hashable, Sendable {
        /// The link's harness.
        package let link: String
        /// The test card, such as `visa`.
        package let card: String
        /// The provider's own words of the brand, the entry and the funding; empty where it says none.
        package let words: [String]
        /// The brand, the entry and the funding under one name for all providers; empty where it says none.
        package let names: [String]
        /// Where it says so, such as `sale`; empty where it says nothing.
        package let from: String
    }

    /// How a wait for a card ends without one.
    package enum Ending: String, Hashable, Sendable, CaseIterable {
        /// The customer cancels at the reader.
        case customer = "customer cancels"
        /// No card comes, and the till's time is over: it cancels.
        case time = "time is over"
        /// The customer takes the card away each time, and the till cancels.
        case card = "card is taken away"
        /// The cashier cancels at the till.
        case till = "till cancels"
    }

    /// What a till sees when a wait for a card ends without one.
    package struct EndRow: Hashable, Sendable {
        /// The link's harness.
        package let link: String
        /// What the screen shows at the end, in the order of ``Ending``; why it can't be played where it can't.
        package let cells: [Cell]
    }

    /// One end at one link.
    package enum Cell: Hashable, Sendable {
        /// The screen, what the cancel was answered, and who the result says cancelled.
        case seen(TillScreen, cancel: CancelResult?, cause: String)
        /// Why nothing like it happens there.
        case none(String)

        /// In words.
        package var text: String {
            switch self {
            case .seen(let screen, let cancel, let cause):
                "\(screen.word) (\(cause))" + (cancel == .tooLate ? "*" : "")
            case .none(let why): why
            }
        }
    }

    /// The test cards, by the name that the table has for them.
    package static let cards = [("visa", "4242424242424242"), ("mastercard", "5555555555554444")]
    /// The ends that show another screen than `cancelled`, by link: Halo's document doesn't say what becomes of a payment that is
    /// cancelled after a card was seen, so that it is looked up first.
    package static let differing: [String: Set<Ending>] = ["halo-kit": [.card]]
    /// How long the till waits for a card before it cancels, in milliseconds.
    package static let patienceMilliseconds: Int64 = 60_000

    private let harnesses: [any ConformanceHarness]

    /// Plays these links.
    package init(_ harnesses: [any ConformanceHarness]) { self.harnesses = harnesses }

    // MARK: Brand by link

    /// What each link says of each test card.
    package func cardRows() throws -> [CardRow] {
        try harnesses.flatMap { harness in
            try Self.cards.map { name, number in try Self.row(harness, name, number) }
        }
    }

    private static func row(_ harness: any ConformanceHarness, _ name: String, _ number: String) throws -> CardRow {
        let plain = try CheckContext(harness, seed: 1, mutant: nil)
        let taken = plain.driver.capabilities.sources
        let source = [PaymentSource.Kind.reader, .card, .page].first { taken.contains($0) }
        let context = try CheckContext(harness, seed: 1, mutant: nil, from: source)
        return try context.scheduler.run {
            try await context.signIn()
            var scripted = try context.scripted(.approved)
            if case .card = scripted.source {
                let typed = try KeyedCard(
                    number: number, expiryMonth: 12, expiryYear: 30, securityCode: "737", holder: "John Doe")
                var changed = TestPayment(scripted.amount, .card(typed))
                // A scheme's rule wants one of the customer's addresses where a number is typed.
                var contact = scripted.contact ?? CustomerContact()
                contact.email = "customer@example.com"
                (changed.customer, changed.contact) = (scripted.customer, contact)
                scripted = changed
            } else {
                _ = (context.fixture as? any CustomerFixture)?.present(number)
            }
            let sale = scripted.request("order")
            let result = try await context.client.sale(sale, attempt: try context.attempt())
            let payment = try context.approved(result)
            if let card = payment.card, card.scheme != nil { return CardRow(harness.name, name, card, "sale") }
            let details = try? await context.view.transactions?.details(payment.references)
            return CardRow(harness.name, name, details?.card, "details")
        }
    }

    // MARK: Cancel by link

    /// What a till sees when a wait for a card ends without one, at each link.
    package func endRows() throws -> [EndRow] {
        try harnesses.map { harness in
            EndRow(link: harness.name, cells: try Ending.allCases.map { try Self.cell(harness, $0) })
        }
    }

    private static func cell(_ harness: any ConformanceHarness, _ ending: Ending) throws -> Cell {
        let context = try CheckContext(harness, seed: 1, mutant: nil, from: .reader)
        guard try context.has("source.reader"), let reader = context.client.reader,
            let customer = context.fixture as? any CustomerFixture
        else { return .none("–") }
        return try context.scheduler.run {
            try await context.signIn()
            let scripted = try context.scripted(.approved, .sale, from: .reader)
            _ = customer.present(nil)
            if ending == .card, !customer.takeCardAwayEarly() { return .none("terminal asks again") }
            let (attempt, request) = (try context.attempt(), scripted.request("order"))
            let sale = context.start { try await context.client.sale(request, attempt: attempt) }
            try await context.wait(ending == .time ? patienceMilliseconds : 1_000)
            var cancel: CancelResult?
            if ending == .customer { await customer.cancelAtReader() } else { cancel = try await reader.cancel() }
            // Where it is too late for the till, the customer can still cancel.
            if cancel == .tooLate { await customer.cancelAtReader() }
            let end = await sale.result
            guard context.fixture.ledger.entries.isEmpty else { throw CheckFailure("money moved at \(harness.name)") }
            switch end {
            case .success(let result):
                var cause = ""
                if case .cancelled(let cancellation) = result { cause = cancellation.cause.rawValue }
                return .seen(TillScreen(result, of: attempt), cancel: cancel, cause: cause)
            case .failure(let error as PaymentError):
                return .seen(TillScreen(error, of: attempt), cancel: cancel, cause: error.code.rawValue)
            case .failure(let error): throw error
            }
        }
    }
}

extension TillTables.CardRow {
    fileprivate init(_ link: String, _ name: String, _ card: CardSummary?, _ from: String) {
        let words = [card?.brand, card?.entry, card?.funding]
        let names = [card?.scheme?.rawValue, card?.entryMode?.rawValue, card?.fundingSource?.rawValue]
        self.init(
            link: link, card: name, words: words.map { $0 ?? "" }, names: names.map { $0 ?? "" },
            from: card == nil ? "" : from)
    }
}

extension TillScreen {
    /// The screen in one word.
    fileprivate var word: String { messageKey.split(separator: ".").last.map(String.init) ?? messageKey }
}
