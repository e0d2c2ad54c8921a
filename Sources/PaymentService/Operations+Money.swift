internal import PaymentBase
internal import PaymentCore
internal import PaymentModel

extension Parameter where Value == Money {
    static let amount = Parameter(
        "amount", .money, "What is charged in all, the tip included.", example: ["value": "12.50", "currency": "EUR"])
    static let tip = Parameter(
        "tip", .moneyOrNothing, "How much of the amount is a tip, in the same currency.",
        example: ["value": "1.00", "currency": "EUR"])
    static let part = Parameter(
        "amount", .money, "How much of the payment; give `all` instead for all that is left.",
        example: ["value": "5.00", "currency": "EUR"])
    static let newTotal = Parameter(
        "newTotal", .money, "What is authorized in all from now on.", example: ["value": "15.00", "currency": "EUR"])
    static let newTip = Parameter(
        "newTip", .moneyOrNothing, "The whole tip from now on.", example: ["value": "2.00", "currency": "EUR"])
}

extension Parameter where Value == AttemptID {
    static let payment = Parameter(
        "payment", .id, "The payment.", example: "0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a")
    static let attempt = Parameter(
        "attempt", .id, "The attempt.", example: "0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a")
}

extension Parameter where Value == PaymentSource.Kind {
    static let source = Parameter(
        "source", .words(["reader", "saved", "token", "wallet", "page"]) { PaymentSource.Kind(rawValue: $0) },
        "Where the money comes from: `reader` (the default); `saved` with the member `saved`; `token` with `token`; `wallet` "
            + "with `wallet` and its payload as `token`; `page` for a page of the provider, whose address the attempt asks with.",
        example: "reader")
}

extension Parameter where Value == Secret {
    static let token = Parameter(
        "token", .secret(16_384),
        "A single-use token of the provider, or the payload of a wallet as it came. No answer repeats it.",
        example: "tok_1")
}

extension Parameter where Value == Bool {
    static let all = Parameter("all", .flag, "true for all that is left, in place of an amount.", example: true)
    static let save = Parameter(
        "save", .flag, "Whether the provider keeps the instrument for the customer.", example: false)
    static let acceptPartial = Parameter(
        "acceptPartial", .flag, "Whether an approval of less may be offered, as a question of the attempt.",
        example: false)
    static let unreferenced = Parameter(
        "unreferenced", .flag,
        "true in place of a reference: the same sale sent with another key charges again. Needs a key that allows it.",
        example: true)
}

extension Parameter where Value == String {
    static let reference = Parameter(
        "reference", .reference,
        "The shop's own reference, such as the number of an order. A reference and its part pay once.",
        example: "order-1001")
    static let purpose = Parameter(
        "reference", .reference,
        "What it is for; a second one of the same amount needs another.", example: "item 2")
    static let holder = Parameter(
        "account", .text(1...320),
        "At which account, by `account` or `provider` as the problem `accountNeeded` lists them: needed only if several "
            + "have money of the payment. It is no content.", example: "MerchantECOM")
    static let partOfReference = Parameter(
        "part", .text(1...OrderReference.partCharactersMax), "The part of the reference that is paid.",
        example: "1 of 2")
    static let saved = Parameter(
        "saved", .text(1...1_000),
        "The instrument, as the answer named it that saved it: the account that keeps it, and what that calls it. With the "
            + "source `saved`.", example: "ecommpay@ecommpay/production/1234:4711")
    static let wallet = Parameter(
        "wallet", .words(["applePay", "googlePay"]) { $0 }, "Which wallet, with the source `wallet`.",
        example: "applePay")
    static let saleReader = Parameter(
        "reader", .token, "The reader that takes the card; the one of the routed provider by default.",
        example: "adyen")
    static let customer = Parameter(
        "customer", .text(1...64),
        "The shop's own name of the customer, needed with the source `saved`. At the provider the shop's name and a full stop "
            + "stand before it, so that no other shop has the customer's cards. At ARISE it is ARISE's own id, and shops that "
            + "share an account share its customers and cards.",
        example: "c-17")
    static let displayText = Parameter(
        "displayText", .text(1...128), "What the customer reads.", example: "Two coffees")
    static let routingLabel = Parameter(
        "routingLabel", .text(1...64), "A word for the routing rules.", example: "bar")
}

extension Parameter where Value == CustomerContact {
    static let contact = Parameter("contact", .contact, "Who pays.", example: ["email": "a@example.org"])
}

extension Parameter where Value == [String: String] {
    static let metadata = Parameter(
        "metadata", .metadata,
        "What the shop keeps with the attempt: no names, no addresses. It is no content; a repeat changes nothing of it.",
        example: ["table": "5"])
}

extension Form where Value == [String: String] {
    /// How many pairs there may be.
    private static let pairsMax = 10

    /// Short texts under short names.
    static let metadata: Form = {
        let (name, text) = (Form<String>.token, Form<String>.text(1...200))
        return Form([
            "type": "object", "maxProperties": .number(JSONNumber(Int64(pairsMax))),
            "propertyNames": ["pattern": "^[A-Za-z0-9._~-]{1,40}$"], "additionalProperties": text.schema,
        ]) { json throws(FormError) in
            guard let object = json.object, object.count <= pairsMax else {
                throw FormError("It is an object of at most \(pairsMax) texts.")
            }
            var values: [String: String] = [:]
            for member in object.members {
                let below = "/" + Pointer.escaped(member.key)
                guard member.key.utf8.count <= 40, (try? name.read(.string(member.key))) != nil else {
                    throw FormError(
                        "A name has 1 to 40 letters, digits, dots, hyphens, tildes and underscores.", below: below)
                }
                guard !Masking.findsCardNumber(in: member.key) else {
                    throw FormError("A name looks like a card number, and names are kept in the clear.")
                }
                do throws(FormError) { values[member.key] = try text.read(member.value) } catch {
                    throw FormError(error.detail, below: below)
                }
            }
            return values
        }
    }()
}

extension Parameter where Value == Int64 {
    static let holdsFor = Parameter(
        "holdsFor", .integer(600...31_622_400),
        "For how many seconds the payment keeps its reference; without it, for ever.", example: 1_200)
}

extension Form where Value == CustomerContact {
    /// Who pays.
    static let contact: Form = {
        let names = ["firstName", "lastName", "company", "email", "phone"]
        let text = Form<String>.text(1...128)
        var properties = JSONObject()
        for name in names { properties[name] = ["anyOf": [text.schema, ["type": "null"]]] }
        // What only some providers ask for, by the provider's own name.
        let further = Form<[String: String]>.metadata
        properties["additional"] = ["anyOf": [further.schema, ["type": "null"]]]
        return Form(["type": "object", "additionalProperties": false, "properties": .object(properties)]) {
            json throws(FormError) in
            guard let object = json.object else { throw FormError("A contact is an object.") }
            var values: [String: PersonalData] = [:]
            var contact = CustomerContact()
            for member in object.members {
                let below = "/" + Pointer.escaped(member.key)
                let isFurther = member.key == "additional"
                guard isFurther || names.contains(member.key) else {
                    throw FormError("There is no such member.", below: below)
                }
                if member.value.isNull { continue }
                if isFurther {
                    do throws(FormError) {
                        contact.additional = try further.read(member.value).mapValues { PersonalData($0) }
                    } catch { throw FormError(error.detail, below: below + error.below) }
                    continue
                }
                do throws(FormError) { values[member.key] = PersonalData(try text.read(member.value)) } catch {
                    throw FormError(error.detail, below: below)
                }
            }
            (contact.firstName, contact.lastName) = (values["firstName"], values["lastName"])
            (contact.company, contact.email, contact.phone) = (values["company"], values["email"], values["phone"])
            return contact
        }
    }()
}

/// What the members of a request about money are to each other, as schemas of its body.
enum MemberRules {
    /// A member that is there; one that is null is not.
    private static func isThere(_ name: String) -> JSON {
        var properties = JSONObject()
        properties[name] = ["not": ["type": "null"]]
        return ["required": [.string(name)], "properties": .object(properties)]
    }

    private static func source(_ words: String...) -> JSON {
        [
            "required": ["source"],
            "properties": ["source": ["enum": .array(words.map { .string($0) })]],
        ]
    }

    /// A member that is true.
    private static func isTrue(_ name: String) -> JSON {
        var properties = JSONObject()
        properties[name] = ["const": true]
        return ["required": [.string(name)], "properties": .object(properties)]
    }

    /// What goes with a source is there, and goes with no other one.
    static let source: JSON = [
        "allOf": [
            ["if": source("saved"), "then": isThere("saved")], ["if": isThere("saved"), "then": source("saved")],
            ["if": source("token", "wallet"), "then": isThere("token")],
            ["if": isThere("token"), "then": source("token", "wallet")],
            ["if": source("wallet"), "then": isThere("wallet")], ["if": isThere("wallet"), "then": source("wallet")],
            [
                "if": isThere("reader"),
                "then": ["properties": ["source": ["enum": ["reader", .null]]]],
            ],
        ]
    ]
    /// A reference, or true in place of one.
    static let reference: JSON = [
        "if": isThere("reference"), "then": ["not": isTrue("unreferenced")],
        "else": [
            "allOf": [isTrue("unreferenced"), ["not": isThere("part")], ["not": isThere("holdsFor")]]
        ],
    ]
    /// An amount, or all.
    static let amountOrAll: JSON = [
        "if": isThere("amount"), "then": ["not": isTrue("all")], "else": isTrue("all"),
    ]
    /// What was executed has a name, and alone has one; the provider's other payments are excluded of what was not; who
    /// acknowledges says what. An amount goes with what was executed, and with an amount that is acknowledged.
    static let decision: JSON = [
        "allOf": [
            ["if": decides("executed"), "then": isThere("providerName"), "else": ["not": isThere("providerName")]],
            ["if": decides("notExecuted"), "else": ["not": isThere("besides")]],
            ["if": decides("acknowledged"), "then": isThere("acknowledges"), "else": ["not": isThere("acknowledges")]],
            [
                "if": ["required": ["acknowledges"], "properties": ["acknowledges": ["const": "amount"]]],
                "then": isThere("amount"), "else": ["if": isThere("amount"), "then": decides("executed")],
            ],
        ]
    ]

    private static func decides(_ word: String) -> JSON {
        ["required": ["decision"], "properties": ["decision": ["const": .string(word)]]]
    }
}

extension OperationTable {
    private static let sale = Takes().needs(.amount).may(.tip).may(.source).may(.saleReader).may(.saved).may(.token)
        .may(.wallet).may(.reference)
        .may(.partOfReference).may(.unreferenced).may(.holdsFor).may(.customer).may(.contact).may(.displayText)
        .may(.routingLabel).may(.save).may(.acceptPartial)

    /// The operations that may move money.
    static let money: [Operation] = [
        .money("sale", "/v1/sales", "Charges an amount at once.", sale) { try SaleInput($0).work(.sale) }
            .ruled(MemberRules.source, MemberRules.reference),
        .money("authorize", "/v1/authorizations", "Authorizes an amount, to be captured later.", sale) {
            try SaleInput($0).work(.authorize)
        }.ruled(MemberRules.source, MemberRules.reference),
        .money(
            "capture", "/v1/payments/{payment}/captures", "Charges what was authorized, or a part of it.",
            Takes().needs(.payment).may(.part).may(.all).may(.purpose).may(.holder)
        ) { call in
            try await FollowUp(call).partial(.capture) {
                client, payment, amount, reference, attempt, limit throws(PaymentError) in
                try await client.capture(
                    payment, of: amount, reference: reference, account: call.input[.holder], attempt: attempt,
                    timeout: limit)
            }
        }.ruled(MemberRules.amountOrAll),
        .money(
            "adjust", "/v1/payments/{payment}/adjustments", "Changes the amount that is authorized.",
            Takes().needs(.payment).needs(.newTotal).may(.holder)
        ) { call in
            try await FollowUp(call).total(.adjust, .newTotal) {
                client, payment, amount, attempt, limit throws(PaymentError) in
                try await client.adjust(
                    payment, to: amount, account: call.input[.holder], attempt: attempt, timeout: limit)
            }
        },
        .money(
            "adjustTip", "/v1/payments/{payment}/tips", "Changes the tip of a payment that is not settled yet.",
            Takes().needs(.payment).needs(.newTip).may(.holder)
        ) { call in
            try await FollowUp(call).total(.tipAdjustment, .newTip) {
                client, payment, amount, attempt, limit throws(PaymentError) in
                try await client.adjustTip(
                    payment, to: amount, account: call.input[.holder], attempt: attempt, timeout: limit)
            }
        },
        .money(
            "void", "/v1/payments/{payment}/voids", "Cancels a payment that is not settled yet.",
            Takes().needs(.payment).may(.holder)
        ) { call in try await FollowUp(call).void() },
        .money(
            "refund", "/v1/payments/{payment}/refunds", "Gives a payment back, or a part of it.",
            Takes().needs(.payment).may(.part).may(.all).may(.purpose).may(.holder)
        ) { call in
            try await FollowUp(call).partial(.refund) {
                client, payment, amount, reference, attempt, limit throws(PaymentError) in
                try await client.refund(
                    payment, of: amount, reference: reference, account: call.input[.holder], attempt: attempt,
                    timeout: limit)
            }
        }.ruled(MemberRules.amountOrAll),
        .money(
            "refundUnlinked", "/v1/refunds", "Gives money without a payment at the provider.", by: .office,
            Takes().needs(.amount).may(.source).may(.saleReader).may(.saved).may(.token).may(.wallet).needs(.reference)
                .may(.relatedPayment)
                .may(.displayText)
        ) { call in try await SaleInput(call).unlinkedRefund() }
        .ruled(MemberRules.source),
    ]
}

extension Parameter where Value == AttemptID {
    static let relatedPayment = Parameter(
        "payment", .id, "The payment in this journal that it belongs to; it counts against what is left of that.",
        example: "0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a")
}

/// The input of an operation that starts a payment.
struct SaleInput: Sendable {
    private let call: ServiceCall
    private let attempt: AttemptID

    init(_ call: ServiceCall) throws(Problem) {
        guard let attempt = call.attempt else { throw Problem(.keyMissing, "Send an Idempotency-Key.") }
        (self.call, self.attempt) = (call, attempt)
    }

    private var limit: Duration { call.limit }

    private func source() throws(Problem) -> PaymentSource {
        let (kind, saved, token) = (call.input[.source] ?? .reader, call.input[.saved], call.input[.token])
        if saved != nil, kind != .saved { throw .wrong("/saved", "This goes with the source `saved`.") }
        if token != nil, kind != .token, kind != .wallet {
            throw .wrong("/token", "This goes with the source `token` or `wallet`.")
        }
        if call.input[.wallet] != nil, kind != .wallet {
            throw .wrong("/wallet", "This goes with the source `wallet`.")
        }
        if call.input[.saleReader] != nil, kind != .reader {
            throw .wrong("/reader", "This goes with the source `reader`.")
        }
        switch kind {
        case .wallet:
            let wallet = WalletToken.Wallet(rawValue: try call.input.need(.wallet))
            return .wallet(WalletToken(wallet, payload: try call.input.need(.token)))
        case .page: return .hostedPage
        case .saved:
            return .saved(SavedInstrument.ID(try call.input.need(.saved), among: call.client.all.map(\.id)))
        case .token: return .token(try call.input.need(.token))
        case .reader, .card, .external, .bank: return .reader
        }
    }

    private func order() throws(Problem) -> OrderReference {
        let (text, part, seconds) = (call.input[.reference], call.input[.partOfReference], call.input[.holdsFor])
        guard let text else {
            guard call.input[.unreferenced] == true else {
                throw .wrong("/reference", "It is missing. Name what is paid, such as the number of an order.")
            }
            guard call.key?.mayOmitReference == true else {
                throw Problem(.forbidden, "This key may not sell without a reference.")
            }
            if part != nil { throw .wrong("/part", "This goes with a reference.") }
            if seconds != nil { throw .wrong("/holdsFor", "This goes with a reference.") }
            return .unreferenced
        }
        if call.input[.unreferenced] == true {
            throw .wrong("/unreferenced", "Send `reference` or `unreferenced`, not both.")
        }
        return OrderReference(text, part: part ?? "", holdsFor: seconds.map { .seconds($0) })
    }

    /// A sale or an authorization.
    func work(_ operation: PaymentOperation) throws(Problem) -> MoneyWork {
        let amount = try call.input.need(.amount)
        var request = SaleRequest(amount, from: try source(), reference: try order())
        if let tip = call.input[.tip] {
            guard tip.currency == amount.currency, tip.minorUnits <= amount.minorUnits else {
                throw .wrong("/tip", "A tip is a part of the amount, in its currency.")
            }
            request.tip = tip
        }
        (request.customer, request.contact) = (call.input[.customer], call.input[.contact])
        (request.displayText, request.routingLabel) = (call.input[.displayText], call.input[.routingLabel])
        request.savesInstrument = call.input[.save] ?? false
        request.acceptsPartialApproval = call.input[.acceptPartial] ?? false
        let sold = request
        var intent = Attempt.Intent(
            attempt, operation, amount, reference: sold.order.text, part: sold.order.part,
            holdsFor: sold.order.holdsFor?.wholeMilliseconds, scope: call.shop.scope, digest: sold.content)
        (intent.tip, intent.source) = (sold.tip, sold.source.kind)
        let (asked, attempt, limit) = (intent, attempt, limit)
        let reader = self.reader(sold)
        return MoneyWork(
            intent: asked, isSame: { asked.isSame(as: $0) && asked.source == $0.source },
            compare: { client throws(PaymentError) in
                _ = try await client.mayBegin(operation, sold, attempt: attempt, timeout: limit)
            },
            perform: { client throws(PaymentError) in
                return operation == .authorize
                    ? try await client.authorize(sold, attempt: attempt, timeout: limit)
                    : try await client.sale(sold, attempt: attempt, timeout: limit)
            }, reader: reader, check: call.check(amount, at: reader), obstacle: obstacle(reader),
            staysAtReader: call.input[.saleReader] != nil || call.key?.readers != nil)
    }

    /// The reader of the provider that would take the payment; nil if no card is read.
    private func reader(_ request: SaleRequest) -> UsedReader? {
        guard request.source.kind == .reader, let id = try? call.client.route(for: request).first else { return nil }
        return UsedReader(of: id, call.client)
    }

    /// Why another reader than the one that is named would be used.
    private func obstacle(_ reader: UsedReader?) -> Problem? {
        guard let asked = call.input[.saleReader], asked != reader?.name else { return nil }
        let instead = reader.map { "its reader is \($0.name)" } ?? "it has no reader"
        return Problem(
            .conflict, "The provider that takes this does not read at \(asked): \(instead).", outcome: .notExecuted)
    }

    /// A refund without a payment at the provider.
    func unlinkedRefund() async throws(Problem) -> MoneyWork {
        let amount = try call.input.need(.amount)
        var request = UnlinkedRefundRequest(amount, to: try source(), reference: try call.input.need(.reference))
        request.displayText = call.input[.displayText]
        if let payment = call.input[.relatedPayment] {
            request.payment = try await call.subject(payment, of: attempt).id
        }
        let given = request
        var intent = Attempt.Intent(
            attempt, .unlinkedRefund, amount, reference: given.reference, payment: given.payment,
            scope: call.shop.scope, digest: given.content)
        intent.source = given.source.kind
        let (asked, attempt, limit) = (intent, attempt, limit)
        let taker = try? call.client.route(for: amount, from: given.source.kind).first
        let reader = given.source.kind == .reader ? taker.flatMap { UsedReader(of: $0, call.client) } : nil
        return MoneyWork(
            intent: asked, isSame: { asked.isSame(as: $0) && asked.source == $0.source },
            compare: { client throws(PaymentError) in
                _ = try await client.mayBegin(given, attempt: attempt, timeout: limit)
            },
            perform: { client throws(PaymentError) in
                try await client.refundUnlinked(given, attempt: attempt, timeout: limit)
            }, reader: reader, check: call.check(amount, returnsMoney: true, at: reader), obstacle: obstacle(reader),
            staysAtReader: call.input[.saleReader] != nil || call.key?.readers != nil)
    }
}

/// The input of an operation on a payment.
struct FollowUp: Sendable {
    typealias Partial =
        @Sendable (PaymentClient, PaymentID, Money?, String?, AttemptID, Duration) async throws(PaymentError) ->
        PaymentResult
    typealias Total =
        @Sendable (PaymentClient, PaymentID, Money, AttemptID, Duration) async throws(PaymentError) -> PaymentResult

    private let call: ServiceCall
    private let attempt: AttemptID
    private let payment: PaymentRecord

    init(_ call: ServiceCall) async throws(Problem) {
        guard let attempt = call.attempt else { throw Problem(.keyMissing, "Send an Idempotency-Key.") }
        (self.call, self.attempt) = (call, attempt)
        payment = try await call.subject(try call.input.need(.payment), of: attempt)
    }

    private var currency: Currency { payment.requested.currency }
    /// The account that the call names.
    private var holder: ProviderIdentity? { call.input[.holder].flatMap { payment.holder(named: $0) } }

    /// Refuses an amount in another currency than the payment's. A known id is compared with its record before that.
    private static func check(_ amount: Money?, of currency: Currency) throws(PaymentError) {
        guard let amount, amount.currency != currency else { return }
        throw PaymentError(
            .conflict, outcome: .notExecuted, detail: "The payment was taken in \(currency), not in \(amount.currency)."
        )
    }

    private func intent(_ operation: PaymentOperation, _ amount: Money, _ reference: String? = nil) -> Attempt.Intent {
        Attempt.Intent(
            attempt, operation, amount, reference: reference, payment: payment.id, scope: call.shop.scope)
    }

    /// A capture or a refund: of an amount, or of all that is left.
    func partial(_ operation: PaymentOperation, _ perform: @escaping Partial) throws(Problem) -> MoneyWork {
        let (amount, reference) = (call.input[.part], call.input[.purpose])
        let isAll = call.input[.all] == true
        guard (amount != nil) != isAll else {
            throw .wrong("/amount", "Send `amount`, or `\"all\": true` for all that is left.")
        }
        var intent = intent(operation, amount ?? .zero(currency), reference)
        intent.isForAll = isAll
        let (asked, id, attempt, limit, currency) = (intent, payment.id, attempt, call.limit, currency)
        return MoneyWork(
            intent: asked, isSame: { asked.isSame(as: $0) }, compare: nil,
            perform: { client throws(PaymentError) in
                try Self.check(amount, of: currency)
                return try await perform(client, id, amount, reference, attempt, limit)
            },
            // The client looks up what is open before it moves what is left.
            check: call.check(
                amount ?? payment.mostLeft(for: operation, at: holder), returnsMoney: operation == .refund))
    }

    /// An adjustment or a tip: a new total.
    func total(
        _ operation: PaymentOperation, _ parameter: Parameter<Money>, _ perform: @escaping Total
    ) throws(Problem) -> MoneyWork {
        let amount = try call.input.need(parameter)
        let (asked, id, attempt, limit) = (intent(operation, amount), payment.id, attempt, call.limit)
        let currency = currency
        // A lower tip returns the rest of it.
        let tip = operation == .tipAdjustment ? PaymentTotals(payment.attempts, currency: currency).tip : nil
        let back = amount.currency == currency ? tip?.less(amount) : nil
        return MoneyWork(
            intent: asked, isSame: { asked.isSame(as: $0) }, compare: nil,
            perform: { client throws(PaymentError) in
                try Self.check(amount, of: currency)
                return try await perform(client, id, amount, attempt, limit)
            }, check: back.flatMap { $0.isZero ? nil : call.check($0, returnsMoney: true) } ?? call.check(amount))
    }

    /// A void, whose amount follows from the payment. What was captured goes back to the customer, so that it counts as
    /// refunded.
    func void() throws(Problem) -> MoneyWork {
        let (asked, id, attempt, limit) = (intent(.void, .zero(currency)), payment.id, attempt, call.limit)
        let account = call.input[.holder]
        // What was approved offline can't be refunded yet, and a void returns it all the same.
        let (left, there) = (payment.mostLeft(for: .refund, at: holder), payment.sums(at: holder))
        let kept = there.captured.less(there.refunded)
        let back = left.minorUnits < kept.minorUnits ? kept : left
        return MoneyWork(
            intent: asked,
            isSame: { $0.operation == .void && $0.payment == asked.payment && $0.scope == asked.scope }, compare: nil,
            perform: { client throws(PaymentError) in
                try await client.void(id, account: account, attempt: attempt, timeout: limit)
            }, check: call.check(back, returnsMoney: true))
    }
}

extension ServiceCall {
    /// How long an attempt may take.
    fileprivate var limit: Duration { .seconds(limitSeconds) }

    /// The same in seconds.
    var limitSeconds: Int64 { input[.timeout] ?? 180 }
}
