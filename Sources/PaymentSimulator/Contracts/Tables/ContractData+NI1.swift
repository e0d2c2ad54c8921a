// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand.

extension ContractData {
    static let ni1 = #"""
        accessToken.200={access_token=s?,expires_in=i?,token_type=s?}^;
        authorise.200={amount={currencyCode=s?,value=i?}?^,authResponse={authorizationCode=s?,mid=s?,
        resultCode=s?,resultMessage=s?,success=b?}?^,orderReference=s?,outletId=s?,reference=s?,state=s?,
        updateDateTime=s?}^;
        authorise.request={language=s?,locale=s?,payment=s?,tid=s?}^;
        capture.200={_embedded={cnp:capture=[{amount={currencyCode=s?,value=i?}?^,createdTime=s?,state=s?}?^]?}?^,
        amount={currencyCode=s?,value=i?}?^,orderReference=s?,reference=s?,state=s?}^;
        capture.request={amount={currencyCode=s?,value=i?}?^}^;
        deviceToken.200={access_token=s?,expires_in=i?,token_type=s?}^;
        deviceToken.request={deviceCode=s?,deviceIdentifier=s?,tid=s?,userCode=s?}^;
        #0={currencyCode=s?,minorUnit=i?,value=i?}?^;
        order.200={_embedded={events=l?}?^,action=s?,amount={currencyCode=s?,formattedValue=s?,value=i?}?^,
        captureStatus=s?,capturesNRefunds=[{action=s?,eventGroupType=s?,eventName=s?,payload={amount={
        currencyCode=s?,value=i?}?^,paymentProcessor=s?,reference=s?}?^,status=s?,timestamp=s?}?^]?,channel=s?,
        createDateTime=s?,device={code=s?,name=s?,reference=s?}?^,outletId=s?,outletName=s?,paymentCards=[{
        cardScheme=s?,cardholderName=s?,expiry=s?,maskedPanNumber=s?,paymentAmount=i?,paymentCurrency=s?,
        paymentMethod=s?,paymentReference=s?}?^]?,paymentInfo={authorised=#0,captured=#0,net=#0,pending=#0,
        refunded=#0}?^,reference=s?,status=s?,tid=s?}^;
        payments.200={items=[{action=s?,amount=s?,authCode=s?,cardPan=s?,cardScheme=s?,cardholderName=s?,
        channel=s?,createdDateTime=s?,currencyCode=s?,lastEvent=s?,outletName=s?,reference=s?,refundedAmount=sz?,
        rrn=s?,status=s?}?^]?}^;
        readerToken.200={token=s?}^;
        readerToken.request={currency=s?}^;
        refund.200={refundId=s?,status=s?}^;
        void.200={status=s?,voidId=s?}^;
        """#
}
