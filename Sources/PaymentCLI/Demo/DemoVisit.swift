internal import PaymentAbstraction
internal import PaymentBase

/// What one provider does during the day.
struct DemoVisit {
    private let shop: DemoShop
    private let client: PaymentClient
    private let progress: ProgressLine

    init(_ shop: DemoShop, _ client: PaymentClient, _ progress: ProgressLine) {
        (self.shop, self.client, self.progress) = (shop, client, progress)
    }

    /// Takes payments; gives the one that is refunded the next morning.
    func play(_ table: inout TextTable) async throws -> Payment? {
        let features = try client.provider(ProviderID(rawValue: shop.name)).capabilityTable
        try await client.reader?.prepare()
        let coffee = try await note("sale", "49.00", &table) { amount in
            try await sell(amount, "order-1")
        }
        if features["authorize"] {
            let room = try await note("authorisation", "300.00", &table) { amount in
                try await client.authorize(amount, from: try shop.source(held: true), reference: "\(shop.name)-room-7")
            }
            if let room {
                _ = try await note("capture of a part", "180.00", &table) { amount in
                    try await client.capture(room.id, of: amount)
                }
            }
        }
        if features["void"] {
            let mistake = try await note("sale by mistake", "8.00", &table) { amount in
                try await sell(amount, "order-2")
            }
            if let mistake {
                _ = try await note("void", "8.00", &table) { _ in try await client.void(mistake.id) }
            }
        }
        _ = try await note("sale, not enough money", shop.declined, &table) { amount in
            try await sell(amount, "order-3")
        }
        _ = try await note("sale, reply lost", shop.lost, &table) { amount in try await sell(amount, "order-4") }
        return coffee
    }

    private func sell(_ amount: Money, _ reference: String) async throws -> PaymentResult {
        try await client.sale(amount, from: try shop.source(), reference: "\(shop.name)-\(reference)")
    }

    /// Makes one call and writes its row.
    private func note(
        _ what: String, _ amount: String, _ table: inout TextTable, _ call: (Money) async throws -> PaymentResult
    ) async throws -> Payment? {
        progress.tell("\(shop.name): \(what)")
        let amount = try Money(amount, shop.currency)
        let result = try await call(amount)
        table.rows.append(Self.row(shop.name, what, amount, result))
        return result.payment
    }

    /// The row of a result.
    static func row(_ provider: String, _ what: String, _ asked: Money, _ result: PaymentResult) -> [String] {
        let (word, amounts): (String, PaymentAmounts?) =
            switch result {
            case .approved(let payment): (payment.amounts.isVoided ? "undone" : "approved", payment.amounts)
            case .declined(let decline): ("declined: \(decline.reason) (\(decline.provider.code))", nil)
            case .cancelled(let cancellation): ("cancelled: \(cancellation.cause)", nil)
            case .pending: ("received, decided later", nil)
            }
        let captured = amounts.map { $0.isVoided ? Money.zero($0.captured.currency) : $0.captured }
        return [
            provider, what, "\(asked)", word, captured.map { "\($0)" } ?? "",
            amounts.map { "\($0.refunded)" } ?? "",
        ]
    }
}
