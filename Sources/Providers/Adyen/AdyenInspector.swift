public import PaymentProviderKit

/// Explains any Terminal API message, webhook, answer of the back office or error of a phone's kit.
///
/// It judges with the same tables and the same mapping as the drivers, so that both say the same of one message.
public struct AdyenInspector: Inspector {
    /// Makes one.
    public init() {}

    public func inspect(_ message: InspectedMessage) -> [Inspection] {
        guard let json = try? JSONReader().read(message.body) else { return [bare(message)] }
        return AdyenMembers.known.noting(explain(json, message), in: json)
    }

    private func explain(_ json: JSON, _ message: InspectedMessage) -> [Inspection] {
        if let items = NotificationItem.items(json) {
            return items.isEmpty ? [.unknown("webhook")] : items.map(AdyenNotices.inspection)
        }
        if let text = json.string { return [word(text, message.httpStatus)] }
        if json.member(NexoMessage.requestRoot) != nil || json.member(NexoMessage.responseRoot) != nil {
            return [terminal(json, message)]
        }
        return [office(json, message)]
    }

    /// What is no JSON: the word that a message was taken, or the code that a phone's kit throws.
    private func bare(_ message: InspectedMessage) -> Inspection {
        word(String(decoding: message.body.prefix(100), as: UTF8.self).filter { !$0.isWhitespace }, message.httpStatus)
    }

    private func word(_ text: String, _ status: Int?) -> Inspection {
        let isGood = (200..<300).contains(status ?? 200)
        if text.lowercased() == "ok", isGood { return Inspection("ok", .pending, .unknown) }
        if let row = ErrorTable.adyen[text], row.family == "kit" || row.family == "attestation" {
            return Self.problem("kit error", text)
        }
        return isGood ? .unknown("unreadable") : Self.problem("HTTP", String(status ?? 0))
    }

    /// An error by the table: what it proves nothing about is unknown.
    static func problem(_ kind: String, _ code: String, fallback: String? = nil, _ words: String = "") -> Inspection {
        let fault = ErrorTable.adyen.failure(code: code, fallback: fallback, message: words)
        let isRefused = fault.delivery == .refused
        var found = Inspection(kind, isRefused ? .failed : .unknown, isRefused ? .notExecuted : .unknown)
        found.problem = Inspection.Problem(code.isEmpty ? fallback ?? "" : code, fault.code, words)
        return found
    }

    // MARK: The back office

    private func office(_ json: JSON, _ message: InspectedMessage) -> Inspection {
        if let code = json.member("kit")?.text ?? json.member("code")?.text { return Self.problem("kit error", code) }
        let number = json.member("status")?.whole.map(String.init) ?? message.httpStatus.map(String.init)
        if json.member("errorCode") != nil || json.member("status")?.whole != nil || (message.httpStatus ?? 200) >= 300
        {
            let isOurs = (number.flatMap { Int($0) } ?? 500) < 500 && (message.httpStatus ?? 400) < 500
            let words = json.member("message") ?? json.member("detail") ?? json.member("title")
            return Self.problem(
                "error", isOurs ? json.member("errorCode")?.text ?? "" : "", fallback: isOurs ? number : "500",
                words?.text ?? "")
        }
        if let reply = SavedPaymentReply(json) {
            guard let verdict = try? AdyenMapping.verdict(reply, nil) else { return .unknown("payment") }
            var found = Inspection(named: "payment", verdict)
            found.attempt = reply.merchantReference
            return found
        }
        if let reply = ModificationReply(json) {
            var found = reply.isReceived ? Inspection("received", .pending, .unknown) : .unknown("modification")
            found.amount = reply.minorUnits.flatMap { units in try? AdyenAmounts.money(units, reply.currency ?? "") }
            (found.attempt, found.providerReference) = (reply.reference, reply.pspReference)
            return found
        }
        if json.member("sdkData")?.text != nil || json.member("setupToken")?.text != nil {
            return Inspection("session", .none, .notExecuted)
        }
        if json.member("uniqueDeviceIds") != nil || (json.member("deviceId") != nil && json.member("status") != nil) {
            return Inspection("devices", .none, .notExecuted)
        }
        guard json.member("merchantAccount") != nil else { return .unknown("no message that we know") }
        var found = Inspection("modification request", .none, .unknown)
        let amount = json.member("amount")
        found.amount = amount?.member("value")?.whole.flatMap { units in
            try? AdyenAmounts.money(units, amount?.member("currency")?.text ?? "")
        }
        found.attempt = json.member("reference")?.text
        return found
    }

    // MARK: Terminals

    private func terminal(_ json: JSON, _ message: InspectedMessage) -> Inspection {
        guard let nexo = NexoMessage(json) else { return .unknown("a message without a head") }
        let kind = nexo.bodyName.isEmpty ? nexo.header.category.rawValue : nexo.bodyName
        var found: Inspection
        switch nexo.rejection {
        case .notDelivered(let said), .malformed(let said):
            found = Inspection(kind, .failed, .notExecuted)
            found.problem = Inspection.Problem("Reject", .providerUnavailable, said)
        case .unknown(let said):
            found = .unknown(kind)
            found.problem = Inspection.Problem("Reject", .providerUnavailable, said)
        case nil:
            if nexo.bodyName.isEmpty {
                found = .unknown(kind)
            } else if nexo.isReply {
                found = reply(kind, nexo, message)
            } else {
                found = request(kind, nexo)
            }
        }
        if found.attempt == nil, !nexo.header.id.isEmpty { found.attempt = nexo.header.id }
        return found
    }

    private static let aboutMoney: Set<NexoHeader.Category> = [.payment, .reversal, .storedValue]

    private func request(_ kind: String, _ nexo: NexoMessage) -> Inspection {
        if nexo.bodyName == "EventNotification" {
            let isListed = AdyenMembers.events.contains(nexo.body.member("EventToNotify")?.text ?? "")
            return isListed ? Inspection(kind, .none, .notExecuted) : .unknown(kind)
        }
        guard NexoHeader.Category.listed.contains(nexo.header.category.rawValue) else { return .unknown(kind) }
        guard Self.aboutMoney.contains(nexo.header.category) else { return Inspection(kind, .none, .notExecuted) }
        var found = Inspection(kind, .none, .unknown)
        let amounts = nexo.body.member("PaymentTransaction", "AmountsReq")
        let data = SaleToAcquirerData(nexo.body.member("SaleData", "SaleToAcquirerData")?.text ?? "")
        if let asked = (amounts?.member("RequestedAmount") ?? nexo.body.member("ReversedAmount"))?.text,
            let currency = Currency.known(amounts?.member("Currency")?.text ?? data["currency"] ?? "")
        {
            let tip = amounts?.member("TipAmount")?.text ?? "0"
            found.amount = try? Money(wireDecimal: asked, currency).adding(Money(wireDecimal: tip, currency))
        }
        found.attempt = nexo.body.member("SaleData", "SaleTransactionID", "TransactionID")?.text
        found.providerReference =
            nexo.body.member("OriginalPOITransaction", "POITransactionID")?.member("TransactionID")?.text
        return found
    }

    private func reply(_ kind: String, _ nexo: NexoMessage, _ message: InspectedMessage) -> Inspection {
        guard nexo.header.category == .status else { return reply(kind, nexo.header.category, nexo.body, message) }
        guard let response = nexo.response else { return .unknown(kind) }
        guard response.result == "Success" else { return stillAsked(kind, response) }
        let repeated = nexo.body.member("RepeatedMessageResponse")
        guard let header = NexoHeader(repeated?.member("MessageHeader")),
            let body = repeated?.member("RepeatedResponseMessageBody")?.member(header.category.rawValue + "Response")
        else { return .unknown(kind) }
        var found = reply("\(kind): \(header.category.rawValue)Response", header.category, body, message)
        if found.attempt == nil, !header.id.isEmpty { found.attempt = header.id }
        return found
    }

    private func reply(
        _ kind: String, _ category: NexoHeader.Category, _ body: JSON, _ message: InspectedMessage
    ) -> Inspection {
        guard NexoHeader.Category.listed.contains(category.rawValue) else { return .unknown(kind) }
        let isDevice = NexoHeader.Category.ofDevice.contains(category)
        guard let reply = PaymentReply(body) else {
            return isDevice ? Inspection(kind, .none, .notExecuted) : .unknown(kind)
        }
        var found: Inspection
        do {
            let verdict: Verdict
            switch category {
            case .payment: verdict = try payment(reply, body, message.operation)
            case .reversal: verdict = try AdyenMapping.reversal(reply)
            default:
                guard reply.response.result == "Failure" else {
                    let isGood = reply.response.result == "Success" && !Self.aboutMoney.contains(category)
                    return isGood ? Inspection(kind, .none, .notExecuted) : .unknown(kind)
                }
                verdict = try AdyenMapping.reversal(reply)
            }
            found = Inspection(named: kind, verdict)
        } catch AdyenFailure.refused(let response) {
            found = Self.problem(kind, response.condition, response.message)
        } catch { found = .unknown(kind) }
        found.attempt = reply.saleTransactionID
        return found
    }

    /// The verdict on a payment's answer; one that names no currency can't be judged without its request.
    private func payment(
        _ reply: PaymentReply, _ body: JSON, _ operation: PaymentOperation?
    ) throws -> Verdict {
        let type = body.member("PaymentResult", "PaymentType")?.text
        guard type.map(AdyenMembers.payments.contains) ?? true else {
            throw AdyenFailure.unreadable("a kind of payment")
        }
        let code = reply.currency ?? reply.response.additional["posAuthAmountCurrency"]
        let currency = code.flatMap { Currency.known($0) }
        if reply.response.result != "Failure", currency == nil { throw AdyenFailure.unreadable("no currency") }
        return try AdyenMapping.verdict(
            reply, asked: .zero(currency ?? .eur), isRefund: type == "Refund" || operation == .unlinkedRefund)
    }

    /// A status that is not reported says nothing about the payment that it is about, unless it is under way.
    private func stillAsked(_ kind: String, _ response: NexoResponse) -> Inspection {
        let isRunning = response.result == "Failure" && response.condition == "InProgress"
        var found = isRunning ? Inspection(kind, .pending, .unknown) : .unknown(kind)
        found.problem = Self.problem(kind, response.condition, response.message).problem
        return found
    }
}

extension Inspection {
    /// What a driver would conclude from the message, with the name that the provider has for it.
    init(named kind: String, _ verdict: Verdict) {
        self.init(kind, verdict)
        let names = verdict.references
        providerReference =
            names[AdyenMapping.Name.modification] ?? names[AdyenMapping.Name.psp]
            ?? names[AdyenMapping.Name.transaction] ?? names[AdyenMapping.Name.tender]
    }
}

/// The names that the documents have for members and values, to tell what they don't name.
enum AdyenMembers {
    /// Kinds of a payment by which money is taken, and the one by which it is given.
    static let payments: Set<String> = [
        "Normal", "Refund", "OneTimeReservation", "FirstReservation", "UpdateReservation", "Completion", "Recurring",
        "Instalment", "IssuerInstalment",
    ]

    /// What terminals tell on their own, but for a rejection.
    static let events = words(
        """
        Abort BeginMaintenance CardInserted CardRemoved Completed CustomerLanguage EndMaintenance Initialised
        KeyPressed OutOfOrder SaleAdmin SaleWakeUp ScanBarcodeResult SecurityAlarm Shutdown StopAssistance
        UseAnotherCardForPreauth
        """)

    /// Webhooks that are not about money that we move.
    static let news = words(
        """
        REPORT_AVAILABLE RECURRING_CONTRACT ORDER_OPENED ORDER_CLOSED OFFER_CLOSED MANUAL_REVIEW_ACCEPT
        MANUAL_REVIEW_REJECT AUTHENTICATION CANCEL_AUTORESCUE PREARBITRATION_OPEN SCHEME_ARBITRATION
        REQUEST_FOR_INFORMATION INFORMATION_SUPPLIED NOTIFICATION_OF_CHARGEBACK NOTIFICATION_OF_FRAUD
        DISPUTE_DEFENSE_PERIOD_ENDED ISSUER_RESPONSE_TIMEFRAME_EXPIRED ISSUER_COMMENTS ACH_NOTIFICATION_OF_CHANGE
        DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION
        """)

    /// Webhooks about money that moves on its own, beside anything that we asked for.
    static let elsewhere = words(
        """
        CHARGEBACK CHARGEBACK_REVERSED SECOND_CHARGEBACK PREARBITRATION_WON PREARBITRATION_LOST
        PREARBITRATION_ACCEPTED PREARBITRATION_DECLINED PREARBITRATION_ISSUER_WITHDRAWN SCHEME_ARBITRATION_LOST
        SCHEME_ARBITRATION_WON EXPIRE AUTORESCUE HANDLED_EXTERNALLY PAYOUT_DECLINE PAYOUT_EXPIRE PAYOUT_THIRDPARTY
        PAIDOUT_REVERSED
        """)

    /// Webhooks of disputes by which the merchant's funds are deducted.
    static let taken: Set<String> = ["CHARGEBACK", "SECOND_CHARGEBACK"]

    static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Members of every message; libraries write some of them in another case.
    static let known = KnownFields(
        """
        SaleToPOIRequest SaleToPOIResponse MessageHeader NexoBlob SecurityTrailer KeyVersion KeyIdentifier Hmac Nonce
        AdyenCryptoVersion ProtocolVersion MessageClass MessageCategory MessageType ServiceID DeviceID SaleID POIID
        AbortRequest AbortResponse AdminRequest AdminResponse BalanceInquiryRequest BalanceInquiryResponse
        CardAcquisitionRequest CardAcquisitionResponse DiagnosisRequest DiagnosisResponse DisplayRequest DisplayResponse
        EnableServiceRequest EnableServiceResponse EventNotification GetTotalsRequest GetTotalsResponse InputRequest
        InputResponse InputUpdateRequest InputUpdateResponse LoginRequest LoginResponse LogoutRequest LogoutResponse
        LoyaltyRequest LoyaltyResponse PaymentRequest PaymentResponse PrintRequest PrintResponse ReconciliationRequest
        ReconciliationResponse ReversalRequest ReversalResponse StoredValueRequest StoredValueResponse
        TransactionStatusRequest TransactionStatusResponse SaleData SaleTransactionID TransactionID TimeStamp OperatorID
        OperatorLanguage ShiftNumber SaleReferenceID SaleTerminalData TokenRequestedType CustomerOrderID CustomerOrderReq
        SaleToPOIData SaleToAcquirerData SaleToIssuerData PaymentTransaction AmountsReq Currency RequestedAmount
        CashBackAmount TipAmount PaidAmount MinimumAmountToDeliver MaximumCashBackAmount MinimumSplitAmount
        OriginalPOITransaction SaleItem TransactionConditions AllowedPaymentBrand AcquirerID DebitPreferredFlag
        AllowedLoyaltyBrand LoyaltyHandling CustomerLanguage ForceOnlineFlag ForceEntryMode MerchantCategoryCode
        PaymentData PaymentType SplitPaymentFlag RequestedValidityDate Instalment PaymentInstrumentData
        CardAcquisitionReference LoyaltyData Response Result ErrorCondition AdditionalResponse POIData POITransactionID
        POIReconciliationID PaymentResult OnlineFlag MerchantOverrideFlag ValidityDate CapturedSignature
        PaymentInstrumentType CardData PaymentBrand MaskedPan PaymentAccountRef EntryMode CardCountryCode
        SensitiveCardData PAN CardSeqNumb ExpiryDate PaymentToken TokenValue ExpiryDateTime AmountsResp AuthorizedAmount
        TotalRebatesAmount TotalFeesAmount CurrencyConversion CustomerApprovedFlag ConvertedAmount AmountValue Rate Markup
        Commission Declaration AuthenticationMethod PaymentAcquirerData MerchantID AcquirerPOIID AcquirerTransactionID
        ApprovalCode HostReconciliationID LoyaltyResult PaymentReceipt DocumentQualifier IntegratedPrintFlag
        RequiredSignatureFlag OutputContent OutputFormat OutputText Text CharacterStyle EndOfLineFlag
        ReceiptReprintFlag MessageReference RepeatedMessageResponse RepeatedResponseMessageBody EventToNotify EventDetails
        RejectedMessage MaintenanceRequiredFlag DisplayOutput AbortReason ReuseCardDataFlag HostTransactionID
        ReversedAmount ReversalReason TransactionAction ServicesEnabled CardAcquisitionTransaction TotalAmount
        CashBackFlag ForceCustomerSelectionFlag HostDiagnosisFlag POIStatus GlobalStatus SecurityOKFlag PEDOKFlag
        CardReaderOKFlag PrinterStatus CommunicationOKFlag FraudPreventionFlag HostStatus IsReachableFlag LoggedSaleID
        DateTime SaleSoftware ProviderIdentification ApplicationName SoftwareVersion CertificationCode
        TerminalEnvironment SaleCapabilities TrainingModeFlag POISerialNumber MaintenanceAllowed ServiceIdentification
        TotalDetails TotalFilter ReconciliationType PrintOutput ResponseMode InputData Device InfoQualify InputCommand
        MaxInputTime PredefinedContent ReferenceID OutputXHTML OutputResult InputResult Input ConfirmedFlag
        MenuEntryNumber DigitInput TextInput FunctionKey Password StoredValueData StoredValueTransactionType
        StoredValueResult live notificationItems NotificationRequestItem additionalData amount currency value eventCode
        eventDate merchantAccountCode merchantReference originalReference operations paymentMethod pspReference reason
        success merchantAccount paymentPspReference status reference merchantRefundReason store industryUsage
        adjustAuthType adjustAuthorisationData paymentReference errorCode message errorType type title detail requestId
        instance invalidFields name response id installationId sdkData setupToken subMerchantData uniqueDeviceIds
        deviceId code kit metadata resultCode refusalReason
        refusalReasonCode shopperReference shopperInteraction shopperEmail shopperStatement recurringProcessingModel
        storedPaymentMethodId brand
        APDUData AccountNumber Alignment AreaSize BankID BarcodeValue BeepKeyFlag CardBrand CardReaderAPDUResponse
        CardStatusWords CharacterHeight CharacterSet CharacterWidth Charges CheckCardNumber CheckData CheckNumber
        Country CumulativeAmount CurrentBalance DefaultInputString DefaultLayoutString DefaultSelectedFlag
        DisableCancelFlag DisableCorrectFlag DisableValidFlag EanUpc FirstAmount FirstPaymentDate FromRightToLeftFlag
        GeographicCoordinates Geolocation GlobalCorrectionFlag IMEI IMSI IdentificationSupport IdentificationType
        ImmediateResponseFlag InstalmentType ItemAmount Language Latitude Longitude LoyaltyAccount LoyaltyAccountID
        LoyaltyAcquirerData LoyaltyAcquirerID LoyaltyBrand LoyaltyID LoyaltyTransactionID MSISDN ManufacturerID
        MaskCharactersFlag MaskedMSISDN MaxDecimalLength MaxLength MenuBackFlag MenuEntry MenuEntryTag MinLength
        MinimumDisplayTime MobileCountryCode MobileData MobileNetworkCode NotifyCardInputFlag OutputBarcode
        OutputSignature OwnerName POISoftware POISystemData PaymentCurrency PaymentTotals Period PeriodUnit PlanID
        ProductCode ProtectedCardData ProtectedMobileData ProtectedSignature ResponseRequiredFlag SensitiveMobileData
        SequenceNumber SignaturePoint StartColumn StartRow StatementReference StoredValueAccountID
        StoredValueAccountStatus StoredValueAccountType StoredValueID StoredValueProvider StringMask
        TokenRequestStatus TotalNbOfPayments TotalsGroupID TrackData TrackFormat TrackNumb TrackValue
        TransactionAmount TransactionCount TransactionTotals TransactionType TypeCode UTMCoordinates UTMEastward
        UTMNorthward UTMZone WaitUserValidationFlag X Y
        """, open: "additionalData metadata", ignoresCase: true)
}

extension AdyenNotices {
    /// What an item says to an inspection.
    static func inspection(_ json: JSON) -> Inspection {
        guard let item = NotificationItem(json) else { return .unknown("webhook") }
        var found = judged(item)
        found.amount = amount(item)
        found.attempt = item.merchantReference.isEmpty ? nil : item.merchantReference
        found.providerReference = item.pspReference
        found.originalReference = item.originalReference.isEmpty ? nil : item.originalReference
        return found
    }

    private static func judged(_ item: NotificationItem) -> Inspection {
        let code = item.eventCode
        if AdyenMembers.taken.contains(code), item.success == "true" { return Inspection(code, .none, .executed) }
        guard let meaning = meanings(item).first, !meaning.operations.isEmpty,
            !AdyenMembers.elsewhere.contains(code) || code == "EXPIRE"
        else {
            if code == "POSTPONED_REFUND", item.success == "true" { return Inspection(code, .pending, .unknown) }
            if AdyenMembers.elsewhere.contains(code) { return Inspection(code, .none, .unknown) }
            return AdyenMembers.news.contains(code) ? Inspection(code, .none, .notExecuted) : .unknown(code)
        }
        switch meaning.verdict {
        case nil, .pending: return .unknown(code)
        // What waited is stopped, and that is what was wanted: the money stays where it is.
        case .cancelled: return Inspection(code, .approved, .notExecuted)
        // A hold that is let go was no money yet.
        case .approved where meaning.operations == [.void]: return Inspection(code, .approved, .notExecuted)
        case .declined where code != "AUTHORISATION":
            var found = Inspection(code, .failed, .notExecuted)
            found.problem = Inspection.Problem(code, .providerFailed, item.reason)
            return found
        case .approved, .declined: return Inspection(code, meaning.verdict)
        }
    }
}
