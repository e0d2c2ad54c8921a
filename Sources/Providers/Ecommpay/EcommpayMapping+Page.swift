internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

// The link to the provider's Payment Page: parameters in a query, signed as a whole.

extension EcommpayMapping {
    /// The parameters of a page; texts and numbers alone, since a truth is signed otherwise than it is written.
    static func page(
        _ operation: PaymentOperation, _ order: Order, _ attempt: AttemptID, until: Int64,
        _ configuration: EcommpayConfiguration
    ) throws(PaymentError) -> JSONObject {
        if order.extras.risk != nil {
            throw PaymentError.notExecuted(.unsupported, "a Payment Page has no place for risk data")
        }
        guard let end = Timestamp(milliseconds: until)?.text(.colonOffset) else {
            throw refused("the clock is beyond every calendar")
        }
        var body: JSONObject = [
            "project_id": number(configuration.project), "payment_id": .string(attempt.text),
            "payment_amount": number(order.amount.minorUnits),
            "payment_currency": .string(order.amount.currency.code), "mode": "purchase",
            "operation_type": .string(operation == .authorize ? "auth" : "sale"), "best_before": .string(end),
        ]
        body["payment_description"] = order.text.map(JSON.string)
        body["customer_id"] = order.customer.map(JSON.string)
        body["region_code"] = configuration.region.map(JSON.string)
        body["language_code"] = order.language.map { .string(String($0.prefix(2))) }
        body["force_payment_method"] = (order.extras.forcedMethod ?? configuration.forcedMethod).map(JSON.string)
        if order.extras.hidesSaved ?? configuration.hidesSaved { body["hide_saved_wallets"] = 1 }
        for (name, value) in people(order) { body[name] = value.map(JSON.string) }
        if let recurring = try recurring(order) {
            body["recurring"] = .string(String(decoding: recurring.bytes(), as: UTF8.self))
        }
        if let address = configuration.returnAddress {
            for name in ["merchant_success_url", "merchant_fail_url", "merchant_return_url"] {
                body[name] = .string(address)
            }
        }
        return body
    }

    private static func people(_ order: Order) -> [(String, String?)] {
        let (contact, billing) = (order.contact, order.billing)
        let more = (contact?.additional ?? [:]).filter { $0.key != "ip_address" }.sorted { $0.key < $1.key }
        return [
            ("customer_first_name", contact?.firstName?.value), ("customer_last_name", contact?.lastName?.value),
            ("customer_email", contact?.email?.value),
            ("customer_phone", contact?.phone?.value.filter { $0.isASCII && $0.isNumber }),
            ("billing_country", billing?.country), ("billing_region", billing?.region?.value),
            ("billing_city", billing?.city?.value), ("billing_address", billing?.line1?.value),
            ("billing_postal", billing?.postalCode?.value),
        ] + more.map { ("customer_\($0.key)", $0.value.value) }
    }

    /// The query of signed parameters, in their order, the signature last.
    static func query(_ signed: JSON) throws(PaymentError) -> String {
        var fields: [FormField] = []
        for member in signed.object?.members ?? [] {
            switch member.value {
            case .string(let text): fields.append(FormField(member.key, text))
            case .number(let number): fields.append(FormField(member.key, number.text))
            case .null, .bool, .array, .object:
                throw PaymentError.notExecuted(
                    .mismatch, "the signer added \(member.key), which can't stand in a link as it was signed")
            }
        }
        return FormEncoding.encode(fields)
    }
}
