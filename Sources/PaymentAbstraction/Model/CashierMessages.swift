/// Sentences for a till: one for each kind of error, each ``TillScreen`` and each ``TillScreen/Prompt``; an example of a table
/// that an application translates.
///
/// What may have happened to the money goes before the kind of error: while it is unknown, every error has the same sentence.
/// Each sentence is true of a sale and of a refund.
///
/// ```swift
/// screen.show(CashierMessages.german.sentence(for: error))
/// ```
public struct CashierMessages: Sendable, Hashable {
    /// The key of the sentence for every error after which it is not known whether money moved.
    public static let unknownKey = "outcome.unknown"
    /// The key of the sentence for every error after which money has moved.
    public static let movedKey = "outcome.moved"
    /// The key of the sentence for kinds of error that the table does not list.
    public static let otherKey = "other"

    /// The language, such as `en`.
    public let language: String
    /// The sentences by ``PaymentError/messageKey``.
    public let sentences: [String: String]

    /// Makes a table.
    public init(language: String, _ sentences: [String: String]) {
        (self.language, self.sentences) = (language, sentences)
    }

    /// The sentence for an error.
    public func sentence(for error: PaymentError) -> String {
        sentences[error.messageKey] ?? sentences[Self.otherKey] ?? error.code.rawValue
    }

    /// The English sentences, which ``PaymentError/message`` shows.
    public static let english = CashierMessages(
        language: "en",
        [
            unknownKey:
                "It is not known yet whether it went through; do not try it again, and check the payment first.",
            movedKey: "It went through already; do not try it again.",
            otherKey: "It did not go through; please ask for help.",
            "invalidRequest": "It did not go through because the till asked for something that is not possible.",
            "unsupported": "It did not go through because this till can't take it in this way.",
            "configuration": "It did not go through because the till is not set up correctly; please ask for help.",
            "authentication":
                "It did not go through because the payment provider refused this till; please ask for help.",
            "permission": "It did not go through because this till may not do that; please ask for help.",
            "conflict": "Nothing was charged because something else is recorded already; please check the payment.",
            "referenceInUse":
                "Nothing was charged now because this bill is paid or is being paid; please check it first.",
            "notFound": "The payment was not found.",
            "amountTooHigh": "Nothing was done because the amount is more than is left of the payment.",
            "inDoubt":
                "Nothing was charged now because the result of an earlier attempt is still unknown; please check it first.",
            "notReceived": "It did not go through because the provider never received it; you can try again.",
            "cancelled": "The payment was cancelled, and nothing was charged.",
            "timedOut": "It did not go through because it took too long; you can try again.",
            "network": "It did not go through because the payment provider can't be reached; please try again soon.",
            "providerUnavailable":
                "It did not go through because the payment provider does not work now; please try again soon.",
            "rateLimited":
                "It did not go through because there are too many payments now; please try again in a moment.",
            "unreadableReply":
                "It did not go through because the provider's answer can't be understood; please ask for help.",
            "providerFailed": "It did not go through because the payment provider had a fault; please ask for help.",
            "mismatch": "The provider's answer does not fit the payment; please ask for help.",
            "journal": "It did not go through because this till can't record it; please ask for help.",
            "questionUnanswered":
                "It did not go through because a question was not answered in time; you can try again.",
            "readerUnavailable": "It did not go through because the card reader is not ready; please check it.",
            "readerBusy": "It did not go through because the card reader is busy; please try again in a moment.",
            "deviceUnsupported": "This device can't take cards.",
            "deviceCompromised": "It did not go through because this device did not pass a security check.",
            "locationRequired":
                "It did not go through because this device may not use its location; please allow it.",
            "termsNotAccepted": "It did not go through because the terms were not accepted.",
            "accountNotLinked": "It did not go through because this device is not linked to the merchant's account.",
            "signatureInvalid": "The message could not be verified and was not used.",
            "prompt.wait": "Please wait.",
            "prompt.presentCard": "Present the card.",
            "prompt.holdStill": "Hold the card still.",
            "prompt.presentAgain": "The card was not read; present it again.",
            "prompt.enterPIN": "Enter the PIN.",
            "prompt.removeCard": "Take the card away.",
            "prompt.deciding": "Please wait for the decision.",
            "screen.starting": "The till is starting.",
            "screen.terms": "Someone who may act for the merchant has to accept the terms.",
            "screen.preparing": "The card reader is getting ready.",
            "screen.ready": "Ready for the next payment.",
            "screen.paid": "The payment was made.",
            "screen.refunded": "The money was refunded.",
            "screen.declined": "The card was declined; please ask for another one.",
            "screen.pending": "It was received and is decided later; do not try it again.",
        ])

    /// The German sentences.
    public static let german = CashierMessages(
        language: "de",
        [
            unknownKey:
                "Es ist noch nicht bekannt, ob der Vorgang erfolgt ist; nicht wiederholen, erst die Zahlung prüfen.",
            movedKey: "Der Vorgang ist schon erfolgt; nicht wiederholen.",
            otherKey: "Der Vorgang ist nicht erfolgt; bitte Hilfe holen.",
            "invalidRequest": "Der Vorgang ist nicht erfolgt, weil die Kasse etwas verlangt hat, das nicht geht.",
            "unsupported": "Der Vorgang ist nicht erfolgt, weil diese Kasse sie so nicht annehmen kann.",
            "configuration":
                "Der Vorgang ist nicht erfolgt, weil die Kasse falsch eingerichtet ist; bitte Hilfe holen.",
            "authentication":
                "Der Vorgang ist nicht erfolgt, weil der Zahlungsanbieter diese Kasse abweist; bitte Hilfe holen.",
            "permission": "Der Vorgang ist nicht erfolgt, weil diese Kasse das nicht darf; bitte Hilfe holen.",
            "conflict":
                "Es wurde nichts abgebucht, weil schon etwas anderes verzeichnet ist; bitte die Zahlung prüfen.",
            "referenceInUse":
                "Es wurde jetzt nichts abgebucht, weil die Rechnung bezahlt ist oder gerade bezahlt wird; bitte prüfen.",
            "notFound": "Die Zahlung wurde nicht gefunden.",
            "amountTooHigh": "Es wurde nichts ausgeführt, weil der Betrag höher ist als der Rest der Zahlung.",
            "inDoubt":
                "Es wurde jetzt nichts abgebucht, weil ein früherer Versuch noch offen ist; bitte erst diesen prüfen.",
            "notReceived":
                "Der Vorgang ist nicht erfolgt, weil er den Anbieter nicht erreicht hat; bitte noch einmal versuchen.",
            "cancelled": "Die Zahlung wurde abgebrochen, es wurde nichts abgebucht.",
            "timedOut": "Der Vorgang ist nicht erfolgt, weil es zu lange gedauert hat; bitte noch einmal versuchen.",
            "network":
                "Der Vorgang ist nicht erfolgt, weil der Zahlungsanbieter nicht erreichbar ist; bitte bald noch einmal versuchen.",
            "providerUnavailable":
                "Der Vorgang ist nicht erfolgt, weil der Zahlungsanbieter gerade ausfällt; bitte bald noch einmal versuchen.",
            "rateLimited":
                "Der Vorgang ist nicht erfolgt, weil gerade zu viele Zahlungen laufen; bitte gleich noch einmal versuchen.",
            "unreadableReply":
                "Der Vorgang ist nicht erfolgt, weil die Antwort des Anbieters unverständlich ist; bitte Hilfe holen.",
            "providerFailed":
                "Der Vorgang ist nicht erfolgt, weil der Zahlungsanbieter einen Fehler hatte; bitte Hilfe holen.",
            "mismatch": "Die Antwort des Anbieters passt nicht zur Zahlung; bitte Hilfe holen.",
            "journal": "Der Vorgang ist nicht erfolgt, weil die Kasse sie nicht aufzeichnen kann; bitte Hilfe holen.",
            "questionUnanswered":
                "Der Vorgang ist nicht erfolgt, weil eine Frage nicht rechtzeitig beantwortet wurde; bitte noch einmal versuchen.",
            "readerUnavailable":
                "Der Vorgang ist nicht erfolgt, weil das Kartenlesegerät nicht bereit ist; bitte prüfen.",
            "readerBusy":
                "Der Vorgang ist nicht erfolgt, weil das Kartenlesegerät beschäftigt ist; bitte gleich noch einmal versuchen.",
            "deviceUnsupported": "Dieses Gerät kann keine Karten annehmen.",
            "deviceCompromised":
                "Der Vorgang ist nicht erfolgt, weil dieses Gerät eine Sicherheitsprüfung nicht bestanden hat.",
            "locationRequired":
                "Der Vorgang ist nicht erfolgt, weil der Standort dieses Geräts fehlt; bitte freigeben.",
            "termsNotAccepted": "Der Vorgang ist nicht erfolgt, weil die Bedingungen nicht angenommen wurden.",
            "accountNotLinked":
                "Der Vorgang ist nicht erfolgt, weil dieses Gerät nicht mit dem Händlerkonto verbunden ist.",
            "signatureInvalid": "Die Nachricht konnte nicht geprüft werden und wurde nicht verwendet.",
            "prompt.wait": "Bitte warten.",
            "prompt.presentCard": "Karte vorhalten.",
            "prompt.holdStill": "Karte ruhig halten.",
            "prompt.presentAgain": "Die Karte wurde nicht gelesen; bitte noch einmal vorhalten.",
            "prompt.enterPIN": "PIN eingeben.",
            "prompt.removeCard": "Karte wegnehmen.",
            "prompt.deciding": "Bitte auf die Entscheidung warten.",
            "screen.starting": "Die Kasse startet.",
            "screen.terms": "Jemand, der das für den Händler darf, muss die Bedingungen annehmen.",
            "screen.preparing": "Das Kartenlesegerät wird vorbereitet.",
            "screen.ready": "Bereit für die nächste Zahlung.",
            "screen.paid": "Die Zahlung ist erfolgt.",
            "screen.refunded": "Das Geld wurde erstattet.",
            "screen.declined": "Die Karte wurde abgelehnt; bitte um eine andere bitten.",
            "screen.pending": "Der Vorgang ist angenommen und wird später entschieden; nicht wiederholen.",
        ])
}

extension PaymentError {
    /// Under which name the sentence for a cashier is found: `outcome.unknown` and `outcome.moved` go before the code.
    public var messageKey: String {
        switch outcome {
        case .unknown: CashierMessages.unknownKey
        case .executed: CashierMessages.movedKey
        case .notExecuted: code.rawValue
        }
    }

    /// One sentence for a cashier, in English; ``CashierMessages`` has others, by ``messageKey``. It holds nothing of the
    /// request, the provider or the configuration.
    public var message: String { CashierMessages.english.sentence(for: self) }
}
