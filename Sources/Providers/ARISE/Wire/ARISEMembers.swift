/// The names that the documents have for members.
enum ARISEMembers {
    static let names = """
        access_token accountHolderName accountHolderType accountHolderTypeId accountNumber accountType accountTypeId ac
        ach achDetails achProcessingDetails action actionId aid amount apiVersion applicationCryptogram
        applicationIdentifier applicationLabel applicationPANSequenceNumber applicationPreferredName
        applicationTransactionCounter asc authCode authenticated authorisationResponseCode authorizationCode
        authorizedAmount authorizedDate authorizedDateFormat availableAmount availableCardTypes availableCurrencies
        availableOperations availablePaymentProcessors availableTransactionTypes avs avsResponse baseAmount batchId
        billingAddress cardBrandName cardCreditDebitType cardCreditDebitTypeId cardDataSource cardDataSourceId
        cardProcessingDetails cardTokenType cardType cardTypeId cardholderAuthenticationMethod
        cardholderAuthenticationMethodId cash cashDiscountAmount cashDiscountRate cause city client_id client_secret
        clientId clientSecret code codeDescription companyName contactInfo correlationId countryId created creditCard
        currency currencyCode currencyId currencyIsoCode customerAccountNumber customerCompany customerEmail customerId
        customerInitiatedTransaction customerName customerPan customerPhone customerRoutingNumber cvmAction
        cvmResultMsg cvmTags data date debit debitCard defaultCashDiscountRate defaultDualPricingRate
        defaultSurchargeRate defaultTipsOptions details deviceId deviceName devices discount documentationUrl
        dutyCharges email emvFallbackCondition emvFallbackLastChipRead emvPaymentAppVersion emvTags entityId error
        error_description error_uri errorCode errors exceptionType expirationMonth expirationYear expires_in expiresAt
        externalReferenceID firstName generalCardData grant_type group groupId hostResponseCode hostResponseDefinition
        hostResponseMessage hours id invoiceNumber isCustomerCardSavingByTerminalEnabled isDefault isDuplicate
        isEnabled issuerApplicationData isTipsEnabled items jwtToken key l2 l3 lastLoginAt lastName line1 line2
        maskedCardNumber maskedPan maxTransactionAmount mccCode mccCodeDescription merchant merchantAddress
        merchantEmailAddress merchantId merchantName merchantPhoneNumber merchantWebsite message mid minutes
        mobileNumber name object operationMode operationType operationTypeId orderId orderNumber paymentCardData
        paymentMethodId paymentMethodName paymentMethodType paymentMethodTypeId paymentProcessorId percentageOffAmount
        percentageOffRate permissions pin pinKsn postalCode processCreditDebitType processCreditDebitTypeId
        processedAmount processor processorId processorResponseCode products profile profileId purchaseOrder rawTags
        referenceId refresh_token requesterIpAddress resolution resourceType responseCode responseDescription result resultId
        routingNumber rrn salesTaxRate scope secCode securityCode settlementBatchTimeSlots shippingAddress shippingCharges
        smsNotification source stateId stateName status statusCode statusId subTotal suggestedTips surchargeAmount
        surchargePercentage surchargeRate tag tapToPayEnabled tapToPayStatus tapToPayStatusId taxAmount taxId taxRate
        terminalVerificationResults tid timezoneName tip tipAmount tipPercent tipRate title token_type tokenName total
        totalAmount traceId traceNumber track1 track2 transactionDateTime transactionId transactionOutcome
        transactionReceipt transactionStatusId transactionType transactionTypeId tsi ttpIosTerminalProfileId tvr type
        typeId useCardPrice userProfiles value zeroCostProcessingOption zeroCostProcessingOptionId
        """
    /// Whose own members no document lists.
    static let open = "partnerDataMap tsysCardDetails achProcessingDetails errors raw"
}
