internal import PaymentProviderKit

/// Explains taps, refunds, records, news and refusals; news are unsigned, so that nothing in them is proven.
struct HaloInspector: Inspector {
    func inspect(_ message: InspectedMessage) -> [Inspection] {
        let json = try? JSONReader().read(message.body)
        if let status = message.httpStatus, !(200..<300).contains(status) { return [refusal(json ?? .null, status)] }
        guard let json, json.object != nil || json.array != nil else { return [.unknown("unreadable")] }
        return Self.known.noting(items(json, message.operation), in: json)
    }

    private func items(_ json: JSON, _ operation: PaymentOperation?) -> [Inspection] {
        if let list = json.array {
            // That nothing was found proves nothing.
            if list.isEmpty { return [Inspection("empty list", .none, .unknown)] }
            return list.map { $0["transactionDispositionId"] != nil ? record($0, operation) : device($0) }
        }
        if let wrapped = json["onlineAuthorizationResponse"] { return [tap(wrapped)] }
        if json["transactionDispositionId"] != nil { return [record(json, operation)] }
        if json["disposition"] != nil { return [news(json)] }
        if json["type"] != nil, json["alg"] == nil { return [refund(json)] }
        return [request(json) ?? other(json) ?? refusal(json, json["httpStatusCode"]?.int64.map { Int(clamping: $0) })]
    }

    // MARK: What became of a payment

    private func tap(_ json: JSON) -> Inspection {
        guard let answer = HaloAnswer(flat: json) else { return .unknown("tap") }
        if HaloMapping.wantsPIN(answer), answer.name != nil, answer.pinToken != nil {
            return about(answer, Inspection("PIN wanted", .pending, .unknown))
        }
        return about(answer, judged("tap \(answer.type)", answer))
    }

    /// A tap's answer that is alone: what was asked is not known, so that one without an amount names none.
    private func judged(_ kind: String, _ answer: HaloAnswer) -> Inspection {
        let currency = answer.currency.flatMap { Currency.known($0) } ?? .zar
        // More than any part.
        let asked = Money(minorUnits: answer.hasAmount ? Money.believableMinorUnitsMax : 0, currency)
        var found = judged(kind) { try HaloMapping.verdict(answer, asked, .minor) }
        if !answer.hasAmount { found.amount = nil }
        return found
    }

    private func refund(_ json: JSON) -> Inspection {
        guard let answer = HaloAnswer(flat: json) else { return .unknown("refund") }
        var found = judged("refund \(answer.type)") {
            try HaloMapping.verdict(ofRefund: answer, .zero(.zar))
        }
        found.amount = nil  // The answer names none.
        return about(answer, found)
    }

    /// News of a payment; those of a status by reference have neither an amount nor a name of the provider's.
    private func news(_ json: JSON) -> Inspection {
        guard let disposition = json["disposition"], let answer = HaloAnswer(flat: json.adding("type", disposition))
        else { return .unknown("news") }
        let kind = "news \(answer.type)"
        if HaloMapping.wantsPIN(answer) { return about(answer, Inspection(kind, .pending, .unknown)) }
        let isShort = json["amount"] == nil && answer.name == nil && json["id"]?.string != nil
        var found =
            isShort
            ? judged(kind) { try HaloMapping.verdict(ofRefund: answer, .zero(.zar)) } : judged(kind, answer)
        if isShort { (found.amount, found.providerReference) = (nil, json["id"]?.string) }
        return about(answer, found)
    }

    private func record(_ json: JSON, _ operation: PaymentOperation?) -> Inspection {
        guard let record = HaloRecord(json) else { return .unknown("record") }
        let kind = "\(record.kind.isEmpty ? "record" : record.kind) \(record.disposition)"
        // Where nothing is printed, a whole number is most likely in the currency's smallest unit.
        let unit: HaloConfiguration.RecordAmounts = record.printed == nil ? .minor : .printed
        var found: Inspection
        if record.disposition == "Declined", record.responseCode == "65" {
            // Its PIN may be on its way; the record alone does not tell.
            found = Inspection(kind, .pending, .unknown)
        } else {
            let isBack = operation == .refund || record.original != nil
            found = judged(kind) { try HaloMapping.verdict(record, isBack ? .refund : .sale, unit) }
        }
        found.amount = HaloMapping.money(record, unit)
        (found.attempt, found.providerReference) = (record.reference, record.id)
        found.originalReference = record.original
        return found
    }

    private func judged(_ kind: String, _ verdict: () throws -> Verdict) -> Inspection {
        do { return Inspection(kind, try verdict()) } catch { return .unknown(kind) }
    }

    private func about(_ answer: HaloAnswer, _ found: Inspection) -> Inspection {
        var found = found
        if found.amount == nil, let units = answer.amount?.int64 {
            found.amount = answer.currency.flatMap { Currency.known($0) }.map { Money(minorUnits: units, $0) }
        }
        (found.attempt, found.providerReference) = (answer.reference, answer.name ?? found.providerReference)
        return found
    }

    // MARK: Everything else

    private func request(_ json: JSON) -> Inspection? {
        let isTap = json["paymentCardData"] != nil || json["generalCardData"] != nil
        let isPushed = json["deviceId"] != nil && json["amount"] != nil
        guard isTap || isPushed || json["refundReference"] != nil else { return nil }
        let kind = isTap ? "tap request" : isPushed ? "push request" : "refund request"
        var found = Inspection(kind, .none, .unknown)
        found.attempt = json["merchantReference"]?.string ?? json["refundReference"]?.string
        if isPushed, let units = json["amount"]?.int64, let currency = json["currency"]?.string {
            found.amount = Currency.known(currency).map { Money(minorUnits: units, $0) }
        }
        return found
    }

    /// Tokens, devices, receipts, addresses of webhooks: nothing about money.
    private func other(_ json: JSON) -> Inspection? {
        if json["reference"] != nil, json["status"]?.string == "sent" {
            return Inspection("pushed to a terminal", .pending, .unknown)
        }
        if json["errorCode"] != nil || json["error"] != nil { return nil }
        let names = ["token", "jwtId", "callbackUrl", "receiptData", "correlationId", "username", "iss", "exists"]
        if names.contains(where: { json[$0] != nil }) { return Inspection("no payment", .none, .notExecuted) }
        if json["merchantReference"] != nil, json.object?.count == 1 {
            return Inspection("question about a reference", .none, .notExecuted)
        }
        return json["id"] != nil && json["enabled"] != nil ? device(json) : nil
    }

    private func device(_ json: JSON) -> Inspection {
        json["id"]?.string != nil && (json["enabled"] != nil || json["name"] != nil)
            ? Inspection("device", .none, .notExecuted) : .unknown("no message that we know")
    }

    private func refusal(_ json: JSON, _ status: Int?) -> Inspection {
        let said = HaloRefusal(json)
        var found = Inspection("error", code: said.code, words: said.message, httpStatus: status, .halo)
        if let decline = HaloMapping.decline(status ?? 400, said) {
            found = Inspection("error", .declined, .notExecuted)
            found.decline = decline
        }
        found.unknownFields = Self.known.unknown(in: json)
        return found
    }

    private static let known = KnownFields(
        """
        acquirerId aid alg amount appleTerminalProfileId applicationLabel applicationPreferredName approvalText
        association aud authorisationCode authorizationCode callbackUrl cardReaderId cardReaderTransactionId cardScheme
        cardType correlationId createdAt cryptogram cryptogramType currency date details deviceId deviceInstallationId
        deviceinstallationId disposition effectiveDate enabled error errorCode errorMessage exists exp expiresAt
        expiryDate formattedMerchantAddress generalCardData haloReference httpStatusCode iat id installments
        isSingleTapAndPin iss issuedAt isoResponseCode jwtId latitude longitude maskedPAN maskedPan mbn mcc
        merchantName merchantReference merchantTransactionReference message messages name onlineAuthorizationResponse
        originalTransactionId passthroughFields password paymentCardData paymentProviderId paymentProviderReference
        pinToken proximityReaderId receiptData reference refresh_token refundReference responseCode spCfg status sub tag
        tags tid time timestamp token tpid transactionDispositionId transactionReference transactionType
        transactionTypeId transactionstatusId tvr type updatedAt userId username usr value x-tid
        """, open: "customValues paymentProviderFields passthroughFields")
}
