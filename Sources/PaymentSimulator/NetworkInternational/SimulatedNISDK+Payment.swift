public import PaymentBase
public import PaymentMobileSDKs

internal import struct PaymentAbstraction.CardReadRequest
internal import struct PaymentAbstraction.CardReadResult
internal import struct PaymentAbstraction.Currency
internal import struct PaymentAbstraction.Money
internal import struct PaymentAbstraction.PaymentError

extension SimulatedNISDK {
    private typealias End = Result<NIPhoneSDK.PaymentResponse, NIPhoneSDK.AppleTapToPaySDKError>

    /// What was asked for.
    private struct Order {
        let token: Secret
        let amount: Money
        let isDryRun: Bool
    }

    public func processPayment(
        authToken: Secret, paymentType: NIPhoneSDK.PaymentType, amount: String, currencyCode: String, dryRun: Bool,
        onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        state.withLock { $0.startCount += 1 }
        guard !authToken.isEmpty else { throw .invalidAuthToken }
        guard Self.isCurrency(currencyCode), let currency = Currency.known(currencyCode) else {
            throw .invalidCurrencyCode
        }
        guard let units = Self.units(amount) else { throw .invalidAmount }
        guard paymentType == .contactless else {
            throw NIPhoneSDK.AppleTapToPaySDKError(201, "invalidTransactionType")
        }
        let (fault, refusal) = begin()
        if let refusal { throw refusal }
        let order = Order(token: authToken, amount: Money(minorUnits: units, currency), isDryRun: dryRun)
        let end = Promise<End>()
        // Who asked may leave; the screen stays.
        Task(executorPreference: executor) { [self] in
            let result: End
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                result = .success(try await taken(order, fault, onProgress))
            } catch { result = .failure(error) }
            state.withLock { $0.isBusy = false }
            end.fulfill(result)
        }
        return try await end.value().get()
    }

    /// Takes the screen, if it is free.
    private func begin() -> (fault: Fault?, refusal: NIPhoneSDK.AppleTapToPaySDKError?) {
        state.withLock { state in
            if state.isBusy { return (nil, .processPaymentReadError.saying("the screen is in use")) }
            let fault = state.fault
            state.fault = nil
            if fault == .forgets { state.isReady = false }
            guard state.isReady else { return (nil, .readerTokenInvalid) }
            state.isBusy = true
            return (fault, nil)
        }
    }

    private func taken(
        _ order: Order, _ fault: Fault?, _ onProgress: (@Sendable (Int) -> Void)?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        if case .ends(let error) = fault { throw error }
        onProgress?(1)
        let read = try await read(order)
        onProgress?(50)
        let answer = order.isDryRun ? rehearsed(order) : try await submitted(order, read)
        onProgress?(100)
        return try await told(answer, fault)
    }

    private func read(_ order: Order) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> CardReadResult {
        do { return try await reader.read(CardReadRequest(.purchase, order.amount)) } catch let error as PaymentError {
            let isUnprepared = error.code == .readerUnavailable && error.provider == nil
            if isUnprepared, state.withLock({ $0.isReady }) { throw .genericError.saying(error.detail) }
            throw .processPaymentReadError.saying(error.detail)
        } catch { throw .processPaymentReadError.saying("the reader failed") }
    }

    private func submitted(
        _ order: Order, _ read: CardReadResult
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        let body: JSON = [
            "language": "EN", "locale": "", "tid": .string(terminal), "payment": .string(read.paymentCardData.expose()),
        ]
        let said = try await send("POST", "/payment/card/purchase", order.token, body)
        guard let said, let reference = said["reference"]?.string, let name = said["orderReference"]?.string,
            let word = said["state"]?.string
        else { throw .invalidPaymentProcessResponse }
        var answer = NIPhoneSDK.PaymentResponse(reference: reference, orderReference: name, state: word)
        (answer.updateDateTime, answer.outletId) = (said["updateDateTime"]?.string, said["outletId"]?.string)
        if let amount = said["amount"] {
            guard let code = amount["currencyCode"]?.string, let value = amount["value"]?.int64 else {
                throw .invalidPaymentProcessResponse
            }
            answer.amount = NIPhoneSDK.Amount(currencyCode: code, value: value)
        }
        if let given = said["authResponse"], given != .null {
            guard let isGood = given["success"]?.bool else { throw .invalidPaymentProcessResponse }
            var response = NIPhoneSDK.AuthResponse(success: isGood)
            response.authorizationCode = given["authorizationCode"]?.string
            (response.resultCode, response.resultMessage) = (
                given["resultCode"]?.string, given["resultMessage"]?.string
            )
            response.mid = given["mid"]?.string
            answer.authResponse = response
        }
        return answer
    }

    /// What a dry run answers; the document doesn't say, and nothing is sent.
    private func rehearsed(_ order: Order) -> NIPhoneSDK.PaymentResponse {
        var answer = NIPhoneSDK.PaymentResponse(reference: "dry-run", orderReference: "dry-run", state: "PURCHASED")
        answer.amount = NIPhoneSDK.Amount(currencyCode: order.amount.currency.code, value: order.amount.minorUnits)
        return answer
    }

    /// The answer as the fault leaves it.
    private func told(
        _ answer: NIPhoneSDK.PaymentResponse, _ fault: Fault?
    ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
        var said = answer
        switch fault {
        case .loses(let error): throw error
        case .answersLate(let milliseconds):
            let end = clock.now + milliseconds
            await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
        case .isTerse:
            said = NIPhoneSDK.PaymentResponse(
                reference: answer.reference, orderReference: answer.orderReference, state: answer.state)
        case .echoes(let units):
            said.amount = NIPhoneSDK.Amount(currencyCode: answer.amount?.currencyCode ?? "", value: units)
        case .says(let word):
            said = NIPhoneSDK.PaymentResponse(
                reference: answer.reference, orderReference: answer.orderReference, state: word)
            (said.amount, said.authResponse, said.outletId) = (answer.amount, answer.authResponse, answer.outletId)
        case .isElsewhere: said.outletId = "another"
        case .ends, .forgets, nil: break
        }
        return said
    }
}
