#if canImport(AriseMobileSdk)
import AriseMobileSdk
import PaymentBase
import PaymentKits
import ProximityReader

extension KitDecimal {
    /// As the SDK wants numbers; what it makes of them is held against the amount that it approves.
    var binary: Double { Double(text) ?? .nan }
}

extension ARISEKit.CalculateAmountResponse {
    init(_ said: CalculateAmountResponse, currency: ARISEKit.Currency) throws {
        guard let cash = said.cash, let credit = said.creditCard, let debit = said.debitCard, let bank = said.ach else {
            throw AriseApiError.invalidResponse("a tender's amounts are missing")
        }
        try self.init(
            currency: currency, cash: .init(cash), creditCard: .init(credit), debitCard: .init(debit), ach: .init(bank))
        (currencyCode, useCardPrice) = (said.currencyCode, said.useCardPrice)
    }
}

extension ARISEKit.AmountDto {
    fileprivate init(_ said: AmountDto) throws {
        func exact(_ number: Double) throws -> KitDecimal {
            guard let text = KitDecimal(String(number)) else {
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

extension ARISEKit.TTPTransactionResult {
    init(_ said: TTPTransactionResult) {
        self.init(status: .init(rawValue: said.status.rawValue))
        (transactionId, transactionOutcome, orderId) = (said.transactionId, said.transactionOutcome, said.orderId)
        (authorizedAmount, authorizationCode) = (said.authorizedAmount, said.authorizationCode)
        authorisationResponseCode = said.authorisationResponseCode
        (authorizedDate, authorizedDateFormat) = (said.authorizedDate, said.authorizedDateFormat)
        (cardBrandName, maskedCardNumber) = (said.cardBrandName, said.maskedCardNumber)
        externalReferenceID = said.externalReferenceID
        (applicationIdentifier, applicationPreferredName) = (said.applicationIdentifier, said.applicationPreferredName)
        applicationTransactionCounter = said.applicationTransactionCounter
        (terminalVerificationResults, cvmAction) = (said.terminalVerificationResults, said.cvmAction)
    }
}

extension ARISEKit.TTPEvent {
    init(_ event: TTPEvent) {
        switch event {
        case .readerEvent(let event): self = .readerEvent(.init(event))
        case .customEvent(let event): self = .customEvent(.init(event))
        default: self = .customEvent(.unknownEvent(String(describing: event)))
        }
    }
}

extension ARISEKit.TTPReaderEvent {
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
        default: self = .other(String(describing: event))
        }
    }
}

extension ARISEKit.TTPCustomEvent {
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
        default: self = .unknownEvent(String(describing: event))
        }
    }
}

extension ARISEKit.Failure {
    /// The SDK's error under its own name; one that the document doesn't list proves nothing.
    init(_ error: any Error) {
        switch error {
        case let error as AriseApiError: self = .api(.init(error))
        case let error as TTPError: self = .ttp(.init(error))
        case let error as AuthenticationError: self = .authentication(.init(rawValue: error.rawValue))
        case let error as PaymentCardReaderError: self = .cardReader(.init(rawValue: error.errorName))
        default: self = .other(name: String(describing: Swift.type(of: error)), description: "")
        }
    }
}

extension ARISEKit.AriseApiError {
    fileprivate init(_ error: AriseApiError) {
        switch error {
        case .badRequest(let text): self = .badRequest(text)
        case .unauthorized(let text): self = .unauthorized(text)
        case .forbidden(let text): self = .forbidden(text)
        case .notFound(let text): self = .notFound(text)
        case .serverError(let text): self = .serverError(text)
        case .invalidResponse(let text): self = .invalidResponse(text)
        case .networkError(let text): self = .networkError(text)
        case .apiError(let text): self = .apiError(text)
        case .unknown(let text): self = .unknown(text)
        default: self = .unknown(String(describing: error))
        }
    }
}

extension ARISEKit.TTPError {
    fileprivate init(_ error: TTPError) {
        func code(_ text: String) -> ARISEKit.TTPErrorCode { ARISEKit.TTPErrorCode(rawValue: text) }
        switch error {
        case .notCompatible(let reasons): self = .notCompatible(incompatibilityReasons: reasons)
        case .notActive: self = .notActive
        case .sdkNotInitialized: self = .sdkNotInitialized
        case .configurationFailed(let name, let text): self = .configurationFailed(code(name), text)
        case .activationFailed(let name, let text): self = .activationFailed(code(name), text)
        case .transactionFailed(let name, let text): self = .transactionFailed(code(name), text)
        case .failedToAbortTransaction(let name, let text): self = .failedToAbortTransaction(code(name), text)
        case .unknown(let name, let text): self = .unknown(code(name), text)
        default: self = .unknown(code(""), String(describing: error))
        }
    }
}
#endif
