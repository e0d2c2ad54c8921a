/// What an access may do; the raw value is the number on the wire.
enum ARISEPermission: Int64, CaseIterable, Sendable {
    case posStartTransaction, posGetTransactions, posGetTransactionDetails, posCancelTransaction, posPrintReceipt
    case getTerminalList, getTerminalInformation
    case ecommerceAuth, ecommerceSale, ecommerceCapture, ecommerceVoid, ecommerceRefund
    case ecommerceRefundWithoutReference
    case achDebit, achCredit, achVoid, achHold, achUnhold
    case listTransactions, getTransactionDetails, calculateTransactionAmount, submitTipAdjustment
    case getSettlementBatches, submitBatchForSettlement, sendReceiptBySms
    case listCustomers, getCustomerDetails, manageCustomers
    case hostedInvoices, hostedQuickPayment, hostedSubscriptions, hostedWebComponents, hostedWooCommerce
    case featureTapToPayOnMobile, generalPing, generalStatus, generalConfigurations
}
