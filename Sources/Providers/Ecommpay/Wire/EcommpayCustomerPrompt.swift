internal import PaymentAbstraction
internal import PaymentBase

/// What a payment waits for.
enum EcommpayCustomerPrompt: Sendable {
    case customer([RequestedField])
    /// Each field with the group that it belongs to.
    case clarification([(group: String, field: RequestedField)])
    case method(address: String, fields: [String: String])
    case challenge(address: String, fields: [String: String], returnAddress: String?)
    case legacy(address: String, fields: [String: String], returnAddress: String?)
    case step(EcommpayCustomerStep.Step)

    init?(_ json: JSON) {
        if let fields = json["customer_fields"]?.array, !fields.isEmpty {
            self = .customer(fields.compactMap(Self.field))
        } else if let groups = json["clarification_fields"]?.object?.members, !groups.isEmpty {
            self = .clarification(
                groups.flatMap { group in
                    (group.value.array ?? []).compactMap { Self.field($0) }.map { (group.key, $0) }
                })
        } else if let page = json["threeds2"]?["iframe"], let address = page["url"]?.string {
            self = .method(address: address, fields: Self.texts(page["params"]))
        } else if let page = json["threeds2"]?["redirect"], let address = page["url"]?.string {
            self = .challenge(
                address: address, fields: Self.texts(page["params"]), returnAddress: page["return_url"]?.string)
        } else if let page = json["acs"], let address = page["acs_url"]?.string {
            var fields = ["PaReq": page["pa_req"]?.string, "MD": page["md"]?.string]
            fields["TermUrl"] = page["term_url"]?.string
            self = .legacy(
                address: address, fields: fields.compactMapValues { $0 }, returnAddress: page["term_url"]?.string)
        } else if let page = json["return_url"] ?? json["redirectData"], let address = page["url"]?.string,
            json["payment"]?["status"]?.string == "awaiting redirect result"
        {
            let method = page["method"]?.string ?? "GET"
            self = .step(.page(method: method, address: address, fields: Self.texts(page["body"])))
        } else if let shown = json["display_data"]?.array, !shown.isEmpty,
            json["payment"]?["status"]?.string == "awaiting customer action"
        {
            self = .step(.codes(shown.compactMap(Self.code)))
        } else {
            return nil
        }
    }

    /// What is to be done elsewhere; nothing is told to the provider of it.
    var step: EcommpayCustomerStep.Step? {
        if case .step(let step) = self { return step }
        return nil
    }

    private static func code(_ json: JSON) -> EcommpayCustomerStep.Code? {
        guard let kind = json["type"]?.string, let data = json["data"]?.string else { return nil }
        return EcommpayCustomerStep.Code(kind: kind, title: json["title"]?.string, data: data)
    }

    /// A field, given by its name alone or with everything that a form needs.
    static func field(_ json: JSON) -> RequestedField? {
        guard let name = json.string ?? json["name"]?.string else { return nil }
        var field = RequestedField(name)
        (field.label, field.hint) = (json["label"]?.string, json["hint"]?.string)
        field.isRequired = json["is_required"]?.bool ?? true
        (field.type, field.pattern) = (json["type"]?.string, json["validator"]?.string)
        field.options = (json["options"]?.array ?? []).compactMap { $0["value"]?.string }
        return field
    }

    private static func texts(_ json: JSON?) -> [String: String] {
        Dictionary((json?.object?.members ?? []).compactMap { member in member.value.string.map { (member.key, $0) } })
        {
            first, _ in first
        }
    }
}
