internal import PaymentBase
public import PaymentMobileSDKs

internal import struct PaymentAbstraction.CardReadRequest
internal import struct PaymentAbstraction.CardReadResult
internal import struct PaymentAbstraction.Money
internal import struct PaymentAbstraction.PaymentError

extension SimulatedARISESDK {
    private typealias End = Result<ARISEPhoneSDK.TTPTransactionResult, ARISEPhoneSDK.Failure>

    /// What was asked for: the amount in cents, and the members that tell its parts.
    private struct Order {
        let cents: Int64
        var parts: JSONObject = [:]
        var isQuoted = false
    }

    public func performTransaction(
        amount: SDKDecimal
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        guard let cents = amount.minorUnits(places: 2), cents > 0 else {
            throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: "DATA002"), "the amount is not valid"))
        }
        return try await perform(Order(cents: cents))
    }

    public func performTransaction(
        calculationResult: ARISEPhoneSDK.CalculateAmountResponse, isDebitCard: Bool
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let price = isDebitCard ? calculationResult.debitCard : calculationResult.creditCard
        guard let price, let cents = price.totalAmount.minorUnits(places: 2), cents > 0 else {
            throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: "DATA002"), "the amount is not valid"))
        }
        let parts: JSONObject = [
            "subTotal": .string(price.baseAmount.text), "tip": .string(price.tipAmount.text),
            "discount": .string(price.percentageOffAmount.text), "surchargeRate": .string(price.surchargeRate.text),
        ]
        return try await perform(Order(cents: cents, parts: parts, isQuoted: true))
    }

    public func abortTransaction() async throws(ARISEPhoneSDK.Failure) -> Bool {
        let (isReady, isBusy, hasCard) = state.withLock { state in
            state.abortCount += 1
            if state.isBusy, !state.hasCard { state.wantsAbort = true }
            return (state.isReady, state.isBusy, state.hasCard)
        }
        guard isReady else { throw .ttp(.sdkNotInitialized) }
        guard isBusy else { return false }
        let tooLate = ARISEPhoneSDK.Failure.ttp(
            .failedToAbortTransaction(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "the card is being read"))
        if hasCard { throw tooLate }
        guard (try? await reader.cancel()) == .cancelled else { throw tooLate }
        return true
    }

    private func perform(_ order: Order) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let (fault, refusal): (Fault?, ARISEPhoneSDK.Failure?) = state.withLock { state in
            state.startCount += 1
            if state.isBusy { return (nil, .cardReader(.init(rawValue: "readerBusy"))) }
            let fault = state.fault
            state.fault = nil
            if fault == .forgets { state.isReady = false }
            guard state.isReady else { return (nil, .ttp(.sdkNotInitialized)) }
            (state.isBusy, state.hasCard, state.wantsAbort) = (true, false, false)
            return (fault, nil)
        }
        if let refusal { throw refusal }
        let end = Promise<End>()
        // Who asked may leave; the screen stays.
        Task(executorPreference: executor) { [self] in
            let result: End
            do throws(ARISEPhoneSDK.Failure) { result = .success(try await taken(order, fault)) } catch {
                tell(.customEvent(.errorOccurred))
                result = .failure(error)
            }
            state.withLock { $0.isBusy = false }
            end.fulfill(result)
        }
        return try await end.value().get()
    }

    private func taken(
        _ order: Order, _ fault: Fault?
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        if case .ends(let failure) = fault { throw failure }
        if state.withLock({ $0.hasSurcharge }), !order.isQuoted {
            throw .ttp(
                .configurationFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "a surcharge needs a calculation"))
        }
        if state.withLock({ $0.activeUntil }) <= clock.now, try await getStatus() != .active { throw .ttp(.notActive) }
        let read: CardReadResult
        do { read = try await reader.read(CardReadRequest(.purchase, Money(minorUnits: order.cents, .usd))) } catch {
            return try ended(error)
        }
        if read.isDeclinedByCard { return ARISEPhoneSDK.TTPTransactionResult(status: .declined) }
        var isSeen = true
        if case .losesUnseen = fault { isSeen = false }
        if isSeen {
            tell(.customEvent(.cardReadSuccess))
            tell(.customEvent(.authorizing))
        }
        var body = order.parts
        body["amount"] = .number(JSONNumber(units: order.cents, places: 2))
        body["currencyId"] = 1
        body["deviceId"] = .string(Self.device)
        body["generalCardData"] = .string(read.generalCardData.expose())
        body["paymentCardData"] = .string(read.paymentCardData.expose())
        let said = try await send("POST", "/pay-api/v1/transactions/tap-to-pay", .object(body), once: true)
        guard let said, said["transactionOutcome"] != nil else { throw .api(.invalidResponse("no outcome")) }
        let result = Self.result(said)
        if isSeen { tell(.customEvent(result.status == .approved ? .approved : .declined)) }
        return try await told(result, fault)
    }

    /// What a read that gave no card ends with.
    private func ended(_ error: any Error) throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        let failure = error as? PaymentError
        if failure?.code == .cancelled {
            switch state.withLock({ $0.cancelShape }) {
            case .status: return ARISEPhoneSDK.TTPTransactionResult(status: .cancelled)
            case .failed: return ARISEPhoneSDK.TTPTransactionResult(status: .failed)
            case .thrown:
                throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), "The read was cancelled."))
            }
        }
        tell(.customEvent(.cardReadFailure))
        if let name = failure?.provider?.code {
            throw .cardReader(ARISEPhoneSDK.PaymentCardReaderError(rawValue: name))
        }
        throw .ttp(.transactionFailed(ARISEPhoneSDK.TTPErrorCode(rawValue: ""), failure?.detail ?? "the reader failed"))
    }

    private func told(
        _ result: ARISEPhoneSDK.TTPTransactionResult, _ fault: Fault?
    ) async throws(ARISEPhoneSDK.Failure) -> ARISEPhoneSDK.TTPTransactionResult {
        var said = result
        switch fault {
        case .loses(let failure), .losesUnseen(let failure): throw failure
        case .answersLate(let milliseconds):
            let end = clock.now + milliseconds
            await Task(executorPreference: executor) { [clock] in try? await clock.sleep(until: end) }.value
        case .echoes(let text): said.authorizedAmount = text
        case .isNameless: said.transactionId = nil
        case .says(let status): said.status = status
        case .ends, .forgets, nil: break
        }
        return said
    }
}
