internal import PaymentAbstraction
internal import PaymentBase

/// What the provider says about a payment: in a session, in the Gate's status and in callbacks.
struct EcommpayReport: Sendable {
    /// One operation of the payment.
    struct Operation: Sendable {
        let id: String
        var type: String
        let status: String
        let request: String?
        var refund: String?
        let code: String
        let message: String
        let amount: Money?
        let at: Int64?
        let createdAt: Int64?
        let authorization: String?

        /// Reads an operation; nil where that can't be done, as where it names an amount that no payment has.
        init?(_ json: JSON?) {
            guard let json, let id = EcommpayRefusal.text(json["id"]), let type = json["type"]?.string,
                let status = json["status"]?.string
            else { return nil }
            (self.id, self.type, self.status, request) = (id, type, status, json["request_id"]?.string)
            refund = json["merchant_refund_id"]?.string
            code = EcommpayRefusal.text(json["code"]) ?? ""
            message = json["message"]?.string ?? ""
            let sum = json["sum_initial"] ?? json["sum"]
            amount = EcommpayReport.money(sum)
            if EcommpayReport.isUnbelievable(sum) { return nil }
            at = json["date"]?.string.flatMap { Timestamp($0)?.milliseconds }
            createdAt = json["created_date"]?.string.flatMap { Timestamp($0)?.milliseconds }
            authorization = json["provider"]?["auth_code"]?.string
        }

        /// Whether it gives something back, or takes that back.
        var isRefund: Bool { ["refund", "reversal", "refund reverse"].contains(type) }
    }

    let project: String?
    let payment: String
    let status: String
    let sum: Money?
    let at: Int64?
    let method: String?
    var isCascading: Bool
    var operations: [Operation]
    /// Whether there is an operation or a sum that could not be read.
    let isTorn: Bool
    let account: JSON?
    let recurring: String?
    let token: Secret?
    let errors: [EcommpayRefusal]
    let question: EcommpayCustomerPrompt?

    init?(_ json: JSON?) {
        guard let json, let payment = json["payment"]?["id"]?.string ?? json["general"]?["payment_id"]?.string,
            let status = json["payment"]?["status"]?.string
        else { return nil }
        (self.payment, self.status) = (payment, status)
        project = EcommpayRefusal.text(json["project_id"]) ?? EcommpayRefusal.text(json["general"]?["project_id"])
        sum = Self.money(json["payment"]?["sum"])
        at = json["payment"]?["date"]?.string.flatMap { Timestamp($0)?.milliseconds }
        method = json["payment"]?["method"]?.string
        isCascading = json["payment"]?["cascading_with_redirect"]?.bool ?? false
        let listed = json["operations"]?.array ?? (json["operation"].map { [$0] } ?? [])
        operations = Self.named(listed.compactMap { Operation($0) }, json["payment"]?["merchant_refund_id"]?.string)
        isTorn = operations.count != listed.count || Self.isUnbelievable(json["payment"]?["sum"])
        (account, recurring) = (json["account"], EcommpayRefusal.text(json["recurring"]?["id"]))
        token = json["token"]?.string.map { Secret($0) }
        errors = (json["errors"]?.array ?? []).map { EcommpayRefusal($0) }
        question = EcommpayCustomerPrompt(json)
    }

    /// Whether nothing is known of the payment, or not yet.
    var isUnknownSoFar: Bool {
        operations.isEmpty && errors.contains { ["3061", "3062"].contains($0.code) }
    }

    /// Reads what the Gate says about one request: the state stands beside the payment.
    init?(request json: JSON?) {
        guard let json, let payment = json["payment"], let status = json["status"] else { return nil }
        self.init(json.adding("payment", payment.adding("status", payment["status"] ?? status)))
    }

    /// The payment names one refund: the only one in the list that has no name of its own.
    private static func named(_ operations: [Operation], _ refund: String?) -> [Operation] {
        let nameless = operations.indices.filter { operations[$0].isRefund && operations[$0].refund == nil }
        guard let refund, nameless.count == 1, let index = nameless.first,
            !operations.contains(where: { $0.refund == refund })
        else { return operations }
        var named = operations
        named[index].refund = refund
        return named
    }

    /// An amount in minor units; nil where there is none, or one that no payment has.
    static func money(_ json: JSON?) -> Money? {
        guard let units = json?["amount"]?.int64, let code = json?["currency"]?.string,
            let currency = Currency.known(code)
        else { return nil }
        return try? Money(minorUnits: units, currency).believable()
    }

    /// Whether there is a number in an amount's place that no payment has.
    static func isUnbelievable(_ json: JSON?) -> Bool {
        guard let number = json?["amount"]?.number else { return false }
        return number.int64.map { !(0...Money.believableMinorUnitsMax).contains($0) } ?? true
    }
}
