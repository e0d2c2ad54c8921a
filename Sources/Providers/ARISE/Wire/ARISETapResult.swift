internal import PaymentBase

/// What comes back for a tap; the names are those of the SDK's result.
struct ARISETapResult: Sendable {
    let body: JSON

    init(_ body: JSON) { self.body = body }

    func text(_ name: String) -> String? { body[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    var id: String? { text("transactionId") }
    var outcome: String? { text("transactionOutcome") }
    var amount: String? { text("authorizedAmount") }
    var responseCode: String? { text("authorisationResponseCode") }
    var externalReference: String? { text("externalReferenceID") }

    /// Chip data that belongs on a receipt: the SDK's name with the tag.
    static let tags = [
        ("applicationIdentifier", "4F"), ("applicationPreferredName", "9F12"), ("applicationCryptogram", "9F26"),
        ("applicationTransactionCounter", "9F36"), ("terminalVerificationResults", "95"),
        ("issuerApplicationData", "9F10"), ("applicationPANSequenceNumber", "5F34"),
    ]
}
