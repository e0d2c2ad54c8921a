public import PaymentBase

extension Ledger {
    /// Every movement, as the control address shows them and as a state file keeps them.
    public var json: JSON {
        .array(
            movements.map { movement in
                let json: JSON = [
                    "number": .whole(movement.number), "at": .whole(movement.at),
                    "from": .string(movement.from.rawValue), "to": .string(movement.to.rawValue),
                    "minorUnits": .whole(movement.amount.minorUnits),
                    "currency": .string(movement.amount.currency), "payment": .string(movement.payment),
                    "attempt": .string(movement.attempt), "cause": .string(movement.cause),
                ]
                return movement.entry.isEmpty ? json : json.adding("entry", .string(movement.entry))
            })
    }

    /// What lies where, by account and currency.
    public var balancesJSON: JSON {
        var accounts = JSONObject()
        for account in Account.allCases {
            var sums = JSONObject()
            for (currency, sum) in balance(account).sorted(by: { $0.key < $1.key }) {
                sums[currency] = .whole(sum)
            }
            accounts[account.rawValue] = .object(sums)
        }
        return .object(accounts)
    }

    /// Makes a ledger of what ``json`` gave; nil when it is anything else.
    public init?(_ json: JSON) {
        guard let items = json.array else { return nil }
        self.init()
        for item in items {
            guard let from = item["from"]?.string.flatMap({ Account(rawValue: $0) }),
                let to = item["to"]?.string.flatMap({ Account(rawValue: $0) }), from != to,
                let units = item["minorUnits"]?.int64, units > 0, let currency = item["currency"]?.string,
                let payment = item["payment"]?.string, let attempt = item["attempt"]?.string,
                let cause = item["cause"]?.string, let instant = item["at"]?.int64
            else { return nil }
            move(
                LedgerAmount(units, currency), from: from, to: to, payment: payment, attempt: attempt, cause: cause,
                entry: item["entry"]?.string ?? "", at: instant)
        }
    }
}

extension Ledger: PersistedState {
    var kept: JSON { json }
    init?(kept json: JSON) { self.init(json) }
}
