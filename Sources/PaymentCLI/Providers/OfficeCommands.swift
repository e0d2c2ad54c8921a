internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentModel
internal import PaymentService

extension Command {
    /// What a provider has on record about the merchant.
    static let settings = Command(
        name: "settings", summary: "shows what the provider has on record about the merchant",
        example: "payctl settings --provider arise", takes: ofProvider
    ) { call in
        try await CommandSession.use(call) { till in
            guard let settings = try till.client.provider(till.active).settings else {
                throw till.hasNo("settings")
            }
            let (read, permissions) = (try await settings.read(), try await settings.permissions().sorted())
            call.say(
                read.json(permissions),
                read.named.map { "\($0.name.padded(to: 18)) \($0.value)" }
                    + ["\("permissions".padded(to: 18)) \(permissions.joined(separator: ", "))"])
            return .fine
        }
    }

    /// The merchant's devices.
    static let devices = Command(
        name: "devices", summary: "lists the merchant's devices as the provider knows them",
        example: "payctl devices --provider ni",
        takes: .configured(with: [
            .provider,
            .value("unbind", "TERMINAL", "takes a terminal's number off the device that has it"),
        ])
    ) { call in
        try await CommandSession.use(call) { till in
            guard let devices = try till.client.provider(till.active).devices else { throw till.hasNo("devices") }
            if let terminal = call.given["unbind"] { try await devices.unbind(terminal: terminal) }
            let list = try await devices.list()
            var table = TextTable(["device", "name", "terminal", "state", "last seen"])
            table.rows = list.map { device in
                [
                    device.id, device.name ?? "", device.terminalID ?? "", device.state ?? "",
                    device.lastSeen?.time ?? "",
                ]
            }
            call.say(["devices": .array(list.map(\.json))], table.lines)
            return .fine
        }
    }

    /// What is kept for a customer.
    static let saved = Command(
        name: "saved", summary: "lists the instruments that a provider keeps for a customer, or removes one",
        example: "payctl saved customer-7 --provider ecommpay",
        takes: .configured(
            "CUSTOMER",
            with: [
                .provider, .value("remove", "ID", "forgets this one"),
                .value("scope", "NAME", "the shop of `payctl serve` whose customer it is"),
            ])
    ) { call in
        let customer = try call.operand(0, "CUSTOMER")
        return try await CommandSession.use(call, scope: call.given["scope"] ?? "") { till in
            guard let saved = try till.client.provider(till.active).savedInstruments else {
                throw till.hasNo("saved instruments")
            }
            if let id = call.given["remove"] {
                try await saved.remove(.init(id, among: till.client.all.map(\.id)), of: customer)
            }
            let list = try await saved.list(of: customer)
            call.say(
                [
                    "saved": .array(
                        list.map { ["id": .string($0.id.text), "card": $0.card?.json ?? .null] })
                ],
                list.isEmpty
                    ? ["nothing is kept for \(Masking.cardNumbers(in: customer))"]
                    : list.map { "\($0.id.text)  \($0.card?.words ?? "")" })
            return .fine
        }
    }

    /// What an amount costs.
    static let quote = Command(
        name: "quote", summary: "says what an amount costs per tender, with tip, discount and surcharge",
        example: "payctl quote 100 USD --provider arise --tip-percent 15",
        takes: .configured(
            "AMOUNT", "CURRENCY",
            with: [
                .provider, .value("tip", "AMOUNT", "the tip"),
                .value("tip-percent", "PERCENT", "the tip, as a percentage"),
                .value("discount-percent", "PERCENT", "what is taken off"),
                .value("surcharge-percent", "PERCENT", "instead of the merchant's own surcharge"),
            ])
    ) { call in
        let amount = try call.money(at: 0)
        var request = QuoteRequest(amount)
        if let tip = call.given["tip"] { request.tip = try call.money(tip, amount.currency, orNothing: true) }
        (request.tipPercent, request.discountPercent) = (call.given["tip-percent"], call.given["discount-percent"])
        request.surchargePercent = call.given["surcharge-percent"]
        return try await CommandSession.use(call) { [request] till in
            guard let pricing = try till.client.provider(till.active).pricing else { throw till.hasNo("prices") }
            let quote = try await pricing.quote(request)
            let tenders = quote.tenders.sorted { $0.key.rawValue < $1.key.rawValue }
            var members = JSONObject()
            for (tender, breakdown) in tenders { members[tender.rawValue] = ReceiptView.json(breakdown) }
            call.say(
                ["provider": .string(quote.provider.rawValue), "tenders": .object(members)],
                tenders.flatMap { tender, breakdown in
                    [tender.rawValue] + breakdown.named.map { "  \($0.name.padded(to: 12)) \($0.amount)" }
                } + quote.notes)
            return .fine
        }
    }

    /// What commands take that ask a provider something.
    static let ofProvider = AcceptedArguments.configured(with: [.provider])
}

extension CommandSession {
    /// The error of something that the provider hasn't.
    func hasNo(_ what: String) -> PaymentError {
        PaymentError.notExecuted(.unsupported, "\(active) has no \(what); `payctl providers` shows who has")
    }
}

extension DeviceSummary {
    var json: JSON {
        [
            "id": .string(id), "name": .text(name), "terminal": .text(terminalID), "state": .text(state),
            "isEnabled": isEnabled.map { .bool($0) } ?? .null, "lastSeen": .text(lastSeen?.time),
        ]
    }
}

extension MerchantSettings {
    /// What people look for, by name; JSON has the rest.
    var named: [(name: String, value: String)] {
        let lists = [
            ("currencies", currencies), ("cards", cardTypes), ("transactions", transactionTypes),
            ("tips in percent", tipPercents), ("processors", processors),
        ]
        var named: [(name: String, value: String)] = [("company", company ?? ""), ("pricing", pricing ?? "")]
        named += lists.map { ($0.0, $0.1.joined(separator: ", ")) }
        named += [("address check", addressCheck ?? ""), ("at most", amountMax.map { "\($0)" } ?? "")]
        named += rates.sorted { $0.key < $1.key }.map { ("rate \($0.key)", "\($0.value) %") }
        return named.filter { !$0.value.isEmpty }
    }

    func json(_ permissions: [String]) -> JSON {
        func texts(_ list: [String]) -> JSON { .array(list.map { .string($0) }) }
        return [
            "company": .text(company), "currencies": texts(currencies), "cardTypes": texts(cardTypes),
            "transactionTypes": texts(transactionTypes), "pricing": .text(pricing), "rates": rates.json,
            "tipsEnabled": .bool(tipsEnabled), "tipPercents": texts(tipPercents), "processors": texts(processors),
            "addressCheck": .text(addressCheck), "amountMax": amountMax?.json ?? .null, "more": additional.json,
            "permissions": texts(permissions),
        ]
    }
}
