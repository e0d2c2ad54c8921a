extension ARISEPhoneSDK {
    /// The rows of the codes that errors of tapped payments carry, in the document's order.
    ///
    /// A code that the document gives only to configuring or resuming comes before the card. All others may come at any
    /// time of a payment, also those for which the document names no use.
    static let codeRows: [SDKErrorRule] = [
        before("DEV003", .deviceUnsupported, 1598, SDKErrorAdvice(.never, "another phone")),
        before(
            "GPS003", .locationRequired, 1599, SDKErrorAdvice(.afterFix, "restart; make the SDK on the main thread")),
        before("GPS005", .permission, 1600, nil),
        before("GPS006", .locationRequired, 1601, nil),
        during("ATT018", .unavailable, 1602, signIn),
        during("ATT019", .configuration, 1603, SDKErrorAdvice(.afterFix, "name the team in the application")),
        during("ATT020", .configuration, 1604, SDKErrorAdvice(.afterFix, "name the bundle in the application")),
        during("ATT021", .deviceCompromised, 1605, signIn),
        during("ATT022", .deviceCompromised, 1606, signIn),
        during("ATT023", .deviceCompromised, 1607, signIn),
        during("ATT024", .configuration, 1608, signIn),
        unplaced("DATA001", .notFound, 1609, check),
        unplaced("DATA002", .invalidRequest, 1610, check),
        unplaced("DATA003", .invalidRequest, 1611, check),
        unplaced("DATA005", .deviceCompromised, 1612, SDKErrorAdvice(.never, "ask the vendor's support")),
        clearing("DATA008", 1613),
        clearing("DATA009", 1614),
        clearing("DATA010", 1615),
        unplaced("DATA011", .unreadableReply, 1616, later),
        unplaced("DATA012", .unreadableReply, 1617, later),
        unplaced("CRYPTO001", .network, 1618, later),
        unplaced("CRYPTO002", .unreadableReply, 1619, later),
        unplaced("CRYPTO003", .providerFailed, 1620, later),
        unplaced("CRYPTO004", .unreadableReply, 1621, later),
        unplaced("CRYPTO005", .configuration, 1622, later),
        unplaced("CRYPTO006", .unreadableReply, 1623, later),
        during("SEC005", .configuration, 1624, later),
        during("SEC008", .deviceCompromised, 1625, SDKErrorAdvice(.never, "reinstall, then ask the vendor's support")),
        during("SEC001", .authentication, 1626, SDKErrorAdvice(.afterFix, "sign in again")),
        unplaced("DEC_04", .authentication, 1627, SDKErrorAdvice(.afterFix, "sign in again")),
        before("MER003", .configuration, 1628, support),
        before("MER004", .configuration, 1629, support),
        before("MER005", .configuration, 1630, support),
        before("MER006", .configuration, 1631, support),
        before("MER007", .configuration, 1632, support),
        before("MER008", .configuration, 1633, support),
        during("EC_02", .providerFailed, 1634, later),
        during("EC_500", .providerFailed, 1635, later),
        during("EC_502", .unavailable, 1636, SDKErrorAdvice(.again)),
        during("EC_503", .unavailable, 1637, SDKErrorAdvice(.again)),
        during("EC_504", .timedOut, 1638, SDKErrorAdvice(.again)),
        unplaced("AUTH_001", .authentication, 1639, SDKErrorAdvice(.afterFix, "a valid token")),
        SDKErrorRule(
            "MISSING_REQUIRED_FIELD", .nothingMoved, .configuration, at(1640),
            advice: SDKErrorAdvice(.never, "name the sub-merchant"), why: "the request was not taken"),
        SDKErrorRule(
            "PARTNER_UNAUTHORIZED", .nothingMoved, .permission, at(1641),
            advice: SDKErrorAdvice(.never, "ask the partner"),
            why: "the partner doesn't serve phones of this system, so no card is asked for"),
    ]

    private static let signIn = SDKErrorAdvice(.afterFix, "sign in again or reinstall")
    private static let check = SDKErrorAdvice(.never, "check the request")
    private static let later = SDKErrorAdvice(.later, "if it stays, ask the vendor's support")
    private static let support = SDKErrorAdvice(.never, "ask the vendor's support")

    /// A code that the document gives to configuring and resuming alone.
    private static func before(_ code: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice?)
        -> SDKErrorRule
    {
        SDKErrorRule(code, .nothingMoved, cause, at(line), advice: advice, why: "belongs to what comes before the card")
    }

    /// A code that the document gives to performing a transaction as well.
    private static func during(_ code: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice?)
        -> SDKErrorRule
    {
        SDKErrorRule(code, .unknown, cause, at(line), advice: advice, why: "may come while the payment is made")
    }

    /// A code for which the document names no use.
    private static func unplaced(_ code: String, _ cause: SDKErrorCause, _ line: Int, _ advice: SDKErrorAdvice?)
        -> SDKErrorRule
    {
        SDKErrorRule(code, .unknown, cause, at(line), advice: advice, why: "when it comes is not said")
    }

    /// A code of the phone's key store, in configuring or in clearing up, which may be after a payment.
    private static func clearing(_ code: String, _ line: Int) -> SDKErrorRule {
        SDKErrorRule(
            code, .unknown, .providerFailed, at(line), advice: later,
            why: "given to configuring and to clearing a session, of which the second may follow on a payment")
    }
}
