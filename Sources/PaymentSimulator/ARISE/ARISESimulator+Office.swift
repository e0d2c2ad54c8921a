internal import PaymentBase
internal import PaymentTransport

extension ARISESimulator {
    private static let zeroCostNames: [ARISEAccount.ZeroCost: String] = [
        .noZeroCost: "None", .cashDiscount: "CashDiscount", .dualPricing: "DualPricing", .surcharge: "Surcharge",
    ]
    private static let tapNames: [Int64: String] = [
        0: "Inactive", 1: "Requested", 2: "Approved", 3: "Active", 4: "Denied",
    ]

    private static func number(_ text: String) -> JSON { (try? JSONNumber(text)).map { .number($0) } ?? .null }

    static func settings(_ state: State) -> JSON {
        let account = state.account
        var body: JSON = [
            "availableCurrencies": [["id": 1, "name": "USD"]],
            "availableCardTypes": [["id": 1, "name": "Visa"], ["id": 2, "name": "MasterCard"]],
            "availableTransactionTypes": [["id": 1, "name": "Authorization"], ["id": 2, "name": "Sale"]],
            "zeroCostProcessingOptionId": .number(JSONNumber(account.zeroCost.rawValue)),
            "zeroCostProcessingOption": .string(zeroCostNames[account.zeroCost] ?? ""),
            "defaultSurchargeRate": number(account.surchargeRate),
            "defaultCashDiscountRate": number(account.cashDiscountRate),
            "defaultDualPricingRate": number(account.dualPricingRate), "isTipsEnabled": true,
            "defaultTipsOptions": [15, 18, 20],
            "availablePaymentProcessors": [
                [
                    "id": .string(processor), "name": "TSYS", "isDefault": true, "typeId": 1, "type": "Card",
                    "settlementBatchTimeSlots": [
                        [
                            "hours": .number(JSONNumber(account.settlesAt.hours)),
                            "minutes": .number(JSONNumber(account.settlesAt.minutes)),
                            "timezoneName": .string(account.settlesAt.zone),
                        ]
                    ],
                ]
            ], "avs": ["isEnabled": true, "profileId": 2, "profile": "Moderate"],
            "isCustomerCardSavingByTerminalEnabled": false, "companyName": "Aurora Coffee", "currencyId": 1,
            "currencyIsoCode": "USD",
            "maxTransactionAmount": .number(JSONNumber(units: account.amountMax, places: 2)),
        ]
        if account.hasTapProfile {
            body = body.adding("mccCode", "5814").adding("mccCodeDescription", "Fast food")
                .adding("ttpIosTerminalProfileId", "profile-1")
        }
        return body
    }

    static func calculate(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(20, state) { return refusal }
        func number(_ name: String, _ places: Int) -> Int64?? {
            guard let text = call.query(name) else { return .some(nil) }
            let number = try? JSONNumber(text)
            let value = places == 4 ? ARISEPrice.askedRate(number) : number?.scaled(places: places)
            guard let value, value <= LedgerAmount.unitsMax else { return nil }
            return .some(value)
        }
        guard let amount = number("amount", 2) ?? nil, amount > 0, amount <= state.account.amountMax,
            let off = number("percentageOffRate", 4), let surcharge = number("surchargeRate", 4),
            let tip = number("tipAmount", 2), let tipRate = number("tipRate", 4), call.query("currencyId") == "1"
        else { return invalid("a value of the calculation can't be read") }
        let useCardPrice = call.query("useCardPrice").map { $0 == "true" }
        guard (useCardPrice != nil) == (state.account.zeroCost == .dualPricing) else {
            return invalid("'Use Card Price' is for dual pricing, and needed there")
        }
        var ask = ARISEPrice.Ask(amount: amount)
        (ask.offRate, ask.surchargeRate, ask.tip) = (off ?? 0, surcharge, tip)
        (ask.tipRate, ask.useCardPrice) = (tipRate ?? 0, useCardPrice)
        var body: JSON = [
            "currencyId": 1, "currency": "USD",
            "zeroCostProcessingOptionId": .number(JSONNumber(state.account.zeroCost.rawValue)),
            "zeroCostProcessingOption": .string(zeroCostNames[state.account.zeroCost] ?? ""),
        ]
        if let useCardPrice { body = body.adding("useCardPrice", .bool(useCardPrice)) }
        for tender in ARISEPrice.tenders {
            body = body.adding(tender, ARISEPrice(ask, tender, state.account).json)
        }
        return .json(body)
    }

    // MARK: Devices

    static func devices(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        .json(["devices": .array(state.devices.keys.sorted().map { report($0, state) })])
    }

    static func device(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard state.devices[call["id"]] != nil else { return notFound("there is no such device") }
        return .json(report(call["id"], state))
    }

    private static func report(_ id: String, _ state: State) -> JSON {
        let status = state.devices[id] ?? 0
        return [
            "deviceId": .string(id), "deviceName": .string(state.deviceNames[id] ?? "iPhone"),
            "lastLoginAt": .string(Timestamp(milliseconds: state.seenAt[id] ?? 0)?.text() ?? ""),
            "tapToPayStatus": .string(tapNames[status] ?? ""), "tapToPayStatusId": .number(JSONNumber(status)),
            "tapToPayEnabled": .bool(status == 3),
            "userProfiles": [
                ["id": "u-1", "firstName": "Ada", "lastName": "Till", "email": "ada@example.org"]
            ],
        ]
    }

    static func register(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let id = call.json?["deviceId"]?.string, !id.isEmpty else { return invalid("'Device Id' is needed") }
        if state.devices[id] == nil { state.devices[id] = 0 }
        state.deviceNames[id] = call.json?["deviceName"]?.string
        state.seenAt[id] = call.now
        return .json(["deviceId": .string(id)])
    }

    static func activate(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(33, state) { return refusal }
        guard state.devices[call["id"]] != nil else { return notFound("there is no such device") }
        state.devices[call["id"]] = 3
        return .empty(200)
    }

    static func readerToken(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(33, state) { return refusal }
        guard let id = call.json?["deviceId"]?.string, !id.isEmpty else { return invalid("'Device Id' is needed") }
        if state.account.trustsNewDevices, state.devices[id] == nil { state.devices[id] = 3 }
        guard state.devices[id] == 3 else {
            return .reply(refusal(403, "F0000", "ForbiddenException", "Tap to Pay is not active on this device"))
        }
        state.seenAt[id] = call.now
        return .json([
            "jwtToken": .string("reader-jwt-\(call.now)-secret"),
            "expiresAt": .string(Timestamp(milliseconds: call.now + readerTokenMilliseconds)?.text() ?? ""),
        ])
    }
}
