internal import PaymentProviderKit

/// Domain ⇄ wire, as pure functions.
enum MemoryMapping {
    static func json(_ money: Money) -> JSON {
        ["minorUnits": .number(JSONNumber(money.minorUnits)), "currency": .string(money.currency.code)]
    }

    static func money(_ reply: MemoryReply) throws(PaymentError) -> Money {
        guard let units = reply.minorUnits, let code = reply.currency, let currency = Currency.known(code) else {
            throw PaymentError.unknown(.unreadableReply, "the answer names no amount")
        }
        return try Money(minorUnits: units, currency).believable()
    }

    /// The body of a new payment.
    static func payment(
        _ kind: PaymentOperation, _ attempt: AttemptID, _ amount: Money, reference: String, source: JSON,
        more: [(String, JSON)] = []
    ) -> JSON {
        var body: JSONObject = [
            "attempt": .string(attempt.text), "kind": .string(kind.rawValue), "amount": json(amount),
            "reference": .string(reference), "source": source,
        ]
        for (name, value) in more { body[name] = value }
        return .object(body)
    }

    static func extras(_ request: SaleRequest) -> [(String, JSON)] {
        var more: [(String, JSON)] = []
        if let customer = request.customer { more.append(("customer", .string(customer))) }
        if request.savesInstrument || request.cardOnFile != nil { more.append(("save", true)) }
        if request.acceptsPartialApproval { more.append(("partial", true)) }
        if let tip = request.tip { more.append(("tip", json(tip))) }
        return more
    }

    /// A source that needs no reader.
    static func source(_ source: PaymentSource) -> JSON {
        var body: JSONObject = ["kind": .string(source.kind.rawValue)]
        switch source {
        case .reader, .hostedPage: break
        case .card(let card):
            body["number"] = .string(card.number.expose())
            body["expiry"] = .string("\(card.expiryMonth)/\(card.expiryYear)")
            if let code = card.securityCode { body["securityCode"] = .string(code.expose()) }
        case .external(let read):
            if let track = read.track2 { body["track2"] = .string(track.expose()) }
            if let pin = read.pinBlock { body["pinBlock"] = .string(pin.expose()) }
            body["tags"] = .array(read.tags.map { .string($0.expose()) })
        case .wallet(let token):
            body["wallet"] = .string(token.wallet.rawValue)
            body["payload"] = .string(token.payload.expose())
        case .saved(let id, let code):
            body["instrument"] = .string(id.rawValue)
            if let code { body["securityCode"] = .string(code.expose()) }
        case .token(let token, _, _, let code):
            body["token"] = .string(token.expose())
            if let code { body["securityCode"] = .string(code.expose()) }
        case .bank(let account):
            body["account"] = .string(account.number.expose())
            body["routing"] = .string(account.routing.expose())
        }
        return .object(body)
    }

    static func source(_ read: CardReadResult) -> JSON {
        ["kind": "reader", "payment": .string(read.paymentCardData.expose())]
    }

    /// What the provider said, as a verdict; an unlisted state proves nothing.
    static func verdict(_ reply: MemoryReply) throws(PaymentError) -> Verdict {
        switch reply.state {
        case "approved":
            // Without a name it could be neither captured nor refunded; a lookup finds it by the attempt.
            guard !reply.id.isEmpty else {
                throw PaymentError.unknown(.unreadableReply, "the answer names no payment")
            }
            var approval = Approval(try money(reply), references: references(reply), card: card(reply.card))
            var receipt = Receipt()
            (receipt.authorizationCode, receipt.responseCode) = (reply.authorization, reply.code)
            approval.receipt = receipt
            approval.isPartial = reply.isPartial
            approval.saved = reply.saved.map { SavedInstrument(.init(rawValue: $0), card: card(reply.card)) }
            return .approved(approval)
        case "declined":
            let said = ProviderMessage(code: reply.code, message: reply.message)
            var decline = Decline(reason(reply.code), provider: said, references: references(reply))
            decline.card = card(reply.card)
            return .declined(decline)
        case "cancelled": return .cancelled(Cancellation(cause: .customer, references: references(reply)))
        case "processing": return .pending(Pending(references: references(reply), shouldPoll: true))
        case "pending": return .pending(Pending(references: references(reply), shouldPoll: false))
        default:
            throw PaymentError(
                .unreadableReply, outcome: .unknown, provider: ProviderMessage(code: reply.state),
                detail: "the state is in no table")
        }
    }

    /// Why what the provider has under an attempt's id need not be the attempt's own; nil where nothing speaks against it.
    ///
    /// The id is unique in a journal. Another application of the merchant's account may use the same one, and if our request
    /// was lost, a lookup finds its payment.
    static func doubt(_ reply: MemoryReply, _ inquiry: LookupRequest) -> String? {
        let (intent, requests) = (inquiry.record.intent, inquiry.requests)
        // What was answered was taken, and is the attempt's own.
        guard intent.isOrigin, !requests.contains(where: { $0.ending == .answered }) else { return nil }
        if let since = requests.first?.openedAt.wall, let at = reply.at,
            at < since - MemoryDriver.clockMarginMilliseconds
        {
            return "The payment under this id was created before the attempt sent anything."
        }
        // A payment without a reference goes out under the attempt's own id.
        if let reference = reply.reference, reference != intent.reference ?? intent.attempt.text {
            return "The payment under this id has another reference."
        }
        guard let amount = try? money(reply), amount != intent.amount else { return nil }
        let isLess = amount.currency == intent.amount.currency && amount.minorUnits < intent.amount.minorUnits
        if isLess, reply.isPartial { return nil }
        return "The payment under this id is over \(amount), and \(intent.amount) was asked for."
    }

    private static func references(_ reply: MemoryReply) -> PaymentReferences {
        var references: PaymentReferences = [:]
        if !reply.id.isEmpty { references["payment"] = reply.id }
        if let movement = reply.movement { references["movement"] = movement }
        return references
    }

    static func card(_ json: JSON?) -> CardSummary? {
        guard let json, !json.isNull else { return nil }
        var card = CardSummary(brand: json["brand"]?.string, last4: json["last4"]?.string)
        card.entry = json["entry"]?.string
        return card
    }

    private static func reason(_ code: String) -> Decline.Reason { reasons[code] ?? .unmapped }

    /// What the codes of its refusals mean.
    static let reasons: [String: Decline.Reason] = [
        "05": .doNotHonor, "41": .lostCard, "51": .insufficientFunds, "54": .expiredCard, "55": .incorrectPIN,
        "82": .incorrectSecurityCode, "1A": .authenticationFailed, "68": .authenticationRequired,
        "79": .failedAfterApproval,
    ]

    /// What its list shows: payments with their totals.
    static let listed = ListedTransactions(
        [.hold, .charge, .capture, .change, .tip, .void, .refund], hasRefundTotals: true,
        words: [
            "sale": .payment, "authorize": .payment, "debit": .payment, "refund": .refund, "unlinkedRefund": .refund,
            "verify": .noMoney, "tokenize": .noMoney, "approved": .executed, "declined": .refused, "failed": .refused,
            "pending": .pending, "new": .pending, "needsFields": .pending,
        ])

    /// What the provider lists about one payment.
    static func details(_ body: JSON) -> PaymentDetails? {
        guard let id = body["id"]?.string, let state = body["state"]?.string else { return nil }
        var details = PaymentDetails(state, references: ["payment": id])
        details.kind = body["kind"]?.string
        details.at = body["at"]?.int64
        details.reference = body["reference"]?.string
        details.card = card(body["card"])
        if let currency = body["currency"]?.string.flatMap({ Currency.known($0) }) {
            func money(_ name: String) -> Money? {
                body[name]?.int64.flatMap { try? Money(minorUnits: $0, currency).believable() }
            }
            (details.captured, details.refunded, details.amount) = (money("captured"), money("refunded"), money("held"))
            if let captured = details.captured, let refunded = details.refunded,
                let left = try? captured.subtracting(refunded), left.minorUnits > 0
            {
                details.operations.append(PaymentDetails.AvailableOperation("refund", .refund, amount: left))
            }
        }
        return details
    }
}

/// What the memory provider answers about a payment or an operation on one.
struct MemoryReply {
    let id: String
    let state: String
    let attempt: String
    let minorUnits: Int64?
    let currency: String?
    let code: String
    let message: String
    let authorization: String?
    let movement: String?
    let pinToken: String?
    let address: String?
    let fields: [String]
    let saved: String?
    let isPartial: Bool
    let card: JSON?
    let at: Int64?
    let reference: String?
    let event: String?

    /// Reads a body; everything but the state may be missing.
    init?(_ body: JSON?) {
        guard let body, let state = body["state"]?.string else { return nil }
        self.state = state
        id = body["id"]?.string ?? ""
        attempt = body["attempt"]?.string ?? ""
        minorUnits = body["amount"]?["minorUnits"]?.int64
        currency = body["amount"]?["currency"]?.string
        (code, message) = (body["code"]?.string ?? "", body["message"]?.string ?? "")
        authorization = body["authorization"]?.string
        movement = body["movement"]?.string
        pinToken = body["pinToken"]?.string
        address = body["address"]?.string
        fields = body["fields"]?.array?.compactMap(\.string) ?? []
        saved = body["saved"]?.string
        isPartial = body["partial"]?.bool ?? false
        card = body["card"]
        at = body["at"]?.int64
        reference = body["reference"]?.string
        event = body["event"]?.string
    }
}

extension ErrorTable {
    /// What the memory provider's refusals mean; what is not listed may have been executed.
    static let memory = ErrorTable([
        Row("tokenRefused", "access", .authentication, .refused, "the token is unknown or has lapsed"),
        Row("badCredentials", "access", .configuration, .refused, userAction: true, "the client's secret is wrong"),
        Row("malformed", "request", .invalidRequest, .refused, "the request could not be read"),
        Row("incomplete", "request", .invalidRequest, .refused, "something is missing in the request"),
        Row("cardData", "request", .invalidRequest, .refused, "the card's data does not fit the request"),
        Row("unknownAttempt", "request", .notFound, .refused, "nothing came under this reference"),
        Row("unknownPayment", "request", .notFound, .refused, "there is no such payment"),
        Row("unknownPath", "request", .unsupported, .refused, "the provider has no such thing"),
        Row("unknownVerb", "request", .unsupported, .refused, "the provider has no such operation"),
        Row("unknownDevice", "request", .notFound, .refused, "there is no such device"),
        Row("tooMuch", "state", .amountTooHigh, .refused, "more was asked for than is left"),
        Row("notVoidable", "state", .conflict, .refused, retry: .never, "it can't be undone any more"),
        Row("notAdjustable", "state", .conflict, .refused, retry: .never, "nothing is held that could be changed"),
        Row("notWaiting", "state", .conflict, .refused, retry: .afterStatusCheck, "the payment waits for nothing"),
        Row(
            "closed", "service", .providerUnavailable, .refused, isRetryable: true,
            "closed for a moment, nothing was done"),
        Row("full", "service", .providerUnavailable, .refused, "no more payments are kept"),
        Row("broken", "service", .providerFailed, .maybeSent, "something broke on the way"),
    ])
}
