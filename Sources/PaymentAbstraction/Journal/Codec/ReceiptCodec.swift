internal import PaymentBase

/// A receipt as JSON and back.
enum ReceiptCodec {
    static func json(_ receipt: Receipt) -> JSONObject {
        var object = JSONObject()
        object["authorizationCode"] = receipt.authorizationCode.map { .string($0) }
        object["responseCode"] = receipt.responseCode.map { .string($0) }
        object["responseText"] = receipt.responseText.map { .string($0) }
        object["retrievalReference"] = receipt.retrievalReference.map { .string($0) }
        object["at"] = receipt.at.map { .number(JSONNumber($0)) }
        object["addressCheck"] = receipt.addressCheck.map { json($0) }
        object["verification"] = receipt.verification.map { .string($0) }
        if receipt.signatureRequired { object["signatureRequired"] = true }
        if !receipt.tags.isEmpty {
            object["tags"] = .array(receipt.tags.map { ["tag": .string($0.tag), "value": .string($0.value)] })
        }
        object["merchant"] = receipt.merchant.map { json($0) }
        object["breakdown"] = receipt.breakdown.map { json($0) }
        if !receipt.lines.isEmpty { object["lines"] = .array(receipt.lines.map { json($0) }) }
        return object
    }

    static func receipt(_ json: JSON) throws -> Receipt {
        var receipt = Receipt()
        receipt.authorizationCode = json["authorizationCode"]?.string
        receipt.responseCode = json["responseCode"]?.string
        receipt.responseText = json["responseText"]?.string
        receipt.retrievalReference = json["retrievalReference"]?.string
        receipt.at = json["at"]?.int64
        receipt.verification = json["verification"]?.string
        receipt.signatureRequired = json["signatureRequired"]?.bool ?? false
        receipt.add(
            (json["tags"]?.array ?? []).map { Receipt.EMVTag($0["tag"]?.string ?? "", $0["value"]?.string ?? "") })
        receipt.merchant = json["merchant"].map { merchant($0) }
        receipt.breakdown = try json["breakdown"].map { try breakdown($0) }
        receipt.lines = try (json["lines"]?.array ?? []).map { try line($0) }
        if let check = json["addressCheck"] {
            receipt.addressCheck = Receipt.AddressCheck(
                code: check["code"]?.string, action: check["action"]?.string, result: check["result"]?.string)
        }
        return receipt
    }

    private static func json(_ check: Receipt.AddressCheck) -> JSON {
        var object = JSONObject()
        object["code"] = check.code.map { .string($0) }
        object["action"] = check.action.map { .string($0) }
        object["result"] = check.result.map { .string($0) }
        return .object(object)
    }

    private static func json(_ merchant: Receipt.Merchant) -> JSON {
        var object = JSONObject()
        object["name"] = merchant.name.map { .string($0) }
        object["address"] = merchant.address.map { .string($0) }
        object["phone"] = merchant.phone.map { .string($0) }
        object["email"] = merchant.email.map { .string($0) }
        object["website"] = merchant.website.map { .string($0) }
        object["merchantID"] = merchant.merchantID.map { .string($0) }
        object["terminalID"] = merchant.terminalID.map { .string($0) }
        return .object(object)
    }

    private static func merchant(_ json: JSON) -> Receipt.Merchant {
        var merchant = Receipt.Merchant()
        (merchant.name, merchant.address) = (json["name"]?.string, json["address"]?.string)
        (merchant.phone, merchant.email) = (json["phone"]?.string, json["email"]?.string)
        merchant.website = json["website"]?.string
        (merchant.merchantID, merchant.terminalID) = (json["merchantID"]?.string, json["terminalID"]?.string)
        return merchant
    }

    private static func json(_ breakdown: AmountBreakdown) -> JSON {
        var object: JSONObject = [
            "base": MoneyCodec.json(breakdown.base), "total": MoneyCodec.json(breakdown.total),
        ]
        object["discount"] = breakdown.discount.map { MoneyCodec.json($0) }
        object["cashDiscount"] = breakdown.cashDiscount.map { MoneyCodec.json($0) }
        object["surcharge"] = breakdown.surcharge.map { MoneyCodec.json($0) }
        object["tip"] = breakdown.tip.map { MoneyCodec.json($0) }
        object["tax"] = breakdown.tax.map { MoneyCodec.json($0) }
        if !breakdown.rates.isEmpty { object["rates"] = VerdictCodec.json(breakdown.rates) }
        return .object(object)
    }

    private static func breakdown(_ json: JSON) throws -> AmountBreakdown {
        var breakdown = AmountBreakdown(
            base: try MoneyCodec.money(json["base"]), total: try MoneyCodec.money(json["total"]))
        breakdown.discount = try json["discount"].map { try MoneyCodec.money($0) }
        breakdown.cashDiscount = try json["cashDiscount"].map { try MoneyCodec.money($0) }
        breakdown.surcharge = try json["surcharge"].map { try MoneyCodec.money($0) }
        breakdown.tip = try json["tip"].map { try MoneyCodec.money($0) }
        breakdown.tax = try json["tax"].map { try MoneyCodec.money($0) }
        breakdown.rates = try VerdictCodec.references(json["rates"])
        return breakdown
    }

    private static func json(_ line: Receipt.Line) -> JSON {
        var object: JSONObject = ["copy": .string(line.copy.rawValue), "label": .string(line.label)]
        object["value"] = line.value.map { .string($0) }
        object["key"] = line.key.map { .string($0) }
        if line.isBold { object["bold"] = true }
        return .object(object)
    }

    private static func line(_ json: JSON) throws -> Receipt.Line {
        guard let copy = Receipt.Line.Copy(rawValue: json["copy"]?.string ?? "") else {
            throw EventCodec.DecodingError()
        }
        return Receipt.Line(
            copy, json["label"]?.string ?? "",
            value: json["value"]?.string, key: json["key"]?.string, isBold: json["bold"]?.bool ?? false)
    }
}
