internal import PaymentAbstraction

/// Why payments are refused or ended, in neutral words.
enum AdyenDeclineCodes {
    /// The conditions that are refusals, with the reason where nothing more is said.
    static let declines: [String: Decline.Reason] = [
        "Refusal": .unmapped, "InvalidCard": .invalidCard, "PaymentRestriction": .notPermitted,
        "WrongPIN": .incorrectPIN,
    ]

    /// The conditions that end a payment before it was decided.
    static let cancellations: [String: Cancellation.Cause] = ["Cancel": .customer, "Aborted": .merchant]

    /// What the numbers in front of a refusal's text mean.
    static let codes: [String: Decline.Reason] = [
        "129": .incorrectPIN, "199": .blockedCard, "210": .insufficientFunds, "214": .doNotHonor, "228": .expiredCard,
    ]

    /// What the back office's numbers mean.
    static let office: [String: Decline.Reason] = [
        "2": .doNotHonor, "5": .blockedCard, "6": .expiredCard, "7": .invalidAmount, "8": .invalidCard,
        "9": .issuerUnavailable, "10": .cardNotSupported, "12": .insufficientFunds, "14": .suspectedFraud,
        "17": .incorrectPIN, "18": .pinTriesExceeded, "20": .suspectedFraud, "22": .suspectedFraud, "23": .notPermitted,
        "24": .incorrectSecurityCode, "25": .notPermitted, "27": .doNotHonor, "28": .limitExceeded,
        "31": .suspectedFraud, "38": .authenticationRequired,
    ]
    /// What the words beside a refusal mean.
    static let words: [String: Decline.Reason] = [
        "BLOCK_CARD": .blockedCard, "CARD_EXPIRED": .expiredCard, "INVALID_AMOUNT": .invalidAmount,
        "INVALID_CARD": .invalidCard, "INVALID_PIN": .incorrectPIN, "NOT_ENOUGH_BALANCE": .insufficientFunds,
    ]

    /// Numbers in front of a text that says who ended a payment before it was decided.
    private static let endings: Set<String> = ["101", "102", "104", "108", "126"]

    /// Whether the issuer or the account refused: by the condition, or, where that is in no list, by the reason beside.
    static func isDecline(_ response: NexoResponse) -> Bool {
        declines[response.condition] != nil || !isListed(response) && response.additional["refusalReason"] != nil
    }

    /// Whether it was ended before it was decided: by the condition, or, where that is in no list, by the number beside.
    static func isCancellation(_ response: NexoResponse) -> Bool {
        if cancellations[response.condition] != nil { return true }
        let number = response.message.split(separator: " ").first.map(String.init) ?? ""
        return !isListed(response) && response.additional["refusalReason"] == nil && endings.contains(number)
    }

    private static func isListed(_ response: NexoResponse) -> Bool {
        let condition = response.condition
        return declines[condition] != nil || cancellations[condition] != nil || ErrorTable.adyen[condition] != nil
    }

    /// A refusal with its reason and its raw code; the number decides, a word only makes a general number plainer.
    static func decline(_ response: NexoResponse) -> (reason: Decline.Reason, provider: ProviderMessage) {
        let fallback = declines[response.condition] ?? .unmapped
        guard let text = response.additional["refusalReason"], let code = text.split(separator: " ").first else {
            let word = response.additional["message"] ?? ""
            return (words[word] ?? fallback, ProviderMessage(code: response.condition, message: word))
        }
        let said = ProviderMessage(code: String(code), message: text)
        guard let listed = codes[String(code)] else { return (.unmapped, said) }
        let word = response.additional["message"].flatMap { words[$0] }
        return (listed == .doNotHonor ? plainer(word, fallback) : listed, said)
    }

    private static func plainer(_ word: Decline.Reason?, _ fallback: Decline.Reason) -> Decline.Reason {
        word ?? (fallback == .unmapped ? .doNotHonor : fallback)
    }

    /// Who ended a payment: the number in front of the text says it better than the condition.
    static func cause(_ response: NexoResponse) -> Cancellation.Cause {
        switch response.message.split(separator: " ").first {
        case "104": .merchant
        case "101": .customer
        default: cancellations[response.condition] ?? .provider
        }
    }
}
