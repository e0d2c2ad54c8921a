// Made by Scripts/stubs of Tests/Contracts/sdk/arise-0.0.6.symbols.tsv; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
public import Foundation
public import ProximityReader
public import UIKit
#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public struct TransactionDetails {
    public let transactionId: String?
    public let transactionDateTime: Date?
    public let orderNumber: String?
    public let amount: TransactionReceiptAmountDto?
    public let currency: Currency?
    public let baseAmount: Double?
    public let totalAmount: Double?
    public let processorId: String?
    public let processor: String?
    public let operationType: OperationType?
    public let transactionType: TransactionType?
    public let paymentMethodType: PaymentMethodType?
    public let customerId: String?
    public let customerPan: String?
    public let cardTokenType: CardTokenType?
    public let status: TransactionStatus?
    public let merchantName: String?
    public let merchantAddress: String?
    public let merchantPhoneNumber: String?
    public let merchantEmailAddress: String?
    public let merchantWebsite: String?
    public let authCode: String?
    public let source: SourceResponseDto?
    public let responseCode: String?
    public let responseDescription: String?
    public let cardholderAuthenticationMethodId: CardholderAuthenticationMethod?
    public let cardholderAuthenticationMethod: String?
    public let cvmResultMsg: String?
    public let cardDataSourceId: CardDataSource?
    public let cardDataSource: String?
    public let cardProcessingDetails: CardDetailsDto?
    public let achProcessingDetails: ElectronicCheckDetails?
    public let availableOperations: [TransactionOperation]?
    public let avsResponse: AvsResponseDto?
    public let emvTags: EmvTagsDto?
    public let tsysCardDetails: TsysCardDetailsDto?
    public let achDetails: AchDetailsDto?
    public init(transactionId: String?, transactionDateTime: Date?, orderNumber: String?, amount: TransactionReceiptAmountDto?, currency: Currency?, baseAmount: Double?, totalAmount: Double?, processorId: String?, processor: String?, operationType: OperationType?, transactionType: TransactionType?, paymentMethodType: PaymentMethodType?, customerId: String?, customerPan: String?, cardTokenType: CardTokenType?, status: TransactionStatus?, merchantName: String?, merchantAddress: String?, merchantPhoneNumber: String?, merchantEmailAddress: String?, merchantWebsite: String?, authCode: String?, source: SourceResponseDto?, responseCode: String?, responseDescription: String?, cardholderAuthenticationMethodId: CardholderAuthenticationMethod?, cardholderAuthenticationMethod: String?, cvmResultMsg: String?, cardDataSourceId: CardDataSource?, cardDataSource: String?, cardProcessingDetails: CardDetailsDto?, achProcessingDetails: ElectronicCheckDetails?, availableOperations: [TransactionOperation]?, avsResponse: AvsResponseDto?, emvTags: EmvTagsDto?, tsysCardDetails: TsysCardDetailsDto?, achDetails: AchDetailsDto?) { fatalError() }
}

public struct TransactionFilters {
    public let page: Int?
    public let pageSize: Int?
    public let orderBy: String?
    public let asc: Bool?
    public let createMethodId: CreateMethodId?
    public let createdById: String?
    public let batchId: String?
    public let noBatch: Bool?
    public init(page: Int? = nil, pageSize: Int? = nil, orderBy: String? = nil, asc: Bool? = nil, createMethodId: CreateMethodId? = nil, createdById: String? = nil, batchId: String? = nil, noBatch: Bool? = nil) throws { fatalError() }
}

public struct TransactionOperation {
    public let typeId: Int?
    public let type: String?
    public let availableAmount: Double?
    public let suggestedTips: [SuggestedTipsDto]?
    public init(typeId: Int?, type: String?, availableAmount: Double?, suggestedTips: [SuggestedTipsDto]?) { fatalError() }
}

public struct TransactionReceiptAmountDto {
    public let baseAmount: Double?
    public let percentageOffAmount: Double?
    public let percentageOffRate: Double?
    public let cashDiscountAmount: Double?
    public let cashDiscountRate: Double?
    public let surchargeAmount: Double?
    public let surchargeRate: Double?
    public let tipAmount: Double?
    public let tipRate: Double?
    public let totalAmount: Double?
    public init(baseAmount: Double?, percentageOffAmount: Double?, percentageOffRate: Double?, cashDiscountAmount: Double?, cashDiscountRate: Double?, surchargeAmount: Double?, surchargeRate: Double?, tipAmount: Double?, tipRate: Double?, totalAmount: Double?) { fatalError() }
}

public struct TransactionReceiptDto {
    public let transactionId: String?
    public let transactionDateTime: Date?
    public let orderNumber: String?
    public let amount: TransactionReceiptAmountDto?
    public let currency: Currency?
    public let processorId: String?
    public let processor: String?
    public let operationType: OperationType?
    public let transactionType: TransactionType?
    public let paymentMethodType: PaymentMethodType?
    public let customerId: String?
    public let customerPan: String?
    public let cardTokenType: CardTokenType?
    public let status: TransactionStatus?
    public let merchantName: String?
    public let merchantAddress: String?
    public let merchantPhoneNumber: String?
    public let merchantEmailAddress: String?
    public let merchantWebsite: String?
    public let authCode: String?
    public let source: SourceResponseDto?
    public let responseCode: String?
    public let responseDescription: String?
    public let cardholderAuthenticationMethodId: CardholderAuthenticationMethod?
    public let cardholderAuthenticationMethod: String?
    public let cvmResultMsg: String?
    public let cardDataSourceId: CardDataSource?
    public let cardDataSource: String?
    public let cardProcessingDetails: CardDetailsDto?
    public let achProcessingDetails: ElectronicCheckDetails?
    public let availableOperations: [TransactionOperation]?
    public let avsResponse: AvsResponseDto?
    public let emvTags: EmvTagsDto?
    public init(transactionId: String?, transactionDateTime: Date?, orderNumber: String?, amount: TransactionReceiptAmountDto?, currency: Currency?, processorId: String?, processor: String?, operationType: OperationType?, transactionType: TransactionType?, paymentMethodType: PaymentMethodType?, customerId: String?, customerPan: String?, cardTokenType: CardTokenType?, status: TransactionStatus?, merchantName: String?, merchantAddress: String?, merchantPhoneNumber: String?, merchantEmailAddress: String?, merchantWebsite: String?, authCode: String?, source: SourceResponseDto?, responseCode: String?, responseDescription: String?, cardholderAuthenticationMethodId: CardholderAuthenticationMethod?, cardholderAuthenticationMethod: String?, cvmResultMsg: String?, cardDataSourceId: CardDataSource?, cardDataSource: String?, cardProcessingDetails: CardDetailsDto?, achProcessingDetails: ElectronicCheckDetails?, availableOperations: [TransactionOperation]?, avsResponse: AvsResponseDto?, emvTags: EmvTagsDto?) { fatalError() }
}

public struct TransactionResponse {
    public let transactionId: String?
    public let transactionDateTime: Date?
    public let transactionType: TransactionType?
    public let status: TransactionStatus?
    public let details: TransactionResponseDetailsDto?
    public let transactionReceipt: TransactionReceiptDto?
    public var authCode: String? { get { fatalError() } }
    public var responseDescription: String? { get { fatalError() } }
    public var avsResponse: AvsResponseDto? { get { fatalError() } }
    public init(transactionId: String?, transactionDateTime: Date?, transactionType: TransactionType?, status: TransactionStatus?, details: TransactionResponseDetailsDto?, transactionReceipt: TransactionReceiptDto?) { fatalError() }
}

public struct TransactionResponseDetailsDto {
    public let hostResponseCode: String?
    public let hostResponseMessage: String?
    public let hostResponseDefinition: String?
    public let code: String?
    public let message: String?
    public let processorResponseCode: String?
    public let authCode: String?
    public let maskedPan: String?
    public init(hostResponseCode: String?, hostResponseMessage: String?, hostResponseDefinition: String?, code: String?, message: String?, processorResponseCode: String?, authCode: String?, maskedPan: String?) { fatalError() }
}

public struct TransactionsResponse {
    public let items: [TransactionSummary]
    public let total: Int
    public init(items: [TransactionSummary], total: Int) { fatalError() }
}

public enum TransactionStatus: String, CaseIterable {
    case authorized
    case captured
    case voided
    case refunded
    case verified
    case settled
    case partiallyAuthorized
    case informational
    case scheduled
    case cancelled
    case chargedBack
    case inProgress
    case cleared
    case held
    case heldByProcessor
    case pending
    case declined
    case failed
    public var displayName: String { get { fatalError() } }
}

public struct TransactionSummary {
    public let id: String
    public let paymentProcessorId: String
    public let date: Date?
    public let baseAmount: Double
    public let totalAmount: Double
    public let surchargeAmount: Double?
    public let surchargePercentage: Double?
    public let currency: Currency?
    public let merchant: String?
    public let merchantId: String
    public let operationMode: String?
    public let paymentMethodType: PaymentMethodType?
    public let paymentMethodName: String?
    public let customerName: String?
    public let customerCompany: String?
    public let customerPan: String?
    public let cardTokenType: CardTokenType?
    public let customerEmail: String?
    public let customerPhone: String?
    public let status: TransactionStatus?
    public let transactionType: TransactionType?
    public let batchId: String?
    public let source: SourceResponseDto
    public let availableOperations: Array<AvailableOperation>?
    public let amount: AmountDto
    public init(id: String, paymentProcessorId: String = "", date: Date? = nil, baseAmount: Double, totalAmount: Double, surchargeAmount: Double? = nil, surchargePercentage: Double? = nil, currency: Currency? = nil, merchant: String? = nil, merchantId: String, operationMode: String? = nil, paymentMethodType: PaymentMethodType? = nil, paymentMethodName: String? = nil, customerName: String? = nil, customerCompany: String? = nil, customerPan: String? = nil, cardTokenType: CardTokenType? = nil, customerEmail: String? = nil, customerPhone: String? = nil, status: TransactionStatus? = nil, transactionType: TransactionType? = nil, batchId: String? = nil, source: SourceResponseDto, availableOperations: Array<AvailableOperation>? = nil, amount: AmountDto) { fatalError() }
}

public enum TransactionType: String, CaseIterable {
    case authorization
    case sale
    case capture
    case void
    case refund
    case cardAuthentication
    case refundWORef
    case tipAdjustment
    case achDebit
    case achRefund
    case achHold
    case achUnHold
    case achCancel
    case achCredit
    public var displayName: String { get { fatalError() } }
}

public struct TsysCardDetailsDto: Equatable {
    public let authCode: String?
    public let mid: String?
    public let tid: String?
    public init(authCode: String? = nil, mid: String? = nil, tid: String? = nil) { fatalError() }
}

public enum ApiPermission: Int, Codable, Hashable, Sendable {
    case posStartTransaction
    case posGetTransactions
    case posGetTransactionDetails
    case posCancelTransaction
    case posPrintReceipt
    case getTerminalList
    case getTerminalInformation
    case ecommerceAuth
    case ecommerceSale
    case ecommerceCapture
    case ecommerceVoid
    case ecommerceRefund
    case ecommerceRefundWithoutReference
    case achDebit
    case achCredit
    case achVoid
    case achHold
    case achUnhold
    case listTransactions
    case getTransactionDetails
    case calculateTransactionAmount
    case submitTipAdjustment
    case getSettlementBatches
    case submitBatchForSettlement
    case sendReceiptBySms
    case listCustomers
    case getCustomerDetails
    case manageCustomers
    case hostedInvoices
    case hostedQuickPayment
    case hostedSubscriptions
    case hostedWebComponents
    case hostedWooCommerce
    case featureTapToPayOnMobile
    case generalPing
    case generalStatus
    case generalConfigurations
}

public struct TTPCVMData: Codable, Equatable {
    public let tag: String?
    public let value: String?
    public init(tag: String? = nil, value: String? = nil) { fatalError() }
}
