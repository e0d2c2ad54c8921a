/// Where ARISE has what.
enum ARISEPath {
    static let token = "/oauth2/token"
    static let transactions = "/pay-api/v1/transactions"
    static let authorize = transactions + "/auth"
    static let sale = transactions + "/sale"
    static let capture = transactions + "/capture"
    static let void = transactions + "/void"
    static let refund = transactions + "/return"
    static let unlinkedRefund = transactions + "/return/no-reference"
    static let tipAdjustment = transactions + "/tip-adjustment"
    static let calculate = transactions + "/calculate-amount"
    /// Ours: the public API has no path that takes a tap.
    static let tap = transactions + "/tap-to-pay"
    static let bankDebit = transactions + "/ach/payment"
    static let bankCredit = transactions + "/ach/payment/credit"
    static let settings = "/pay-api/v1/configurations/payments"
    static let permissions = "/api/available-api-permissions"
    static let devices = "/pay-api/v1/devices"
    static let readerToken = devices + "/tap-to-pay/jwt"

    static func transaction(_ segment: String) -> String { transactions + "/" + segment }
    static func bank(_ segment: String, _ verb: String) -> String { transactions + "/ach/" + segment + "/" + verb }
    static func device(_ segment: String) -> String { devices + "/" + segment }
    static func activation(_ segment: String) -> String { device(segment) + "/tap-to-pay/activate" }
}
