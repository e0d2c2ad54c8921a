// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand.

extension ContractData {
    static let halo1 = #"""
        AppleTransaction={generalCardData=s?,merchantReference=s?,paymentCardData=s?}^;
        error.500={error=s?}^;
        pin.201.approved+pin.201.declined={onlineAuthorizationResponse={association=s?,authorizationCode=s?,
        cardScheme=s?,cardType=s?,customValues=o?^,errorCode=i?,errorMessage=s?,expiryDate=s?,haloReference=s?,
        isSingleTapAndPin=b?,isoResponseCode=s?,maskedPAN=s?,paymentProviderReference=s?,tags=l?,type=s?}?^}^;
        proximityToken.200={expiresAt=s?,issuedAt=s?,jwtId=s?,token=s?}^;
        proximityToken.500={error=s?}^;
        record={acquirerId=i?,amount=s?,authorisationCode=s?,createdAt=s?,currency=s?,details=[{maskedPAN=s?,
        paymentProviderId=i?,tags=[{tag=s?,value=s?}?^]?}?^]?,deviceinstallationId=s?,id=s?,latitude=s?,
        longitude=s?,merchantTransactionReference=s?,originalTransactionId=sz?,passthroughUserId=z?,receiptData={
        aid=s?,amount=s?,applicationLabel=s?,applicationPreferredName=z?,approvalText=s?,association=s?,
        authorizationCode=s?,cryptogram=s?,cryptogramType=s?,currency=s?,date=s?,effectiveDate=s?,expiryDate=z?,
        formattedMerchantAddress=s?,isoResponseCode=s?,maskedPan=s?,merchantName=s?,tid=s?,time=s?,
        transactionReference=s?,transactionType=s?,tvr=s?}?^,responseCode=is?,transactionDispositionId=is?,
        transactionFee=z?,transactionFeesConfigId=z?,transactionTypeId=is?,transactionstatusId=is?,updatedAt=s?,
        userId=s?}^;
        #0={acquirerId=i?,amount=s?,authorisationCode=s?,createdAt=s?,currency=s?,details=[{maskedPAN=s?,
        paymentProviderId=i?,tags=[{tag=s?,value=s?}?^]?}?^]?,deviceinstallationId=s?,id=s?,latitude=s?,
        longitude=s?,merchantTransactionReference=s?,originalTransactionId=sz?,passthroughUserId=z?,receiptData={
        aid=s?,amount=s?,applicationLabel=s?,applicationPreferredName=z?,approvalText=s?,association=s?,
        authorizationCode=s?,cryptogram=s?,cryptogramType=s?,currency=s?,date=s?,effectiveDate=s?,expiryDate=z?,
        formattedMerchantAddress=s?,isoResponseCode=s?,maskedPan=s?,merchantName=s?,tid=s?,time=s?,
        transactionReference=s?,transactionType=s?,tvr=s?}?^,responseCode=is?,transactionDispositionId=is?,
        transactionFee=z?,transactionFeesConfigId=z?,transactionTypeId=is?,transactionstatusId=is?,updatedAt=s?,
        userId=s?}^;
        record[]=[#0];
        refund.200={association=s?,authorizationCode=s?,errorCode=i?,errorMessage=s?,expiryDate=s?,
        haloReference=s?,isoResponseCode=is?,paymentProviderReference=s?,tags=[{tag=s?,value=s?}?^]?,type=s?}^;
        refund.request={amount=n?,refundReference=s?}^;
        submit.200={onlineAuthorizationResponse={association=s?,authorizationCode=s?,cardReaderId=s?,
        cardReaderTransactionId=s?,cardScheme=s?,cardType=s?,customValues=o?^,errorCode=i?,errorMessage=s?,
        expiryDate=s?,haloReference=s?,isSingleTapAndPin=b?,isoResponseCode=s?,maskedPAN=s?,
        paymentProviderReference=s?,pinToken=s?,tags=l?,type=s?}?^}^;
        submit.201.pin+submit.201.declined={onlineAuthorizationResponse={association=s?,authorizationCode=s?,
        cardReaderId=s?,cardReaderTransactionId=s?,cardScheme=s?,cardType=s?,customValues=o?^,errorCode=i?,
        errorMessage=s?,expiryDate=s?,haloReference=s?,isSingleTapAndPin=b?,isoResponseCode=s?,maskedPAN=s?,
        paymentProviderReference=s?,pinToken=s?,tags=l?,type=s?}?^}^;
        webhook={amount=n?,authorisationCode=s?,currency=s?,deviceInstallationId=s?,disposition=s?,errorCode=n?,
        haloReference=s?,id=s?,merchantReference=s?,paymentProviderFields=a?,paymentProviderId=a?,
        paymentProviderReference=s?}^;
        """#
}
