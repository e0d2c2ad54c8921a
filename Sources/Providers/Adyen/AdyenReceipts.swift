internal import PaymentAbstraction
internal import PaymentBase

/// Receipts out of a terminal's reply: as fields and as lines.
enum AdyenReceipts {
    /// Everything that belongs on a receipt.
    static func receipt(_ reply: PaymentReply, _ amount: Money?) -> Receipt {
        let additional = reply.response.additional
        var receipt = Receipt()
        receipt.authorizationCode =
            reply.acquirer?.member("ApprovalCode")?.text ?? additional["authCode"] ?? additional["offlineAuthCode"]
        receipt.responseCode = additional["acquirerResponseCode"]
        receipt.responseText = reply.response.message.isEmpty ? nil : reply.response.message
        receipt.retrievalReference = additional["transactionReferenceNumber"]
        receipt.at = reply.poiTimestamp.flatMap { Timestamp($0)?.milliseconds }
        receipt.verification = reply.authentication.first.map(verification)
        receipt.signatureRequired = reply.receipts.contains { $0.member("RequiredSignatureFlag")?.truth == true }
        receipt.add(tags(additional))
        receipt.merchant = merchant(reply, additional)
        if let amount { receipt.breakdown = breakdown(reply, amount) }
        receipt.lines = reply.receipts.flatMap(lines)
        return receipt
    }

    private static func verification(_ method: String) -> String {
        switch method {
        case "OnlinePIN", "OfflinePIN": "pin"
        case "SignatureCapture", "PaperSignature": "signature"
        case "Bypass": "none"
        default: method
        }
    }

    /// The chip's data as far as it is named.
    private static func tags(_ additional: AdditionalResponse) -> [Receipt.EMVTag] {
        let named = [
            ("AID", "4F"), ("applicationLabel", "50"), ("applicationPreferredName", "9F12"), ("tc", "9F26"),
            ("cardHolderVerificationMethodResults", "9F34"),
        ]
        return named.compactMap { name, tag in additional[name].map { Receipt.EMVTag(tag, $0) } }
    }

    private static func merchant(_ reply: PaymentReply, _ additional: AdditionalResponse) -> Receipt.Merchant? {
        var merchant = Receipt.Merchant()
        merchant.merchantID = additional["mid"] ?? reply.acquirer?.member("MerchantID")?.text
        merchant.terminalID = additional["tid"] ?? reply.acquirer?.member("AcquirerPOIID")?.text
        return merchant == Receipt.Merchant() ? nil : merchant
    }

    private static func breakdown(_ reply: PaymentReply, _ total: Money) -> AmountBreakdown? {
        guard let tip = reply.tipAmount, let money = try? AdyenAmounts.money(tip, nil, asked: total.currency),
            !money.isZero, let base = try? total.subtracting(money), !base.isNegative
        else { return nil }
        var breakdown = AmountBreakdown(base: base, total: total)
        breakdown.tip = money
        return breakdown
    }

    /// The lines of one receipt; each text is a row of pairs.
    private static func lines(_ receipt: JSON) -> [Receipt.Line] {
        let copy: Receipt.Line.Copy? =
            switch receipt.member("DocumentQualifier")?.text {
            case "CashierReceipt": .merchant
            case "CustomerReceipt", "SaleReceipt": .customer
            default: nil
            }
        guard let copy else { return [] }
        return (receipt.member("OutputContent", "OutputText")?.items ?? []).compactMap { line in
            guard let text = line.member("Text")?.text else { return nil }
            let pairs = AdditionalResponse(text)
            return Receipt.Line(
                copy, pairs["name"] ?? "", value: pairs["value"], key: pairs["key"],
                isBold: line.member("CharacterStyle")?.text == "Bold")
        }
    }
}
