internal import PaymentAbstraction

/// What was or can be done, by ARISE's number; an open set.
struct ARISEOperation: RawRepresentable, Hashable, Sendable {
    let rawValue: Int64

    static let authorization = Self(rawValue: 1)
    static let sale = Self(rawValue: 2)
    static let capture = Self(rawValue: 3)
    static let void = Self(rawValue: 4)
    static let refund = Self(rawValue: 5)
    static let unlinkedRefund = Self(rawValue: 7)
    static let tipAdjustment = Self(rawValue: 8)
    static let bankDebit = Self(rawValue: 11)
    static let bankRefund = Self(rawValue: 12)
    static let bankCredit = Self(rawValue: 16)

    /// Every number of the wire with its name.
    static let names: [Int64: String] = [
        1: "Authorization", 2: "Sale", 3: "Capture", 4: "Void", 5: "Refund", 6: "CardAuthentication",
        7: "RefundWORef", 8: "TipAdjustment", 10: "Settle", 11: "AchDebit", 12: "AchRefund", 13: "AchHold",
        14: "AchUnHold", 15: "AchCancel", 16: "AchCredit",
    ]

    /// What it is here, where we have it.
    var neutral: PaymentOperation? {
        switch self {
        case .authorization: .authorize
        case .sale, .bankDebit: .sale
        case .capture: .capture
        case .void: .void
        case .refund, .bankRefund: .refund
        case .unlinkedRefund, .bankCredit: .unlinkedRefund
        case .tipAdjustment: .tipAdjustment
        default: nil
        }
    }
}
