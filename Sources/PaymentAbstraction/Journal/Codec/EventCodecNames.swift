internal import PaymentBase

/// Words of what a journal keeps, in the order in which packed rows count them.
///
/// Rows that were written stay: **add at the end of the second list, and never take one out or move one**. One that is
/// missing here is written as it is, and costs its letters.
enum EventCodecNames {
    static let packed = PackedWords(often + seldom)

    /// A byte each; there is room for no more.
    static let often = [
        "event", "at", "run", "number", "request", "account", "report", "source", "verdict", "value", "name", "owner",
        "intent", "attempt", "operation", "amount", "minorUnits", "currency", "reference", "payment", "card", "last4",
        "content", "scope", "sale", "limit", "key", "close", "ending", "answered", "end", "by", "reply", "kind",
        "approved", "references", "brand", "expiry", "receipt", "authorizationCode", "responseCode", "responseText",
        "evidence", "note", "sequence", "attributes", "begun", "submitted", "asked", "lookedUp", "lookup", "webhook",
        "person", "declined", "reason", "code", "message", "cancelled", "pending", "lookAgain", "id", "time", "known",
        "says", "notExecuted", "withdrawn", "notSent", "refused", "lost", "authorize", "capture", "void", "refund",
        "transaction", "order", "funding", "credit", "debit", "visa", "mastercard", "entry", "label",
        "retrievalReference", "tags", "tag", "tip", "dryRun", "contradiction", "reader", "keyed", "saved", "sandbox",
        "test", "live", "production", "merchant", "terminalID", "merchantID", "breakdown", "base", "total", "lines",
        "left", "copy", "customer", "cardRead", "readyForCard", "readerReady", "inDoubt", "unanswered", "waiting",
        "failed", "imported", "takeOver", "partial", "offline", "undone", "signatureRequired", "verification", "EUR",
        "USD", "GBP", "AED", "amex", "maestro", "chip", "contactless", "generation",
    ]

    /// Two bytes each.
    private static let seldom = [
        "adjust", "unlinkedRefund", "tipAdjustment", "verify", "tokenize", "addressCheck", "action", "result",
        "address", "phone", "email", "website", "tax", "discount", "surcharge", "cashDiscount", "rates", "bold",
        "country", "blocked", "exceeds", "open", "noProof", "notAllowed", "noSuchPayment", "otherProvider",
        "unansweredSend", "fenced", "refusal", "conflict", "mayBeLost", "movement", "charge", "repeated",
        "readerFailed", "educationShown", "pinRequested", "pinEntered", "failedLater", "notRecorded", "nameTaken",
        "otherAmount", "resolved", "accessRenewed", "operations", "moved", "doNotHonor", "insufficientFunds",
        "expiredCard", "lostCard", "stolenCard", "pickUpCard", "blockedCard", "invalidCard", "cardNotSupported",
        "incorrectPIN", "pinTriesExceeded", "pinRequired", "incorrectSecurityCode", "addressMismatch", "limitExceeded",
        "notPermitted", "issuerUnavailable", "suspectedFraud", "authenticationFailed", "authenticationRequired",
        "declinedOffline", "refusedByProvider", "accountClosed", "duplicate", "invalidAmount", "unlisted", "discover",
        "CHF", "JPY", "lookUp", "part", "events", "provider", "several",
    ]
}
