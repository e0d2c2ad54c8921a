internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentSandbox
internal import PaymentTransport
internal import Providers

extension Command {
    /// Plays a payment day.
    static let demo = Command(
        name: "demo", summary: "plays a payment day against a company that lives in this process",
        example: "payctl demo", takes: AcceptedArguments()
    ) { _, _, console in
        do throws(PaymentError) {
            return try await DemoDay(console).play()
        } catch {
            console.error("payctl demo: \(error.explanation)")
            return error.outcome == .unknown ? .unknown : .failed
        }
    }
}

/// One day at a till: prepare, charge, hold, capture, undo, give back, be declined, lose a reply.
struct DemoDay {
    private let console: Console
    private let backend: MemoryBackend
    private let client: PaymentClient

    init(_ console: Console) throws(PaymentError) {
        let clock = SystemClock()
        let origin = Origin(.http, "memory.sandbox", 80)
        let secret = Secret("memory-client-secret")
        self.console = console
        backend = MemoryBackend(clock: clock, clientSecret: secret)
        let configuration = MemoryConfiguration(endpoint: origin, secret: secret)
        var card = SimulatedReader.Card()
        card.tapMilliseconds = 50
        var surroundings = Surroundings(journal: MemoryJournal())
        surroundings.reader = SimulatedReader(clock: clock, card: card)
        let transport = InProcessTransport([origin: backend])
        client = try PaymentClient(MemoryDriver(configuration, transport), surroundings)
    }

    func play() async throws(PaymentError) -> ExitStatus {
        var table = TextTable(["what", "reference", "asked", "result", "captured", "refunded"], right: [2, 4, 5])
        try await client.reader?.prepare()
        let coffee = try await note("sale by tap", &table) { client async throws(PaymentError) in
            try await client.sale(Money("49.99", .eur), from: .reader, reference: "order-1001")
        }
        _ = try await note("sale with a PIN", &table) { client async throws(PaymentError) in
            try await client.sale(Money("120.65", .eur), from: .reader, reference: "order-1002")
        }
        let hotel = try await note("authorisation", &table) { client async throws(PaymentError) in
            try await client.authorize(Money("300.00", .eur), from: .reader, reference: "room-7")
        }
        if let hotel {
            _ = try await note("capture of a part", &table) { client async throws(PaymentError) in
                try await client.capture(hotel.id, Money("180.00", .eur))
            }
        }
        if let coffee {
            for amount in ["10.00", "5.50"] {
                _ = try await note("refund of a part", &table) { client async throws(PaymentError) in
                    try await client.refund(coffee.id, Money(amount, .eur))
                }
            }
        }
        let mistake = try await note("sale by mistake", &table) { client async throws(PaymentError) in
            try await client.sale(Money("8.00", .eur), from: .reader, reference: "order-1003")
        }
        if let mistake {
            _ = try await note("void", &table) { client async throws(PaymentError) in
                try await client.void(mistake.id)
            }
        }
        _ = try await note("sale, not enough money", &table) { client async throws(PaymentError) in
            try await client.sale(Money("70.51", .eur), from: .reader, reference: "order-1004")
        }
        let lost = try await note("sale, reply lost", &table) { client async throws(PaymentError) in
            try await client.sale(Money("30.13", .eur), from: .reader, reference: "order-1005")
        }
        for line in table.lines { console.out(line) }
        if let lost { try await show(lost) }
        return try await compare()
    }

    /// Makes one call and writes its row.
    private func note(
        _ what: String, _ table: inout TextTable,
        _ call: (PaymentClient) async throws(PaymentError) -> PaymentResult
    ) async throws(PaymentError) -> Payment? {
        let result = try await call(client)
        switch result {
        case .approved(let payment):
            let amounts = payment.amounts
            table.rows.append([
                what, payment.reference, "\(payment.requested)", amounts.isVoided ? "undone" : "approved",
                "\(amounts.captured)", "\(amounts.refunded)",
            ])
            return payment
        case .declined(let decline):
            table.rows.append([what, "", "", "declined: \(decline.reason) (\(decline.provider.code))", "", ""])
        case .cancelled(let cancellation): table.rows.append([what, "", "", "cancelled: \(cancellation.by)", "", ""])
        case .pending: table.rows.append([what, "", "", "pending", "", ""])
        }
        return nil
    }

    private func show(_ payment: Payment) async throws(PaymentError) {
        console.out("")
        console.out("The payment whose reply was lost (\(payment.id)):")
        let events = try await client.timeline(of: payment.id)
        let start = events.first?.at ?? 0
        for event in events {
            let attributes = event.attributes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let offset = "+\(event.at - start) ms".padded(to: 10, right: true)
            console.out(
                "  \(event.sequence.description.padded(to: 2, right: true)) \(offset)  \(event.kind)"
                    + (attributes.isEmpty ? "" : "  (\(attributes.joined(separator: ", ")))"))
        }
    }

    /// The books of the client against the books of the company.
    private func compare() async throws(PaymentError) -> ExitStatus {
        var captured: Int64 = 0
        var refunded: Int64 = 0
        for origin in try await client.payments(limit: ListQuery.limitMax) {
            let payment = try await client.payment(origin.intent.paymentID)
            if payment.amounts.isVoided { continue }
            captured += payment.amounts.captured.minorUnits
            refunded += payment.amounts.refunded.minorUnits
        }
        let ledger = backend.ledger
        let merchant = ledger.balance(.merchant)["EUR"] ?? 0
        let isEqual = merchant == captured - refunded && ledger.isBalanced
        let ours = Money(minorUnits: captured - refunded, .eur)
        let theirs = Money(minorUnits: merchant, .eur)
        console.out("")
        console.out(
            "Books: the client has \(ours), the company's ledger has \(theirs): "
                + (isEqual ? "they agree." : "THEY DIFFER."))
        return isEqual ? .fine : .failed
    }
}
