public import PaymentBase

/// What a sale or an authorisation asks for.
public struct SaleRequest: Hashable, Sendable {
    /// What is charged in all, the tip included.
    public let amount: Money
    /// Where it comes from.
    public let source: PaymentSource
    /// The application's reference and the part of it that is paid.
    public var order: OrderReference
    /// The price that it rests on, with the tender that was chosen; then the amount is that tender's total.
    public let quote: Quote.Choice?
    /// How much of the amount is a tip.
    public var tip: Money?
    /// The customer's name at the merchant.
    public var customer: String?
    /// Who pays.
    public var contact: CustomerContact?
    /// The billing address.
    public var billing: PostalAddress?
    /// The shipping address.
    public var shipping: PostalAddress?
    /// What the customer reads.
    public var displayText: String?
    /// The number of an order.
    public var orderNumber: String?
    /// The language of the customer, as `en` or `en-GB`.
    public var language: String?
    /// Whether the provider shall keep the instrument for the customer.
    public var savesInstrument = false
    /// Registers the card for later charges without the customer.
    public var cardOnFile: CardOnFileTerms?
    /// Who receives the money, where rules of card schemes ask for it.
    public var recipient: CustomerContact?
    /// Whether an approval of less may be asked for; needs a handler for ``PartialApprovalOffer``.
    public var acceptsPartialApproval = false
    /// Nothing real happens; never in the journal or in totals.
    public var isDryRun = false
    /// A word for the routing rules.
    public var routingLabel: String?
    /// How the reader presents itself.
    public var presentation = ReaderPresentation()
    /// The same request as the merchant's back end made it, to be sent as it is.
    public var prepared: PreparedRequest?

    /// The longest reference that is accepted.
    public static let referenceCharactersMax = 64
    /// The most bytes of UTF-8 of a reference: a character can have any number of marks above and below it.
    public static let referenceBytesMax = 256

    /// The application's own reference, such as the number of an order; the attempt's id if the payment has none.
    public var reference: String { order.text ?? ownReference }
    /// What the provider gets as a reference if the application gives none.
    package var ownReference = ""

    /// Asks for an amount.
    public init(_ amount: Money, from source: PaymentSource, reference: OrderReference) {
        (self.amount, self.source, order, quote) = (amount, source, reference, nil)
    }

    /// Asks for an amount under a whole reference.
    public init(_ amount: Money, from source: PaymentSource, reference: String) {
        self.init(amount, from: source, reference: OrderReference(reference))
    }

    /// Asks for exactly what was quoted for one tender.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the quote has no total for the tender.
    public init(
        _ quote: Quote, _ tender: Tender, from source: PaymentSource, reference: OrderReference
    ) throws(PaymentError) {
        guard let breakdown = quote.tenders[tender] else {
            let known = quote.tenders.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw PaymentError.notExecuted(
                .invalidRequest, "the quote has no total for \(tender.rawValue); it has \(known)")
        }
        (amount, self.source, order) = (breakdown.total, source, reference)
        self.quote = Quote.Choice(quote: quote, tender: tender)
        tip = breakdown.tip
    }
}

/// The application's reference for a payment, such as the number of an order, and which part of it is paid.
///
/// **A reference and its part pay once.** The whole and its parts exclude each other, and different parts do not:
///
/// ```swift
/// "1001"                                            // the whole order
/// OrderReference("1001", part: "1 of 2")            // a share of it
/// OrderReference("table 5", holdsFor: .seconds(1_200))  // a label that comes again
/// OrderReference.unreferenced                       // typed again is charged again
/// ```
public struct OrderReference: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The reference; nil if the payment has none.
    public let text: String?
    /// Which part of the reference is paid; empty for the whole.
    public let part: String
    /// For how long the payment keeps its reference after its last change; nil for ever.
    public let holdsFor: Duration?

    /// A reference, or a part of it.
    public init(_ text: String, part: String = "", holdsFor: Duration? = nil) {
        (self.text, self.part, self.holdsFor) = (text, part, holdsFor)
    }

    public init(stringLiteral value: String) { self.init(value) }

    private init() { (text, part, holdsFor) = (nil, "", nil) }

    /// No reference. The same request typed again charges again.
    public static let unreferenced = OrderReference()

    /// How long a part's name can be, in characters.
    public static let partCharactersMax = 64
}

/// A refund without an original payment on the provider's side.
public struct UnlinkedRefundRequest: Hashable, Sendable {
    /// How much is given.
    public let amount: Money
    /// To what.
    public let source: PaymentSource
    /// The application's own reference.
    public let reference: String
    /// A payment that it belongs to in our books; then it counts against what is left of that payment.
    public var payment: PaymentID?
    /// What the customer reads.
    public var displayText: String?
    /// The same request as the merchant's back end made it, to be sent as it is.
    public var prepared: PreparedRequest?

    /// Asks for a refund to a source.
    public init(_ amount: Money, to source: PaymentSource, reference: String) {
        (self.amount, self.source, self.reference) = (amount, source, reference)
    }
}

/// A finished request in the provider's own words, which another system made: the merchant's back end, say.
///
/// The adapter checks that it asks for what the application says, sends it as it is, and keeps the answer in it. Only
/// a provider with the feature `prepared` takes one.
public final class PreparedRequest: Sendable {
    /// The request as it was made.
    public let bytes: [UInt8]
    private let answer = Locked<[UInt8]?>(nil)

    /// Takes a finished request.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The provider's answer to it; nil as long as there is none, and where it was lost.
    public var reply: [UInt8]? { answer.withLock { $0 } }

    /// Keeps the answer; called by the adapter.
    public func storeReply(_ reply: [UInt8]) { answer.withLock { $0 = reply } }
}

extension PreparedRequest: Hashable {
    public static func == (one: PreparedRequest, other: PreparedRequest) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension PreparedRequest: RedactedDescription {
    /// How long it is; never what it says.
    public var description: String { "PreparedRequest(\(bytes.count) bytes)" }
}

/// Digests what a caller asked, without anything secret: the same id with another digest is a conflict.
package struct RequestContent {
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    private var isEmpty = true

    package init() {}

    /// Adds a part under a name; what is nil leaves no trace.
    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        isEmpty = false
        for part in [name, value] {
            for byte in part.utf8 { add(byte) }
            add(0xFF)
        }
    }

    mutating func add(_ name: String, _ amount: Money?) {
        add(name, amount.map { "\($0.minorUnits) \($0.currency.code)" })
    }

    mutating func add(_ name: String, _ holds: Bool) { add(name, holds ? "yes" : nil) }

    private mutating func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    /// The digest; empty when nothing was added.
    package var displayText: String { isEmpty ? "" : String(sum, radix: 16) }
}

extension SaleRequest {
    /// What is bought, for whom, and the stored instrument; never a single-use token, a reader or a deadline.
    package var content: String {
        var content = RequestContent()
        content.add("customer", customer)
        content.add("text", displayText)
        content.add("order", orderNumber)
        content.add("saves", savesInstrument)
        content.add("onFile", cardOnFile != nil)
        content.add("partial", acceptsPartialApproval)
        content.add("tender", quote?.tender.rawValue)
        content.add("source", source)
        return content.displayText
    }
}

extension CardOnFileRequest {
    package var content: String {
        var content = RequestContent()
        content.add("instrument", instrument.keptName)
        content.add("customer", customer)
        return content.displayText
    }
}

extension UnlinkedRefundRequest {
    package var content: String {
        var content = RequestContent()
        content.add("source", source)
        return content.displayText
    }
}

extension VerificationRequest {
    package var content: String {
        var content = RequestContent()
        content.add("customer", customer)
        content.add("source", source)
        return content.displayText
    }
}

extension RequestContent {
    /// The stored instrument, or the last digits of a card or a bank account that was typed: a digest of the whole number would be
    /// found again by trying.
    fileprivate mutating func add(_ name: String, _ source: PaymentSource) {
        if case .saved(let instrument, _) = source { return add(name, instrument.keptName) }
        if source.kind == .card || source.kind == .bank { add(name, source.last4) }
        // The bank is no secret: its routing number is published.
        if case .bank(let account) = source { add("bank", account.routing.expose()) }
    }
}
