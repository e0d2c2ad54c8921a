// The messages of a terminal payment, as plain structs that Foundation reads and writes through `Codable`.

/// An amount in minor units; `Codable` has no exact form for it and has to round a binary fraction.
struct Amount: Codable, Equatable {
    var minor: Int64

    init(minor: Int64) { self.minor = minor }

    init(from decoder: any Decoder) throws {
        minor = Int64((try decoder.singleValueContainer().decode(Double.self) * 100).rounded())
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Double(minor) / 100)
    }
}

struct TransactionID: Codable, Equatable {
    var transactionID: String
    var timeStamp: String

    enum CodingKeys: String, CodingKey {
        case transactionID = "TransactionID"
        case timeStamp = "TimeStamp"
    }
}

struct MessageHeader: Codable, Equatable {
    var protocolVersion: String
    var messageClass: String
    var messageCategory: String
    var messageType: String
    var serviceID: String
    var saleID: String
    var poiID: String

    enum CodingKeys: String, CodingKey {
        case protocolVersion = "ProtocolVersion"
        case messageClass = "MessageClass"
        case messageCategory = "MessageCategory"
        case messageType = "MessageType"
        case serviceID = "ServiceID"
        case saleID = "SaleID"
        case poiID = "POIID"
    }
}

struct SaleData: Codable, Equatable {
    var saleTransactionID: TransactionID
    var saleToAcquirerData: String?

    enum CodingKeys: String, CodingKey {
        case saleTransactionID = "SaleTransactionID"
        case saleToAcquirerData = "SaleToAcquirerData"
    }
}

struct AmountsReq: Codable, Equatable {
    var currency: String
    var requestedAmount: Amount

    enum CodingKeys: String, CodingKey {
        case currency = "Currency"
        case requestedAmount = "RequestedAmount"
    }
}

struct PaymentTransaction: Codable, Equatable {
    var amountsReq: AmountsReq

    enum CodingKeys: String, CodingKey {
        case amountsReq = "AmountsReq"
    }
}

struct PaymentRequest: Codable, Equatable {
    var saleData: SaleData
    var paymentTransaction: PaymentTransaction

    enum CodingKeys: String, CodingKey {
        case saleData = "SaleData"
        case paymentTransaction = "PaymentTransaction"
    }
}

struct RequestMessage: Codable, Equatable {
    var header: MessageHeader
    var payment: PaymentRequest

    enum CodingKeys: String, CodingKey {
        case header = "MessageHeader"
        case payment = "PaymentRequest"
    }
}

struct RequestEnvelope: Codable, Equatable {
    var request: RequestMessage

    enum CodingKeys: String, CodingKey {
        case request = "SaleToPOIRequest"
    }
}

struct ResponseResult: Codable, Equatable {
    var result: String
    var additionalResponse: String?

    enum CodingKeys: String, CodingKey {
        case result = "Result"
        case additionalResponse = "AdditionalResponse"
    }
}

struct POIData: Codable, Equatable {
    var poiTransactionID: TransactionID

    enum CodingKeys: String, CodingKey {
        case poiTransactionID = "POITransactionID"
    }
}

struct CardData: Codable, Equatable {
    var paymentBrand: String
    var maskedPan: String
    var entryMode: [String]

    enum CodingKeys: String, CodingKey {
        case paymentBrand = "PaymentBrand"
        case maskedPan = "MaskedPan"
        case entryMode = "EntryMode"
    }
}

struct InstrumentData: Codable, Equatable {
    var paymentInstrumentType: String
    var cardData: CardData

    enum CodingKeys: String, CodingKey {
        case paymentInstrumentType = "PaymentInstrumentType"
        case cardData = "CardData"
    }
}

struct AmountsResp: Codable, Equatable {
    var currency: String
    var authorizedAmount: Amount

    enum CodingKeys: String, CodingKey {
        case currency = "Currency"
        case authorizedAmount = "AuthorizedAmount"
    }
}

struct AcquirerData: Codable, Equatable {
    var merchantID: String
    var acquirerPOIID: String
    var acquirerTransactionID: TransactionID
    var approvalCode: String

    enum CodingKeys: String, CodingKey {
        case merchantID = "MerchantID"
        case acquirerPOIID = "AcquirerPOIID"
        case acquirerTransactionID = "AcquirerTransactionID"
        case approvalCode = "ApprovalCode"
    }
}

struct PaymentResult: Codable, Equatable {
    var onlineFlag: Bool
    var instrument: InstrumentData
    var amounts: AmountsResp
    var acquirer: AcquirerData

    enum CodingKeys: String, CodingKey {
        case onlineFlag = "OnlineFlag"
        case instrument = "PaymentInstrumentData"
        case amounts = "AmountsResp"
        case acquirer = "PaymentAcquirerData"
    }
}

struct PaymentResponse: Codable, Equatable {
    var response: ResponseResult
    var saleData: SaleData
    var poiData: POIData
    var paymentResult: PaymentResult

    enum CodingKeys: String, CodingKey {
        case response = "Response"
        case saleData = "SaleData"
        case poiData = "POIData"
        case paymentResult = "PaymentResult"
    }
}

struct ResponseMessage: Codable, Equatable {
    var header: MessageHeader
    var payment: PaymentResponse

    enum CodingKeys: String, CodingKey {
        case header = "MessageHeader"
        case payment = "PaymentResponse"
    }
}

struct ResponseEnvelope: Codable, Equatable {
    var response: ResponseMessage

    enum CodingKeys: String, CodingKey {
        case response = "SaleToPOIResponse"
    }
}
