#if canImport(ARISEMobileSDK) || canImport(FluteMobileSDK)
#if canImport(ARISEMobileSDK)
import ARISEMobileSDK
#else
import FluteMobileSDK
#endif
import Foundation
import PaymentBase
import PaymentMobileSDKs
import ProximityReader

nonisolated extension SDKDecimal {
    /// As the SDK wants numbers; what it makes of them is compared with the amount that it approves.
    var binary: Double { Double(text) ?? .nan }
}

nonisolated extension ARISEPhoneSDK.CalculateAmountResponse {
    init(_ said: CalculateAmountResponse) throws {
        try self.init(
            currency: said.currency.map { .init(rawValue: $0.rawValue) },
            cash: said.cash.map { try .init($0) }, creditCard: said.creditCard.map { try .init($0) },
            debitCard: said.debitCard.map { try .init($0) }, ach: said.ach.map { try .init($0) })
        zeroCostProcessingOption = said.zeroCostProcessingOption.map { .init(rawValue: $0.rawValue) }
        useCardPrice = said.useCardPrice
    }
}

nonisolated extension ARISEPhoneSDK.AmountDto {
    fileprivate init(_ said: AmountDto) throws {
        func exact(_ number: Double) throws -> SDKDecimal {
            guard let text = SDKDecimal(String(number)) else {
                throw AriseApiError.invalidResponse("an amount is no number")
            }
            return text
        }
        self.init(
            baseAmount: try exact(said.baseAmount), percentageOffAmount: try exact(said.percentageOffAmount),
            percentageOffRate: try exact(said.percentageOffRate),
            cashDiscountAmount: try exact(said.cashDiscountAmount),
            cashDiscountRate: try exact(said.cashDiscountRate), surchargeAmount: try exact(said.surchargeAmount),
            surchargeRate: try exact(said.surchargeRate), tipAmount: try exact(said.tipAmount),
            tipRate: try exact(said.tipRate), taxAmount: try exact(said.taxAmount), taxRate: try exact(said.taxRate),
            totalAmount: try exact(said.totalAmount))
    }
}

nonisolated extension ARISEPhoneSDK.TTPTransactionResult {
    init(_ said: TTPTransactionResult) {
        let status: ARISEPhoneSDK.TTPTransactionStatus =
            switch said.status {
            case .approved: .approved
            case .declined: .declined
            case .cancelled: .cancelled
            case .failed: .failed
            @unknown default: .init(rawValue: said.status.rawValue)
            }
        self.init(status: status)
        (transactionId, transactionOutcome, orderId) = (said.transactionId, said.transactionOutcome, said.orderId)
        (authorizedAmount, authorizationCode) = (said.authorizedAmount, said.authorizationCode)
        authorisationResponseCode = said.authorisationResponseCode
        (authorizedDate, authorizedDateFormat) = (said.authorizedDate, said.authorizedDateFormat)
        (cardBrandName, maskedCardNumber) = (said.cardBrandName, said.maskedCardNumber)
        externalReferenceID = said.externalReferenceID
        (applicationIdentifier, applicationPreferredName) = (said.applicationIdentifier, said.applicationPreferredName)
        applicationTransactionCounter = said.applicationTransactionCounter
        (terminalVerificationResults, cvmAction) = (said.terminalVerificationResults, said.cvmAction)
        applicationCryptogram = said.applicationCryptogram.map { Secret($0) }
        issuerApplicationData = said.issuerApplicationData.map { Secret($0) }
        applicationPANSequenceNumber = said.applicationPANSequenceNumber
        partnerDataMap = said.partnerDataMap?.mapValues { Secret($0) }
        cvmTags = said.cvmTags?.map { tag in
            var copy = ARISEPhoneSDK.TTPCVMData()
            (copy.tag, copy.value) = (tag.tag, tag.value.map { Secret($0) })
            return copy
        }
    }
}

nonisolated extension ARISEPhoneSDK.TTPEvent {
    init(_ event: TTPEvent) {
        switch event {
        case .readerEvent(let event): self = .readerEvent(.init(event))
        case .customEvent(let event): self = .customEvent(.init(event))
        @unknown default: self = .customEvent(.unknownEvent(String(describing: event)))
        }
    }
}

nonisolated extension ARISEPhoneSDK.TTPReaderEvent {
    fileprivate init(_ event: TTPReaderEvent) {
        switch event {
        case .updateProgress(let percent): self = .updateProgress(percent)
        case .notReady: self = .notReady
        case .readyForTap: self = .readyForTap
        case .cardDetected: self = .cardDetected
        case .removeCard: self = .removeCard
        case .readCompleted: self = .readCompleted
        case .readRetry: self = .readRetry
        case .readCancelled: self = .readCancelled
        case .pinEntryRequested: self = .pinEntryRequested
        case .pinEntryCompleted: self = .pinEntryCompleted
        case .userInterfaceDismissed: self = .userInterfaceDismissed
        case .readNotCompleted: self = .readNotCompleted
        @unknown default: self = .other(String(describing: event))
        }
    }
}

nonisolated extension ARISEPhoneSDK.TTPCustomEvent {
    fileprivate init(_ event: TTPCustomEvent) {
        switch event {
        case .preparing: self = .preparing
        case .ready: self = .ready
        case .readerNotReady(let why): self = .readerNotReady(why)
        case .cardDetected: self = .cardDetected
        case .cardReadSuccess: self = .cardReadSuccess
        case .cardReadFailure: self = .cardReadFailure
        case .authorizing: self = .authorizing
        case .approved: self = .approved
        case .declined: self = .declined
        case .errorOccurred: self = .errorOccurred
        case .inProgress: self = .inProgress
        case .updateReaderProgress(let percent): self = .updateReaderProgress(percent)
        case .unknownEvent(let name): self = .unknownEvent(name)
        @unknown default: self = .unknownEvent(String(describing: event))
        }
    }
}

nonisolated extension ARISEPhoneSDK.Failure {
    /// The SDK's error by its case; one that no interface lists proves nothing.
    init(_ error: any Error) {
        switch error {
        case let error as AriseApiError: self = .api(.init(error))
        case let error as TTPError: self = .ttp(.init(error))
        case let error as AuthenticationError: self = .authentication(.init(error))
        case let error as PaymentCardReaderError: self = .cardReader(.init(rawValue: error.errorName))
        default: self = .other(name: String(describing: Swift.type(of: error)), description: "")
        }
    }
}

nonisolated extension ARISEPhoneSDK.AriseApiError {
    fileprivate init(_ error: AriseApiError) {
        switch error {
        case .badRequest(let text, _): self = .badRequest(text)
        case .unauthorized(let text): self = .unauthorized(text)
        case .forbidden(let text, _): self = .forbidden(text)
        case .notFound(let text, _): self = .notFound(text)
        case .serverError(let text, _): self = .serverError(text)
        case .invalidResponse(let text): self = .invalidResponse(text)
        case .networkError(let text): self = .networkError(text)
        case .unknown(let text, _): self = .unknown(text)
        @unknown default: self = .unknown(String(describing: error))
        }
    }
}

nonisolated extension ARISEPhoneSDK.AuthenticationError {
    fileprivate init(_ error: AuthenticationError) {
        switch error {
        case .invalidCredentials: self = .invalidCredentials
        case .networkError: self = .networkError
        case .invalidResponse: self = .invalidResponse
        case .tokenExpired: self = .tokenExpired
        case .unknown: self = .unknown
        @unknown default: self.init(rawValue: String(describing: error))
        }
    }
}

nonisolated extension ARISEPhoneSDK.TTPError {
    /// The code and the words are the error's own properties: which of a case's two texts is which, no interface says.
    fileprivate init(_ error: TTPError) {
        let code = ARISEPhoneSDK.TTPErrorCode(rawValue: error.errorCode ?? "")
        let text = error.errorDescription ?? ""
        switch error {
        case .notCompatible(let reasons): self = .notCompatible(incompatibilityReasons: reasons)
        case .notActive: self = .notActive
        case .sdkNotInitialized: self = .sdkNotInitialized
        case .configurationFailed: self = .configurationFailed(code, text)
        case .activationFailed: self = .activationFailed(code, text)
        case .transactionFailed: self = .transactionFailed(code, text)
        case .failedToAbortTransaction: self = .failedToAbortTransaction(code, text)
        case .unknown: self = .unknown(code, text)
        @unknown default: self = .unknown(code, text)
        }
    }
}
#else
#error("No module ARISEMobileSDK or FluteMobileSDK: add one of the two packages, or leave this file out.")
#endif
