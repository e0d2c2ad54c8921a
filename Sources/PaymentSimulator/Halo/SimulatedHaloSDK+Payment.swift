internal import PaymentBase
public import PaymentMobileSDKs

internal import struct PaymentAbstraction.CardReadRequest
internal import struct PaymentAbstraction.CardReadResult
internal import struct PaymentAbstraction.Currency
internal import struct PaymentAbstraction.Money
internal import struct PaymentAbstraction.PaymentError

extension SimulatedHaloSDK {
    /// What was asked for.
    private struct Order {
        let amount: Money
        let reference: String
        let type: HaloPhoneSDK.HaloTransactionType
    }

    public func startContactlessPayment(
        amountMinor: Int64, currency: String, merchantReference: String,
        passthroughFields: HaloPhoneSDK.HaloPassthroughFields, type: HaloPhoneSDK.HaloTransactionType
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        let end = Promise<HaloPhoneSDK.HaloPaymentResult>()
        let (fault, refusal): (Fault?, HaloPhoneSDK.HaloErrorCode?) = state.withLock { state in
            state.startCount += 1
            if state.end != nil { return (nil, .paymentInProgress) }
            let fault = state.fault
            state.fault = nil
            if fault == .forgets { state.isReady = false }
            guard state.isReady else { return (nil, .notInitialized) }
            (state.end, state.hasCard) = (end, false)
            return (fault, nil)
        }
        let isRespelt = state.withLock { $0.isRespelt }
        if let refusal {
            return Self.spelt(.declined(errorCode: refusal, errorMessage: "refused before it began"), isRespelt)
        }
        let isAddressed = !isRespelt || Self.hasAddress(passthroughFields)
        Task(executorPreference: executor) { [self] in
            let result =
                isAddressed
                ? await taken(amountMinor, currency, merchantReference, type, fault)
                : ended(.invalidPassthroughFields, "a field of the address is missing")
            state.withLock { $0.end = nil }
            end.fulfill(Self.spelt(result, isRespelt))
        }
        return await end.value()
    }

    /// Whether the four fields that the SDK asks for since 1.0.95 have a text.
    private static func hasAddress(_ fields: HaloPhoneSDK.HaloPassthroughFields) -> Bool {
        guard let said = try? JSONReader().read(Array(fields.json.utf8)) else { return false }
        return ["streetAddress", "city", "stateProvince", "countryCode"].allSatisfy {
            said[$0]?.string?.isEmpty == false
        }
    }

    /// A result with its code as the SDK spells it: capitals up to 1.0.86, Apple's lower camel case since 1.0.90.
    private static func spelt(_ result: HaloPhoneSDK.HaloPaymentResult, _ isRespelt: Bool)
        -> HaloPhoneSDK.HaloPaymentResult
    {
        guard isRespelt, case .declined(let code?, let message) = result, code.rawValue.allSatisfy(isCapital) else {
            return result
        }
        let words = code.rawValue.lowercased().split(separator: "_")
        let camel = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }
        return .declined(errorCode: HaloPhoneSDK.HaloErrorCode(rawValue: camel.joined()), errorMessage: message)
    }

    private static func isCapital(_ letter: Character) -> Bool { letter == "_" || ("A"..."Z").contains(letter) }

    private func taken(
        _ units: Int64, _ currency: String, _ reference: String, _ type: HaloPhoneSDK.HaloTransactionType,
        _ fault: Fault?
    ) async -> HaloPhoneSDK.HaloPaymentResult {
        step(.paymentStarted)
        guard let currency = Currency.known(currency), units > 0, !reference.isEmpty else {
            return ended(nil, "the amount, the currency or the reference is wrong")
        }
        step(.paymentValidated)
        if case .ends(let code) = fault { return ended(code, "as the fault has it") }
        let order = Order(amount: Money(minorUnits: units, currency), reference: reference, type: type)
        return await told(await paid(order), fault)
    }

    private func paid(_ order: Order) async -> HaloPhoneSDK.HaloPaymentResult {
        let read: CardReadResult
        do {
            read = try await reader.read(CardReadRequest(order.type == .refund ? .refund : .purchase, order.amount))
        } catch let error as PaymentError {
            return ended(Self.code(error), error.detail)
        } catch { return ended(nil, "the reader failed") }
        if read.isDeclinedByCard { return ended(.cardDeclined, "the card itself declines") }
        let first: Answer
        switch await submitted("/transactions/apple", read, order, isPIN: false) {
        case .success(let answer): first = answer
        case .failure(let silence): return ended(Self.code(silence), "no answer to the tap")
        }
        guard Self.wantsPIN(first), let name = first.authorization?["haloReference"]?.string,
            let pinToken = first.authorization?["pinToken"]?.string
        else { return finished(first) }
        let typed: CardReadResult
        do { typed = try await reader.readPIN(token: Secret(pinToken), after: read) } catch {
            return ended(.userCancelled, "Payment cancelled by user")
        }
        switch await submitted("/transactions/\(name)/submitPinApple", typed, order, isPIN: true) {
        case .success(let answer): return finished(answer)
        case .failure(let silence): return ended(Self.code(silence), "no answer to the PIN")
        }
    }

    private func submitted(
        _ target: String, _ read: CardReadResult, _ order: Order, isPIN: Bool
    ) async -> Result<Answer, Silence> {
        step(.transactionSubmissionStarted, ["isSingleTapAndPin": String(isPIN)])
        let body: JSON = [
            "merchantReference": .string(order.reference), "generalCardData": .string(read.generalCardData.expose()),
            "paymentCardData": .string(read.paymentCardData.expose()),
        ]
        do throws(Silence) {
            let answer = try await send(target, body)
            var metadata = [
                "isApproved": String(answer.authorization?["type"]?.string == "Approved"),
                "isSingleTapAndPin": String(isPIN || Self.wantsPIN(answer)),
            ]
            if isPIN || Self.wantsPIN(answer) {
                metadata["originalTransactionId"] = answer.authorization?["haloReference"]?.string
            }
            step(.transactionResponseReceived, metadata)
            return .success(answer)
        } catch { return .failure(error) }
    }

    private static func wantsPIN(_ answer: Answer) -> Bool {
        answer.authorization?["isSingleTapAndPin"]?.bool == true && answer.authorization?["type"]?.string == "Declined"
    }

    /// What an answer of the server ends the payment with.
    private func finished(_ answer: Answer) -> HaloPhoneSDK.HaloPaymentResult {
        guard let said = answer.authorization else {
            guard let code = answer.body?["errorCode"] else { return ended(nil, "status \(answer.status)") }
            let text = code.string ?? code.int64.map { String($0) } ?? ""
            return ended(HaloPhoneSDK.HaloErrorCode(rawValue: text), answer.body?["message"]?.string ?? "")
        }
        switch said["type"]?.string {
        case "Approved":
            guard let name = said["haloReference"]?.string, let amount = said["amount"]?.int64,
                let currency = said["currency"]?.string, let reference = said["merchantReference"]?.string
            else { return ended(nil, "the answer could not be read") }
            step(.paymentApproved)
            return .approved(
                HaloPhoneSDK.HaloReceipt(
                    transactionId: name, authCode: said["authorizationCode"]?.string,
                    cardBrand: said["cardScheme"]?.string,
                    last4: (said["maskedPAN"]?.string?.suffix(4)).map { String($0) },
                    amountMinor: amount, currency: currency, reference: reference, approvedAt: clock.now))
        case "Declined", "DeclinedOffline":
            step(.paymentDeclined)
            return .declined(errorCode: .cardDeclined, errorMessage: said["errorMessage"]?.string)
        default: return ended(nil, "the answer says \(said["type"]?.string ?? "nothing")")
        }
    }

    /// The answer as the fault leaves it.
    private func told(_ result: HaloPhoneSDK.HaloPaymentResult, _ fault: Fault?) async -> HaloPhoneSDK.HaloPaymentResult
    {
        switch fault {
        case .loses(let code): return .declined(errorCode: code, errorMessage: "the answer is lost")
        case .answersLate(let milliseconds): await wait(milliseconds)
        case .echoes(let units):
            guard case .approved(let receipt) = result else { return result }
            return .approved(Self.changed(receipt, amountMinor: units, reference: receipt.reference))
        case .renames:
            guard case .approved(let receipt) = result else { return result }
            return .approved(Self.changed(receipt, amountMinor: receipt.amountMinor, reference: "another"))
        case .ends, .forgets, nil: break
        }
        return result
    }

    private static func changed(
        _ receipt: HaloPhoneSDK.HaloReceipt, amountMinor: Int64, reference: String
    ) -> HaloPhoneSDK.HaloReceipt {
        HaloPhoneSDK.HaloReceipt(
            transactionId: receipt.transactionId, authCode: receipt.authCode, cardBrand: receipt.cardBrand,
            last4: receipt.last4, amountMinor: amountMinor, currency: receipt.currency, reference: reference,
            approvedAt: receipt.approvedAt)
    }

    private func ended(_ code: HaloPhoneSDK.HaloErrorCode?, _ message: String) -> HaloPhoneSDK.HaloPaymentResult {
        step(code == .userCancelled ? .paymentCancelled : code == .cardDeclined ? .paymentDeclined : .paymentError)
        return .declined(errorCode: code, errorMessage: message)
    }

    private static func code(_ silence: Silence) -> HaloPhoneSDK.HaloErrorCode {
        switch silence {
        case .network: .networkError
        case .stalled: .timeout
        case .authTokenUnauthorized: .authTokenUnauthorized
        }
    }

    /// How the kit calls what its reader ended with; nil where its document has no word.
    private static func code(_ error: PaymentError) -> HaloPhoneSDK.HaloErrorCode? {
        switch error.provider?.code {
        case "screenCaptureDetected": .screenCaptureDetected
        case "readFromBackgroundError": .userCancelled
        default:
            switch error.code {
            case .cancelled: .userCancelled
            case .readerBusy: .paymentInProgress
            default: nil
            }
        }
    }
}
