public import PaymentCore

/// One money operation that a failure test plays: what has to be there before, and the call itself.
public struct MoneyCase: Sendable, CustomStringConvertible {
    public let description: String
    /// Makes the payment that the call needs.
    public let before: @Sendable (PaymentClient) async throws -> PaymentID?
    /// Makes the call under an attempt id.
    public let call: @Sendable (PaymentClient, PaymentID?, AttemptID) async throws -> PaymentResult

    /// Whether the provider asks something before it decides.
    var asksOnTheWay: Bool { description.contains("PIN") || description.contains("challenge") }

    init(
        _ name: String, before: @escaping @Sendable (PaymentClient) async throws -> PaymentID? = { _ in nil },
        _ call: @escaping @Sendable (PaymentClient, PaymentID?, AttemptID) async throws -> PaymentResult
    ) {
        (description, self.before, self.call) = (name, before, call)
    }

    /// A test case was played on a payment that is not there.
    struct Missing: Error {}

    private static func id(_ payment: PaymentID?) throws -> PaymentID {
        guard let payment else { throw Missing() }
        return payment
    }

    private static func sold(_ client: PaymentClient) async throws -> PaymentID? {
        try await client.sale(.cents(5_000), from: Cards.good(), reference: "before").payment?.id
    }

    private static func held(_ client: PaymentClient) async throws -> PaymentID? {
        try await client.authorize(.cents(5_000), from: Cards.good(), reference: "before").payment?.id
    }

    /// Every money operation of the client.
    public static let all: [MoneyCase] = [
        MoneyCase("sale from the reader") { client, _, attempt in
            try await client.sale(.cents(2_500), from: .reader, reference: "order", attempt: attempt)
        },
        MoneyCase("sale from the reader with a PIN") { client, _, attempt in
            try await client.sale(.cents(2_065), from: .reader, reference: "order", attempt: attempt)
        },
        MoneyCase("sale of a keyed card") { client, _, attempt in
            try await client.sale(.cents(2_500), from: Cards.good(), reference: "order", attempt: attempt)
        },
        MoneyCase("sale with a challenge") { client, _, attempt in
            try await client.sale(.cents(2_030), from: Cards.good(), reference: "order", attempt: attempt)
        },
        MoneyCase("declined sale") { client, _, attempt in
            try await client.sale(.cents(2_051), from: Cards.good(), reference: "order", attempt: attempt)
        },
        MoneyCase("authorisation") { client, _, attempt in
            try await client.authorize(.cents(2_500), from: Cards.good(), reference: "order", attempt: attempt)
        },
        MoneyCase("capture of a part", before: held) { client, payment, attempt in
            try await client.capture(id(payment), of: .cents(1_200), attempt: attempt)
        },
        MoneyCase("adjustment", before: held) { client, payment, attempt in
            try await client.adjust(id(payment), to: .cents(6_000), attempt: attempt)
        },
        MoneyCase("void of an authorisation", before: held) { client, payment, attempt in
            try await client.void(id(payment), attempt: attempt)
        },
        MoneyCase("void of a sale", before: sold) { client, payment, attempt in
            try await client.void(id(payment), attempt: attempt)
        },
        MoneyCase("refund of a part", before: sold) { client, payment, attempt in
            try await client.refund(id(payment), of: .cents(1_200), attempt: attempt)
        },
        MoneyCase("refund of all", before: sold) { client, payment, attempt in
            try await client.refund(id(payment), attempt: attempt)
        },
        MoneyCase("unlinked refund by tap") { client, _, attempt in
            try await client.refundUnlinked(
                UnlinkedRefundRequest(.cents(2_500), to: .reader, reference: "order"), attempt: attempt)
        },
        MoneyCase("debit of a card on file") { client, _, attempt in
            try await client.chargeCardOnFile(
                CardOnFileRequest(.cents(2_500), of: .init(rawValue: "mi_1"), reference: "order"), attempt: attempt)
        },
        MoneyCase("tip", before: sold) { client, payment, attempt in
            try await client.adjustTip(id(payment), to: .cents(300), attempt: attempt)
        },
        MoneyCase("verification") { client, _, attempt in
            try await client.verify(
                VerificationRequest(Cards.good(), in: .eur, reference: "order"), attempt: attempt)
        },
    ]
}
