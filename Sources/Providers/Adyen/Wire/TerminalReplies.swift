internal import PaymentProviderKit

/// What a terminal says about a payment, a refund or a reversal; everything but the result may be missing.
struct PaymentReply: Sendable {
    let response: NexoResponse
    /// Our own name, echoed.
    let saleTransactionID: String?
    /// The whole name of the payment.
    let poiTransactionID: String?
    let poiTimestamp: String?
    /// The name by which the back office knows it: what is after the dot; nil for one that never got there.
    let pspReference: String?
    /// In major units, as it was written.
    let authorizedAmount: JSONNumber?
    let tipAmount: JSONNumber?
    let currency: String?
    let isOnline: Bool?
    let card: JSON?
    let authentication: [String]
    let acquirer: JSON?
    let receipts: [JSON]
    let hasSignature: Bool

    /// Reads the body of a reply; nil when it does not say how it ended.
    init?(_ body: JSON) {
        guard let response = NexoResponse(body.member("Response")) else { return nil }
        self.response = response
        saleTransactionID = body.member("SaleData", "SaleTransactionID", "TransactionID")?.text
        let name = body.member("POIData", "POITransactionID")
        (poiTransactionID, poiTimestamp) = (name?.member("TransactionID")?.text, name?.member("TimeStamp")?.text)
        pspReference = Self.reference(in: poiTransactionID)
        let result = body.member("PaymentResult")
        let amounts = result?.member("AmountsResp")
        authorizedAmount = Self.number(amounts?.member("AuthorizedAmount"))
        tipAmount = Self.number(amounts?.member("TipAmount"))
        currency = amounts?.member("Currency")?.text
        isOnline = result?.member("OnlineFlag")?.truth
        card = result?.member("PaymentInstrumentData", "CardData")
        authentication = (result?.member("AuthenticationMethod")?.items ?? []).compactMap(\.text)
        acquirer = result?.member("PaymentAcquirerData")
        receipts = body.member("PaymentReceipt")?.items ?? []
        hasSignature = result?.member("CapturedSignature") != nil
    }

    private static func reference(in name: String?) -> String? {
        guard let name, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let reference = String(name[name.utf8.index(after: dot)...])
        return reference.isEmpty ? nil : reference
    }

    private static func number(_ json: JSON?) -> JSONNumber? {
        switch json {
        case .number(let number): number
        case .string(let text): try? JSONNumber(text)
        case .null, .bool, .array, .object, nil: nil
        }
    }
}

/// What the payment service adds to a reply: pairs, either in the form of an address or as Base64 of JSON.
struct AdditionalResponse: Sendable {
    /// Every pair in its order; a name may come more than once.
    let pairs: [FormField]

    /// Reads whatever is there.
    init(_ json: JSON?) {
        switch json {
        case .string(let text): pairs = Self.pairs(text)
        case .object: pairs = Self.pairs(json)
        case .null, .bool, .number, .array, nil: pairs = []
        }
    }

    /// Reads either form.
    init(_ text: String) { pairs = Self.pairs(text) }

    private static func pairs(_ text: String) -> [FormField] {
        // What has the mark in it that is between two pairs is no Base64.
        if !text.utf8.contains(UInt8(ascii: "&")), let json = packed(text) { return pairs(json) }
        return FormEncoding.decode(text, badEscapes: .keep) ?? []
    }

    /// The JSON that a text is, as Base64 in however many lines; nil where it is none.
    private static func packed(_ text: String) -> JSON? {
        guard let bytes = base64.decode(text.utf8.filter { $0 != 32 && !(9...13).contains($0) }),
            let first = bytes.first(where: { $0 > 32 }), first == 0x7B
        else { return nil }
        return try? JSONReader().read(bytes)
    }

    private static let base64 = Base64(alphabet: .standard, padding: .optional)

    /// The last value under a name.
    subscript(name: String) -> String? {
        let count = name.utf8.count
        return pairs.last { $0.name.utf8.count == count && $0.name == name }?.value
    }

    /// The texts in a JSON, those of `additionalData` beside the others.
    private static func pairs(_ json: JSON?) -> [FormField] {
        (json?.object?.members ?? []).flatMap { member in
            if member.key == "additionalData" { return pairs(member.value) }
            return member.value.text.map { [FormField(member.key, $0)] } ?? []
        }
    }
}

extension JSON {
    /// A text, also where the sender wrote a number or a truth value.
    var text: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.decimalText
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// A truth value, also where the sender wrote it as a text.
    var truth: Bool? {
        switch text?.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// A whole number, also where the sender wrote it as a text.
    var whole: Int64? {
        switch self {
        case .number(let number): number.int64
        case .string(let text): (try? JSONNumber(text))?.int64
        case .null, .bool, .array, .object: nil
        }
    }

    /// A list, also where the sender left the brackets out around its only item.
    var items: [JSON] {
        switch self {
        case .array(let items): items
        case .null: []
        case .bool, .number, .string, .object: [self]
        }
    }

    /// A member, also where the sender wrote its name in another case.
    func member(_ name: String) -> JSON? {
        guard let object else { return nil }
        if let exact = object[name] { return exact.isNull ? nil : exact }
        let plain = name.lowercased()
        let found = object.members.first { $0.key.lowercased() == plain }?.value
        return found.flatMap { $0.isNull ? nil : $0 }
    }

    /// A member of a member, and so on.
    func member(_ names: String...) -> JSON? {
        names.reduce(self as JSON?) { json, name in json?.member(name) }
    }
}

extension JSONObject {
    /// Adds a member, unless there is nothing to add.
    mutating func add(_ name: String, _ value: JSON?) {
        if let value { self[name] = value }
    }

    /// Adds a text, unless there is none.
    mutating func add(_ name: String, _ text: String?) { add(name, text.map { JSON.string($0) }) }
}
