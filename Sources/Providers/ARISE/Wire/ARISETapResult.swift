internal import PaymentBase
internal import PaymentMobileSDKs

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

    /// The words for an outcome, by how the kit spells its own.
    static let words = ["APPROVED": "approved", "DECLINED": "declined", "CANCELLED": "cancelled", "FAILED": "failed"]

    /// Takes the kit's result, whose own word counts; the gateway's only where it says that nothing is decided yet.
    init(_ result: ARISEPhoneSDK.TTPTransactionResult) {
        let gateways = result.transactionOutcome?.uppercased()
        let own = Self.words.first { $0.value == result.status.rawValue }?.key
        let texts = [
            ("transactionId", result.transactionId), ("transactionOutcome", gateways == "PENDING" ? gateways : own),
            ("authorizedAmount", result.authorizedAmount), ("authorizationCode", result.authorizationCode),
            ("authorisationResponseCode", result.authorisationResponseCode),
            ("authorizedDate", result.authorizedDate), ("cardBrandName", result.cardBrandName),
            ("maskedCardNumber", result.maskedCardNumber), ("externalReferenceID", result.externalReferenceID),
            ("applicationIdentifier", result.applicationIdentifier),
            ("applicationPreferredName", result.applicationPreferredName),
            ("applicationCryptogram", result.applicationCryptogram?.expose()),
            ("applicationTransactionCounter", result.applicationTransactionCounter),
            ("terminalVerificationResults", result.terminalVerificationResults),
            ("issuerApplicationData", result.issuerApplicationData?.expose()),
            ("applicationPANSequenceNumber", result.applicationPANSequenceNumber), ("cvmAction", result.cvmAction),
        ]
        var object = JSONObject()
        for (name, text) in texts { object[name] = text.map { .string($0) } }
        object["cvmTags"] = .array(
            (result.cvmTags ?? []).map { tag in
                ["tag": tag.tag.map { .string($0) } ?? .null, "value": .string(tag.value?.expose() ?? "")]
            })
        self.init(.object(object))
    }
}
