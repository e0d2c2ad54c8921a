extension Decline.Reason {
    /// The reason behind a response code of an issuer, as ISO 8583 has them; a code that is not listed is `unmapped`.
    public init(issuerResponse code: String) { self = Self.isoResponseCodes[code] ?? .unmapped }

    /// The codes with a reason, as ISO 8583 has them.
    public static let isoResponseCodes: [String: Decline.Reason] = [
        "05": .doNotHonor, "04": .pickUpCard, "07": .pickUpCard, "12": .notPermitted, "13": .invalidAmount,
        "14": .invalidCard, "15": .invalidCard, "33": .expiredCard, "34": .suspectedFraud, "36": .blockedCard,
        "38": .pinTriesExceeded, "41": .lostCard, "43": .stolenCard, "51": .insufficientFunds, "54": .expiredCard,
        "55": .incorrectPIN, "57": .notPermitted, "58": .notPermitted, "59": .suspectedFraud, "61": .limitExceeded,
        "62": .notPermitted, "63": .suspectedFraud, "65": .pinRequired, "75": .pinTriesExceeded,
        "82": .incorrectSecurityCode, "91": .issuerUnavailable, "94": .duplicate, "96": .issuerUnavailable,
    ]
}
