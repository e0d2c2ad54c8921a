internal import PaymentAbstraction

/// Why the provider or those behind it refuse, in neutral words.
enum EcommpayDeclineCodes {
    /// The reason behind a result code; one that is not listed is `unmapped`.
    static func reason(_ code: String) -> Decline.Reason { byCode[code] ?? .unmapped }

    private static let groups: [(Decline.Reason, [String])] = [
        (.doNotHonor, ["100", "10000", "10100", "10201", "20000", "20100", "3026"]),
        (.insufficientFunds, ["10105", "10112", "10113", "20105"]),
        (.expiredCard, ["10106", "3021", "3029", "3434", "3435"]),
        (.incorrectSecurityCode, ["10103"]),
        (.invalidCard, ["10102", "10812", "3436", "3437", "20102"]),
        (.pickUpCard, ["10203"]),
        (.pinTriesExceeded, ["10107"]),
        (.addressMismatch, ["109"]),
        (.limitExceeded, ["10101", "20101", "2642", "1422", "309", "3297", "3298"]),
        (.notPermitted, ["10108", "10204", "10206", "20201", "20303", "3356"]),
        (.issuerUnavailable, ["10202", "10505", "10602", "20202", "20602", "314"]),
        (
            .suspectedFraud,
            ["402", "1408", "1415", "1499", "10401", "10402", "10404", "10807", "20401", "20402", "3199"]
        ),
        (.authenticationFailed, ["104", "108", "10104", "10114", "2466"]),
        (.authenticationRequired, ["10205", "10403", "10709", "10722"]),
        (.blockedCard, ["1401", "20203"]),
        (.accountClosed, ["10405", "20106"]),
        (.duplicate, ["1434", "3613"]),
        (.invalidAmount, ["1421", "3281", "3118", "3358"]),
        (.declinedByProvider, ["310", "3060", "3102", "10205", "603"]),
    ]

    static let byCode: [String: Decline.Reason] = Dictionary(
        groups.flatMap { reason, codes in codes.map { ($0, reason) } }, uniquingKeysWith: { first, _ in first })
}
