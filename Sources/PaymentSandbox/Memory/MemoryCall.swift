internal import PaymentBase
internal import PaymentTransport

/// One request to the memory company, taken apart.
struct MemoryCall {
    let method: String
    let path: [String]
    let query: [String: String]
    let body: JSON?
    let token: String?

    init?(_ request: HTTPRequest) {
        method = request.method
        let parts = request.target.split(separator: "?", maxSplits: 1)
        path = (parts.first ?? "").split(separator: "/").map(String.init)
        let fields = parts.count > 1 ? FormEncoding.decode(String(parts[1])) : []
        guard let fields else { return nil }
        query = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        if request.body.isEmpty {
            body = nil
        } else {
            guard let read = try? JSONReader().read(request.body) else { return nil }
            body = read
        }
        let header = request.headers["Authorization"] ?? ""
        token = header.hasPrefix("Bearer ") ? String(header.dropFirst(7)) : nil
    }

    var amount: LedgerAmount? {
        guard let units = body?["amount"]?["minorUnits"]?.int64, let currency = body?["amount"]?["currency"]?.string,
            units >= 0
        else { return nil }
        return LedgerAmount(units, currency)
    }

    var attempt: String { body?["attempt"]?.string ?? "" }
}
