internal import PaymentBase
internal import PaymentProviderKit

/// The names that the documents have for members and values, to tell what they don't name.
enum AdyenMembers {
    /// Kinds of a payment by which money is taken, and the one by which it is given.
    static let payments: Set<String> = [
        "Normal", "Refund", "OneTimeReservation", "FirstReservation", "UpdateReservation", "Completion", "Recurring",
        "Instalment", "IssuerInstalment",
    ]

    /// What terminals tell by themselves, but for a rejection.
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
        MANUAL_REVIEW_REJECT AUTHENTICATION CANCEL_AUTORESCUE PREARBITRATION_OPEN REQUEST_FOR_INFORMATION INFORMATION_SUPPLIED NOTIFICATION_OF_CHARGEBACK
        NOTIFICATION_OF_FRAUD DISPUTE_DEFENSE_PERIOD_ENDED ISSUER_RESPONSE_TIMEFRAME_EXPIRED ISSUER_COMMENTS
        """)

    /// Webhooks about money that moves by itself, beside anything that we asked for.
    static let elsewhere = words(
        """
        CHARGEBACK CHARGEBACK_REVERSED SECOND_CHARGEBACK PREARBITRATION_WON PREARBITRATION_LOST EXPIRE AUTORESCUE
        HANDLED_EXTERNALLY PAYOUT_DECLINE PAYOUT_EXPIRE PAYOUT_THIRDPARTY
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
