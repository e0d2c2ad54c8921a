/// The payment of 10.99 euros at a terminal and its approval, as they go over the wire.
enum JSONFixture {
    static let request = Array(
        #"""
        {"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\#
        "MessageCategory":"Payment","MessageType":"Request","ServiceID":"0207111104","SaleID":"TILL-7",\#
        "POIID":"V400m-324688042"},\#
        "PaymentRequest":{"SaleData":{"SaleTransactionID":{"TransactionID":"order-1001",\#
        "TimeStamp":"2026-01-05T09:15:00.000Z"},"SaleToAcquirerData":"tenderOption=ReceiptHandler"},\#
        "PaymentTransaction":{"AmountsReq":{"Currency":"EUR","RequestedAmount":10.99}}}}}
        """#.utf8)

    static let response = Array(
        #"""
        {"SaleToPOIResponse":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service",\#
        "MessageCategory":"Payment","MessageType":"Response","ServiceID":"0207111104","SaleID":"TILL-7",\#
        "POIID":"V400m-324688042"},"PaymentResponse":{"Response":{"Result":"Success",\#
        "AdditionalResponse":"tid=24688042&authCode=123456&pspReference=8515565295894301&posAuthAmountValue=\#
        1099&cardHolderName=A%20B"},"SaleData":{"SaleTransactionID":{"TransactionID":"order-1001",\#
        "TimeStamp":"2026-01-05T09:15:00.000Z"}},\#
        "POIData":{"POITransactionID":{"TransactionID":"4r7i001556529591000.8515565295894301",\#
        "TimeStamp":"2026-01-05T09:15:09.000Z"}},"PaymentResult":{"OnlineFlag":true,\#
        "PaymentInstrumentData":{"PaymentInstrumentType":"Card","CardData":{"PaymentBrand":"mc",\#
        "MaskedPan":"541333 **** 9999","EntryMode":["Contactless"]}},"AmountsResp":{"Currency":"EUR",\#
        "AuthorizedAmount":10.99},"PaymentAcquirerData":{"MerchantID":"TestMerchant",\#
        "AcquirerPOIID":"V400m-324688042","AcquirerTransactionID":{"TransactionID":"8515565295894301",\#
        "TimeStamp":"2026-01-05T09:15:08.000Z"},"ApprovalCode":"123456"}}}}}
        """#.utf8)
}
