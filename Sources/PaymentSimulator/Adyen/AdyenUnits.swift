internal import PaymentBase

/// The provider's minor units, from its own list of currencies.
public enum AdyenUnits {
    private static let decimals: [String: Int] = [
        "CVE": 0, "DJF": 0, "GNF": 0, "IDR": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0, "VND": 0,
        "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
    ]

    /// How many decimals the provider gives to a currency.
    public static func decimals(_ currency: String) -> Int { decimals[currency] ?? 2 }

    /// Minor units of a decimal in major units; nil where they can't hold it, or no payment is so large.
    static func units(_ json: JSON?, _ currency: String) -> Int64? {
        json?.number?.scaled(places: decimals(currency)).flatMap { $0 <= LedgerAmount.unitsMax ? $0 : nil }
    }

    /// Minor units as the interface for servers has them; nil where they are no amount of a payment.
    static func value(_ amount: JSON?) -> Int64? {
        amount?["value"]?.int64.flatMap { (1...LedgerAmount.unitsMax).contains($0) ? $0 : nil }
    }

    /// A decimal in major units of minor units.
    static func decimal(_ units: Int64, _ currency: String) -> JSON {
        .number(JSONNumber(units: units, places: decimals(currency)))
    }
}
