internal import PaymentAbstraction
internal import PaymentBase

extension Command {
    /// Charges at once.
    static let sale = Command(
        name: "sale", summary: "charges an amount at once",
        example: "payctl sale 12.50 EUR --card visa --reference order-1", takes: SaleOptions.accepted
    ) { call in try await SaleOptions(call).run(.sale) }

    /// Holds an amount.
    static let authorize = Command(
        name: "authorize", summary: "holds an amount, to be captured later",
        example: "payctl authorize 300 EUR --reference room-7", takes: SaleOptions.accepted
    ) { call in try await SaleOptions(call).run(.authorize) }
}

/// A sale or an authorisation from the command line.
struct SaleOptions {
    static let accepted = AcceptedArguments.configured(
        "AMOUNT", "CURRENCY",
        with: [.provider] + SourceOptions.accepted + [
            .reference, .part, .holdsFor, .unreferenced, .attempt, .within,
            .value("tip", "AMOUNT", "how much of the amount is a tip"),
            .value("customer", "ID", "the customer's name at the merchant"),
            .value("email", "ADDRESS", "the customer's e-mail address"),
            .value("phone", "NUMBER", "the customer's telephone number"),
            .flag("save", "asks the provider to keep the card for the customer"),
            .value("text", "TEXT", "what the customer reads"),
            .value("label", "WORD", "a word for the routing rules"),
            .flag("partial", "takes an approval of less than asked for"),
            .flag("dry-run", "nothing real happens, where the provider has that"),
        ])

    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run(_ operation: PaymentOperation) async throws -> ExitStatus {
        let amount = try call.money(at: 0)
        let (named, order) = (try call.attempt(), try call.order())
        _ = try call.within()
        return try await CommandSession.use(call) { till in
            let attempt = try await till.client.orNew(named)
            _ = try await till.takeNews()
            let request = try await request(amount, operation, order, till)
            // A customer is asked for a card only if the journal lets it begin.
            if request.source.kind == .reader,
                try await till.client.mayBegin(operation, request, attempt: attempt, timeout: try call.left())
            {
                try await prepare(till, request)
            }
            let result =
                operation == .sale
                ? try await till.client.sale(request, attempt: attempt, timeout: try call.left())
                : try await till.client.authorize(request, attempt: attempt, timeout: try call.left())
            return try await till.tell(result, attempt)
        }
    }

    private func taker(_ request: SaleRequest, _ till: CommandSession) throws -> ProviderID {
        try till.client.route(for: request).first ?? till.active
    }

    private func request(
        _ amount: Money, _ operation: PaymentOperation, _ order: OrderReference, _ till: CommandSession
    ) async throws -> SaleRequest {
        let label = call.given["label"]
        let options = SourceOptions(call, till)
        let first = try till.taker(of: amount, from: .reader, label: label)
        let capabilities = try till.client.provider(first).capabilities
        let possible = operation == .sale ? capabilities.sources : capabilities.authorizationSources
        // Where there is no such operation, the client says what there is instead.
        let kind = possible.isEmpty ? .reader : try options.kind(possible, first)
        let source =
            possible.isEmpty
            ? .reader : try await options.source(kind, try till.taker(of: amount, from: kind, label: label))
        var request = SaleRequest(amount, from: source, reference: order)
        if let tip = call.given["tip"] { request.tip = try call.money(tip, amount.currency, orNothing: true) }
        (request.customer, request.displayText, request.routingLabel) = (
            call.given["customer"], call.given["text"], label
        )
        (request.savesInstrument, request.acceptsPartialApproval) = (call.given.has("save"), call.given.has("partial"))
        request.isDryRun = call.given.has("dry-run")
        request.contact = call.contact
        return request
    }

    /// Gets the reader ready, as an application does before its first customer comes.
    private func prepare(_ till: CommandSession, _ request: SaleRequest) async throws {
        let id = try taker(request, till)
        let view = try till.client.provider(id)
        // What will be refused anyway shall not keep a customer waiting for the reader.
        guard view.capabilityTable[call.words.first ?? ""],
            view.capabilities.currencies?.contains(request.amount.currency) ?? true
        else { return }
        if let reader = view.reader, !reader.isReady {
            call.note("preparing the reader of \(id) …")
            try await reader.prepare()
        }
        SourceOptions(call, till).tellTerminal(id)
    }
}

extension Invocation {
    /// The customer, as far as `--email` and `--phone` say.
    var contact: CustomerContact? {
        guard given["email"] != nil || given["phone"] != nil else { return nil }
        var contact = CustomerContact()
        (contact.email, contact.phone) = (
            given["email"].map { PersonalData($0) }, given["phone"].map { PersonalData($0) }
        )
        return contact
    }
}
