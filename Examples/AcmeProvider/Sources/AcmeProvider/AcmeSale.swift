import PaymentProviderKit

/// What Acme answers about a sale; everything but the result may be missing.
struct AcmeSale {
    let sale: String?
    let order: String?
    let minor: Int64?
    let currency: String?
    let result: String
    let why: String

    init?(_ body: JSON?) {
        guard let body, let result = body["result"]?.string else { return nil }
        self.result = result
        sale = body["sale"]?.string
        order = body["order"]?.string
        minor = body["minor"]?.int64
        currency = body["currency"]?.string
        why = body["why"]?.string ?? ""
    }
}
