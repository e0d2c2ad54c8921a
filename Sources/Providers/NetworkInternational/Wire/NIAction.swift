internal import PaymentBase

/// What the provider answers to a refund (`refundId`) or a void (`voidId`).
struct NIAction {
    let name: String?
    let status: String

    init?(_ json: JSON?, name: String) {
        guard let status = json?["status"]?.string else { return nil }
        (self.status, self.name) = (status, json?[name]?.string)
    }
}
