internal import PaymentBase
internal import PaymentTransport

extension ARISESimulator {
    private static let statusNumbers: [String: Int64] = [
        "Authorized": 1, "Captured": 2, "Voided": 3, "Refunded": 4, "Verified": 5, "Settled": 6,
        "PartiallyAuthorized": 7, "Informational": 8, "Scheduled": 21, "Pending": 24, "Declined": 91, "Failed": 92,
    ]
    private static let typeNames: [Int64: String] = [
        1: "Authorization", 2: "Sale", 3: "Capture", 4: "Void", 5: "Refund", 7: "RefundWORef", 8: "TipAdjustment",
        11: "AchDebit", 12: "AchRefund", 16: "AchCredit",
    ]
    private static let sourceNames: [Int64: String] = [
        1: "Internet", 2: "Swipe", 3: "NFC", 4: "EMV", 5: "EMVContactless", 6: "FallbackSwipe", 7: "Manual",
    ]
    private static let brands: [String: Int64] = ["Visa": 1, "MasterCard": 2]

    private static func number(_ value: Int64) -> JSON { .number(JSONNumber(value)) }
    private static func cents(_ value: Int64) -> JSON { .number(JSONNumber(units: value, places: 2)) }
    private static func time(_ value: Int64) -> JSON { .string(Timestamp(milliseconds: value)?.text() ?? "") }

    /// What can be done with it now.
    private static func operations(_ found: ARISETransaction, _ state: State) -> JSON {
        func operation(_ type: Int64, _ amount: Int64, tips: [JSON] = []) -> JSON {
            [
                "typeId": number(type), "type": .string(typeNames[type] ?? ""), "availableAmount": cents(amount),
                "suggestedTips": .array(tips),
            ]
        }
        let total = found.price.total
        let tips: [JSON] = [15, 18, 20].map { percent in
            [
                "tipPercent": number(percent),
                "tipAmount": cents(ARISEPrice.share(found.price.base, percent * 10_000)),
            ]
        }
        switch found.status {
        case "Authorized": return [operation(3, found.authorized), operation(4, total)]
        case "Captured", "PartiallyAuthorized":
            if found.type == 1, found.status == "PartiallyAuthorized" {
                return [operation(3, found.authorized), operation(4, total)]
            }
            if found.isBank { return [operation(4, total)] }
            return [operation(4, total), operation(8, total, tips: tips)]
        case "Settled" where found.parent.isEmpty && found.type != 7 && found.type != 16:
            return found.remaining > 0 ? [operation(5, found.remaining)] : []
        default: return []
        }
    }

    /// Everything about one transaction, which is also its receipt.
    static func report(_ found: ARISETransaction, _ state: State) -> JSON {
        var body: JSONObject = [
            "transactionId": .string(found.id), "transactionDateTime": time(found.createdAt),
            "amount": found.price.receipt, "currencyId": 1, "currency": "USD", "processorId": .string(found.processor),
            "processor": "TSYS", "operationTypeId": number(found.type),
            "operationType": .string(typeNames[found.type] ?? ""), "transactionTypeId": number(found.type),
            "transactionType": .string(typeNames[found.type] ?? ""),
            "paymentMethodTypeId": found.isBank ? 2 : 1,
            "paymentMethodType": found.isBank ? "ElectronicCheck" : "Card", "customerPan": .string(found.pan),
            "cardTokenType": 1, "status": .string(found.status), "merchantName": "Aurora Coffee",
            "merchantAddress": "1 Main St", "merchantPhoneNumber": "555-0100",
            "merchantEmailAddress": "shop@example.org", "merchantWebsite": "https://shop.example",
            "authCode": .string("VTL\(found.id.suffix(3))"),
            "source": [
                "typeId": number(found.channel), "type": found.channel == 9 ? "TapToPay" : "ApiToken",
                "id": .string(found.creator), "name": "Till",
            ], "responseCode": .string(found.code),
            "responseDescription": .string(ARISECodes.messages[found.code] ?? "Approved"),
            "availableOperations": operations(found, state),
        ]
        if state.account.echoesReference, !found.reference.isEmpty {
            body["orderNumber"] = .string(found.reference)
        }
        if let status = statusNumbers[found.status] { body["statusId"] = number(status) }
        if !found.customer.isEmpty { body["customerId"] = .string(found.customer) }
        if found.isBank {
            body["achProcessingDetails"] = [
                "customerAccountNumber": .string(found.pan), "customerRoutingNumber": "011000015",
                "accountTypeId": 1, "accountType": "Checking", "accountHolderTypeId": 2,
                "accountHolderType": "Personal",
            ]
        } else {
            body["cardDataSourceId"] = number(found.dataSource)
            body["cardDataSource"] = .string(sourceNames[found.dataSource] ?? "")
            body["cardholderAuthenticationMethodId"] = 0
            body["cardholderAuthenticationMethod"] = "NotAuthenticated"
            body["cvmResultMsg"] = "NO CVM"
            body["cardProcessingDetails"] = [
                "authCode": .string("VTL\(found.id.suffix(3))"), "mid": "887000003193", "tid": "00012345",
                "cardCreditDebitTypeId": 1, "cardCreditDebitType": "Credit", "rrn": .string("r\(found.id.suffix(8))"),
                "cardTypeId": number(brands[found.brand] ?? 0), "cardType": .string(found.brand),
            ]
        }
        if found.dataSource == 5 || found.dataSource == 4 {
            body["emvTags"] = [
                "ac": "C1A0", "tvr": "0000008000", "tsi": "E800", "aid": "A0000000031010",
                "applicationLabel": "VISA CREDIT",
                "rawTags": [["key": "9F26", "value": "C1A0"], ["key": "5A", "value": .string(found.pan)]],
            ]
        }
        if !found.avs.isEmpty { body["avsResponse"] = avs(found.avs) }
        return .object(body)
    }

    private static func avs(_ code: String) -> JSON {
        [
            "actionId": 1, "action": "Allow", "responseCode": .string(code), "groupId": code == "Y" ? 5 : 1,
            "group": code == "Y" ? "ValidGroup" : "NoMatch", "resultId": code == "Y" ? 1 : 2,
            "result": code == "Y" ? "Passed" : "Failed", "codeDescription": code == "Y" ? "Address match" : "No match",
        ]
    }

    /// What is answered to a request about money.
    static func response(_ found: ARISETransaction, _ state: State, isCharge: Bool) -> JSON {
        let isRefused = found.status == "Declined" || found.status == "Failed"
        if found.isBank { return bankResponse(found, isCharge ? found.price.total : nil) }
        var body: JSONObject = [
            "transactionId": .string(found.id), "transactionDateTime": time(found.createdAt),
            "typeId": number(found.type), "type": .string(typeNames[found.type] ?? ""),
            "status": .string(found.status),
            "details": [
                "hostResponseCode": .string(found.code),
                "hostResponseMessage": .string(ARISECodes.messages[found.code] ?? "APPROVAL"),
                "hostResponseDefinition": .string(ARISECodes.messages[found.code] ?? "Approved"),
                "code": found.status == "Failed" ? "Error" : isRefused ? "Decline" : "Approve",
                "message": .string(ARISECodes.messages[found.code] ?? "Approved"),
                "processorResponseCode": isRefused ? .string(found.code) : "A0000",
                "authCode": .string("VTL\(found.id.suffix(3))"), "maskedPan": .string(found.pan),
            ], "transactionReceipt": report(found, state),
        ]
        if let status = statusNumbers[found.status] { body["statusId"] = number(status) }
        if isCharge {
            body["processedAmount"] = cents(isRefused ? 0 : found.price.total)
            if !found.avs.isEmpty { body["avsResponse"] = avs(found.avs) }
        }
        return .object(body)
    }

    /// What is answered to a request about a transfer: less than about a card.
    private static func bankResponse(_ found: ARISETransaction, _ processed: Int64?) -> JSON {
        let isRefused = found.status == "Declined" || found.status == "Failed"
        var body: JSONObject = [
            "transactionId": .string(found.id), "typeId": number(found.type),
            "type": .string(typeNames[found.type] ?? ""), "status": .string(found.status),
            "responseCode": .string(found.code),
            "responseDescription": .string(ARISECodes.messages[found.code] ?? "Approved"),
        ]
        if let status = statusNumbers[found.status] { body["statusId"] = number(status) }
        if let processed { body["processedAmount"] = cents(isRefused ? 0 : processed) }
        return .object(body)
    }

    /// What is answered to a tap.
    static func tapResult(_ found: ARISETransaction, _ state: State) -> JSON {
        let isDeclined = found.status == "Declined" || found.status == "Failed"
        let outcome = found.status == "Pending" ? "PENDING" : isDeclined ? "DECLINED" : "APPROVED"
        var body: JSONObject = [
            "transactionId": .string(found.id), "transactionOutcome": .string(outcome), "orderId": "",
            "authorizedAmount": .string(JSONNumber(units: found.price.total, places: 2).text),
            "authorizationCode": .string("VTL\(found.id.suffix(3))"),
            "authorisationResponseCode": .string(found.code), "authorizedDate": time(found.createdAt),
            "authorizedDateFormat": "ISO 8601", "cardBrandName": .string(found.brand),
            "maskedCardNumber": .string(found.last4), "applicationIdentifier": "A0000000031010",
            "applicationPreferredName": "VISA", "applicationCryptogram": "C1A0",
            "applicationTransactionCounter": "0042",
            "terminalVerificationResults": "0000008000", "issuerApplicationData": "0601",
            "applicationPANSequenceNumber": "01", "partnerDataMap": ["partner": "aurora"],
            "cvmTags": [["tag": "9F34", "value": "1F0302"]], "cvmAction": "NO_CVM",
        ]
        if state.account.echoesReference { body["externalReferenceID"] = .string(found.reference) }
        return .object(body)
    }

    static func details(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(19, state) { return refusal }
        guard let found = state.transactions[call["id"]] else { return notFound("there is no such transaction") }
        return .json(report(found, state))
    }

    static func list(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let refusal = forbidden(18, state) { return refusal }
        let size = call.query("pageSize").flatMap { Int($0) } ?? 20
        let page = call.query("page").flatMap { Int($0) } ?? 0
        guard (1...100).contains(size), (0...SimulatorRequest.placesMax).contains(page) else {
            return invalid("'Page Size' must be between 1 and 100.")
        }
        let (order, isAscending) = (call.query("orderBy") ?? "date", call.query("asc") == "true")
        guard let key = key(order) else { return invalid("'Order By' is not known") }
        var names: [String] = []
        if let batch = call.query("batchId") { names.append("batch \(batch)") }
        if let creator = call.query("createdById") { names.append("creator \(creator)") }
        if let channel = call.query("createMethodId") { names.append("channel \(channel)") }
        // One filter by time is a page of an index; anything else is looked through.
        if order.lowercased() == "date", names.count < 2, call.query("noBatch") != "true" {
            let items = state.transactions.page(page * size, size, named: names.first, oldestFirst: isAscending)
            let total = state.transactions.count(named: names.first)
            return .json(["items": .array(items.map { item($0, state) }), "total": .whole(total)])
        }
        var found = names.first.map { state.transactions.named($0) } ?? Array(state.transactions.oldestFirst)
        found.removeAll { !Set(names).isSubset(of: $0.otherNames) }
        if call.query("noBatch") == "true" { found.removeAll { !$0.batch.isEmpty } }
        let indexed = found.enumerated().sorted { one, two in
            let (left, right) = (key(one.element), key(two.element))
            return left == right ? one.offset < two.offset : left < right
        }
        found = indexed.map(\.element)
        if !isAscending { found.reverse() }
        let items = found.dropFirst(page * size).prefix(size).map { item($0, state) }
        return .json(["items": .array(Array(items)), "total": number(Int64(found.count))])
    }

    /// What a list is sorted by.
    private static func key(_ name: String) -> ((ARISETransaction) -> String)? {
        func padded(_ value: Int64) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
        }
        switch name.lowercased() {
        case "date": return { padded($0.createdAt) }
        case "totalamount": return { padded($0.price.total) }
        case "status": return { $0.status }
        case "customerpan": return { $0.pan }
        case "id": return { $0.id }
        case "paymentmethodtype": return { $0.isBank ? "2" : "1" }
        case "cardtokentype", "operationmode", "customername", "customercompany", "merchant": return { _ in "" }
        default: return nil
        }
    }

    private static func item(_ found: ARISETransaction, _ state: State) -> JSON {
        var body: JSONObject = [
            "id": .string(found.id), "paymentProcessorId": .string(found.processor), "date": time(found.createdAt),
            "baseAmount": cents(found.price.base), "totalAmount": cents(found.price.total),
            "surchargeAmount": cents(found.price.surcharge),
            "surchargePercentage": .number(JSONNumber(units: found.price.surchargeRate, places: 4)),
            "currencyCode": "USD", "currencyId": 1, "merchant": "Aurora Coffee", "merchantId": "m-1",
            "operationMode": "Live", "paymentMethodTypeId": found.isBank ? 2 : 1,
            "paymentMethodType": found.isBank ? "ElectronicCheck" : "Card", "customerPan": .string(found.pan),
            "cardTokenType": 1, "status": .string(found.status), "typeId": number(found.type),
            "type": .string(typeNames[found.type] ?? ""),
            "source": [
                "typeId": number(found.channel), "type": found.channel == 9 ? "TapToPay" : "ApiToken",
                "id": .string(found.creator), "name": "Till",
            ], "availableOperations": operations(found, state), "amount": found.price.json,
        ]
        if let status = statusNumbers[found.status] { body["statusId"] = number(status) }
        if !found.batch.isEmpty { body["batchId"] = .string(found.batch) }
        return .object(body)
    }
}

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
