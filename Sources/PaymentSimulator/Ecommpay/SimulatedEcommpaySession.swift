internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentTransport

/// One session of the simulated kit: what opens it, what pays in it, and what it has to show.
final class SimulatedEcommpaySession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.InitInteractor,
    EcommpayPhoneSDK.PayInteractor, EcommpayPhoneSDK.StringResourceManager, EcommpayPhoneSDK.SecureLogoResourceManager
{
    typealias Delegate = @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void

    /// What the session's payment waits for; nothing is asked of the provider in the meantime.
    enum Question {
        case fields, clarification
        case page(isMethod: Bool, isCascading: Bool, isOld: Bool)
    }

    struct State {
        /// The provider's name for the session, once it is open.
        var name: String?
        var info: EcommpayPhoneSDK.PaymentInfo?
        var delegate: Delegate?
        var fault: SimulatedEcommpaySDK.Fault?
        var question: Question?
        /// The groups of the fields that were asked for last.
        var groups: [String: String] = [:]
        var methods: [EcommpayPhoneSDK.PaymentMethod] = []
        var saved: [EcommpayPhoneSDK.SavedAccount] = []
        var title: String?
        var status = ""
        var hasBegun = false
        var isRestored = false
    }

    let kit: SimulatedEcommpaySDK
    let state: Locked<State>

    init(_ kit: SimulatedEcommpaySDK, _ fault: SimulatedEcommpaySDK.Fault?) {
        self.kit = kit
        var state = State()
        state.fault = fault
        self.state = Locked(state)
    }

    func getInitInteractor() async -> any EcommpayPhoneSDK.InitInteractor { self }
    func getPayInteractor() async -> any EcommpayPhoneSDK.PayInteractor { self }
    func getPaymentMethods() async -> [EcommpayPhoneSDK.PaymentMethod]? { state.withLock { $0.methods } }
    func getSavedAccounts() async -> [EcommpayPhoneSDK.SavedAccount]? { state.withLock { $0.saved } }
    func getStringResourceManager() async -> any EcommpayPhoneSDK.StringResourceManager { self }
    func getSecureLogoResourceManager() async -> any EcommpayPhoneSDK.SecureLogoResourceManager { self }
    func getStringByKey(key: String) async -> String? {
        key == "title_payment_methods" ? state.withLock { $0.title } : nil
    }
    func getLogoUrl(key: String) async -> String? { "https://logos.invalid/\(key).svg" }

    // MARK: The session

    func execute(
        request: EcommpayPhoneSDK.InitRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.InitDelegate) -> Void
    ) async {
        let refusal: EcommpayPhoneSDK.ErrorCode? = state.withLock { state in
            guard case .refusesSession(let code) = state.fault else { return nil }
            return code
        }
        if let refusal { return callback(.onError(code: refusal, message: "as the fault has it")) }
        Task(executorPreference: kit.executor) { [self] in callback(await opened(request)) }
    }

    private func opened(_ request: EcommpayPhoneSDK.InitRequest) async -> EcommpayPhoneSDK.InitDelegate {
        let info = request.paymentInfo
        let answer: JSON
        switch await kit.send("/init", Self.body(request)) {
        case .success(let json): answer = json
        // The provider continues with no payment that is over.
        case .failure(let failure) where failure.code == .paymentAlreadyExist:
            return .onError(code: .paymentHasFinalStatus, message: failure.message)
        case .failure(let failure): return .onError(code: failure.code, message: failure.message)
        }
        guard let name = answer["sid"]?.string else {
            return .onError(code: .serverContentParsingError, message: "the session has no name")
        }
        let methods = (answer["payment_methods"]?.array ?? []).compactMap { method in
            method["code"]?.string.map { EcommpayPhoneSDK.PaymentMethod(code: $0, name: method["name"]?.string) }
        }
        let saved = (answer["accounts"]?.array ?? []).compactMap(Self.account)
        let isRestored = answer["payment"]?.object != nil
        state.withLock { state in
            (state.name, state.info, state.methods, state.saved) = (name, info, methods, saved)
            state.title = answer["strings"]?["payment.methodsTitle"]?.string
            state.isRestored = isRestored
        }
        if !isRestored { return .onInitReceived(paymentMethods: methods, savedAccounts: saved) }
        var payment = EcommpayPhoneSDK.Payment(id: answer["payment"]?["id"]?.string ?? info.paymentId)
        payment.serverStatusName = answer["payment"]?["status"]?.string
        return .onPaymentRestored(payment: payment)
    }

    private static func body(_ request: EcommpayPhoneSDK.InitRequest) -> JSON {
        var body = SimulatedEcommpaySDK.parameters(request.paymentInfo)
        body = body.adding("signature", .string(request.paymentInfo.signature ?? ""))
        if let terms = request.recurrentInfo {
            var recurring: JSONObject = ["register": .bool(terms.register)]
            for (name, value) in terms.fields.sorted(by: { $0.key < $1.key }) {
                recurring[name] = numbers.contains(name) ? Int64(value).map { .whole($0) } : .string(value)
            }
            if !terms.schedule.isEmpty {
                recurring["schedule"] = .array(
                    terms.schedule.map { ["date": .string($0.date), "amount": .whole($0.amount)] })
            }
            body = body.adding("recurring", .object(recurring))
        }
        var fields = JSONObject()
        for field in request.additionalFields.sorted(by: { $0.name < $1.name }) {
            fields[field.name] = .string(field.value.value)
        }
        return fields.members.isEmpty ? body : body.adding("additional_fields", .object(fields))
    }

    private static let numbers: Set<String> = ["expiry_year", "expiry_month", "expiry_day", "interval", "amount"]
    private static func account(_ json: JSON) -> EcommpayPhoneSDK.SavedAccount? {
        guard let id = json["id"]?.int64 else { return nil }
        var account = EcommpayPhoneSDK.SavedAccount(id: id)
        (account.number, account.type) = (json["number"]?.string, json["type"]?.string)
        account.token = json["token"]?.string.map { Secret($0) }
        account.cardType = json["additional"]?["card"]?["type"]?.string
        account.cardExpiry = json["additional"]?["card"]?["expiry"]?.string
        return account
    }
}

extension SimulatedEcommpaySession {
    /// How often a payment is asked for until its end, and how long is waited between at most, in milliseconds.
    private static let (looksMax, lookMillisecondsMax) = (40, Int64(5_000))

    func execute(
        request: EcommpayPhoneSDK.PayRequest, callback: @escaping @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void
    ) async {
        kit.state.withLock { $0.startCount += 1 }
        let refusal: EcommpayPhoneSDK.ErrorCode? = state.withLock { state in
            state.delegate = callback
            guard state.name != nil else { return .sessionNotInitialized }
            if state.hasBegun { return .paymentAlreadyExist }
            if let refusal = Self.refusal(request, state) { return refusal }
            if case .ends(let code) = state.fault { return code }
            state.hasBegun = true
            return nil
        }
        if let refusal { return callback(.onError(code: refusal, message: "refused before it began")) }
        Task(executorPreference: kit.executor) { [self] in await begin(request) }
    }

    /// What the kit refuses on its own.
    private static func refusal(_ request: EcommpayPhoneSDK.PayRequest, _ state: State) -> EcommpayPhoneSDK.ErrorCode? {
        let wants: String
        switch request {
        case .cardVerify, .cardTokenize:
            if state.info?.customerId?.isEmpty ?? true { return .customerIdNotExist }
            wants = "card"
        case .cardSaleTokenize, .cardAuthTokenize:
            if state.info?.token == nil { return .paymentTokenNotExist }
            wants = "card"
        case .applePaySale, .applePayAuth: wants = "etoken"
        case .paymentRestore: return state.isRestored ? nil : .paymentNotFound
        case .newCardSale, .cardAuth, .savedCardSale, .savedCardAuth: wants = "card"
        }
        return state.methods.contains { $0.code == wants } ? nil : .paymentMethodNotAvailable
    }

    private func begin(_ request: EcommpayPhoneSDK.PayRequest) async {
        if let body = Self.body(request, state.withLock { $0.info?.token }) {
            switch await say("/pay", body) {
            case .success: break
            case .failure(let failure): return tell(.onError(code: failure.code, message: failure.message))
            }
            if case .loses(let code)? = state.withLock({ $0.fault }) {
                return tell(.onError(code: code, message: "the answer is lost"))
            }
            state.withLock { $0.status = "processing" }
            tell(.onPaymentCreated)
        } else if case .loses(let code)? = state.withLock({ $0.fault }) {
            return tell(.onError(code: code, message: "the answer is lost"))
        }
        await look()
    }

    /// Asks the state of the payment until it is over, or waits for a person.
    private func look() async {
        for count in 0..<Self.looksMax {
            let report: JSON
            switch await say("/status", []) {
            case .success(let json): report = json
            case .failure(let failure): return tell(.onError(code: failure.code, message: failure.message))
            }
            guard let payment = Self.payment(report) else {
                return tell(.onError(code: .serverContentParsingError, message: "the payment can't be read"))
            }
            if let (question, event) = asked(report, payment) {
                state.withLock { ($0.question, $0.status) = (question, payment.serverStatusName ?? "") }
                return tell(event)
            }
            let word = payment.serverStatusName ?? ""
            if let end = Self.end(word, payment) { return await ended(end) }
            let isNew = state.withLock { state in
                defer { state.status = word }
                return state.status != word
            }
            if isNew { tell(.onStatusChanged(status: payment.status ?? .unknown, payment: bent(payment))) }
            // Another party decides, some time.
            if Self.slow.contains(word) { return }
            await wait(min(Int64(count + 1) * 1_000, Self.lookMillisecondsMax))
        }
        tell(.onError(code: .networkTimeout, message: "the payment is not decided"))
    }

    private static let slow: Set<String> = [
        "external processing", "awaiting approval", "awaiting confirmation", "awaiting payment", "awaiting clearing",
        "awaiting redirect result", "awaiting customer action",
    ]

    private static func end(_ word: String, _ payment: EcommpayPhoneSDK.Payment) -> EcommpayPhoneSDK.PayDelegate? {
        switch word {
        case "success", "partially paid", "awaiting capture": .onCompleteWithSuccess(payment: payment)
        case "decline", "expired", "canceled", "cancelled", "awaiting customer":
            .onCompleteWithDecline(isTryAgain: word == "awaiting customer", paymentMessage: nil, payment: payment)
        case "error", "internal error", "external error":
            .onError(code: .serverApiError, message: word)
        default: nil
        }
    }

    private func ended(_ event: EcommpayPhoneSDK.PayDelegate) async {
        switch state.withLock({ $0.fault }) {
        case .breaksOff(let code): return tell(.onError(code: code, message: "the end is lost"))
        case .isSilent: return
        case .endsLate(let milliseconds): await wait(milliseconds)
        case .refusesSession, .ends, .loses, .echoes, .renames, .saysNoPayment, .saysNoAmount, nil: break
        }
        switch event {
        case .onCompleteWithSuccess(let payment): tell(.onCompleteWithSuccess(payment: bent(payment)))
        case .onCompleteWithDecline(let isTryAgain, let text, let payment):
            tell(.onCompleteWithDecline(isTryAgain: isTryAgain, paymentMessage: text, payment: bent(payment)))
        default: tell(event)
        }
    }

    /// A payment as the fault leaves it.
    private func bent(_ payment: EcommpayPhoneSDK.Payment) -> EcommpayPhoneSDK.Payment {
        var payment = payment
        switch state.withLock({ $0.fault }) {
        case .saysNoPayment: return EcommpayPhoneSDK.Payment(id: nil)
        case .saysNoAmount: (payment.sum, payment.currency) = (0, nil)
        case .echoes(let units): payment.sum = units
        case .renames:
            var other = EcommpayPhoneSDK.Payment(id: "another")
            (other.status, other.serverStatusName) = (payment.status, payment.serverStatusName)
            (other.sum, other.currency) = (payment.sum, payment.currency)
            return other
        case .refusesSession, .ends, .loses, .breaksOff, .endsLate, .isSilent, nil: break
        }
        return payment
    }

    // MARK: Answers

    func threeDSecureRedirectHandle(url: String) async {
        guard !url.isEmpty else { return tell(.onError(code: .illegalArguments, message: "the page went nowhere")) }
        guard case .page(let isMethod, let isCascading, let isOld)? = taken() else { return notRunning() }
        tell(.onThreeDSecureRedirectComplete)
        Task(executorPreference: kit.executor) { [self] in
            if isCascading, case .failure(let failure) = await say("/cascade", [("accept", true)]) {
                return tell(.onError(code: failure.code, message: failure.message))
            }
            // The bank reports to the provider on its own; here the kit plays the bank.
            let result: (String, [(String, JSON)]) =
                isMethod
                ? ("/3ds/check", [("threeds_completion_indicator", true)])
                : ("/3ds/result", [(isOld ? "pares" : "cres", "ok")])
            await proceed(result.0, result.1)
        }
    }

    func sendClarificationFields(fields given: [EcommpayPhoneSDK.ClarificationFieldValue]) async {
        guard case .clarification? = taken() else { return notRunning() }
        let known = state.withLock { $0.groups }
        var groups = JSONObject()
        for field in given {
            guard let group = known[field.name] else { continue }
            var members = groups[group]?.object ?? JSONObject()
            members[field.name] = .string(field.value.value)
            groups[group] = .object(members)
        }
        let data = JSON.object(groups)
        Task(executorPreference: kit.executor) { [self] in
            await proceed("/clarification", [("additional_data", data)], refusedAs: .clarificationFieldsError)
        }
    }

    func sendCustomerFields(fields answers: [EcommpayPhoneSDK.CustomerFieldValue]) async {
        guard case .fields? = taken() else { return notRunning() }
        var fields = JSONObject()
        for field in answers { fields[field.name] = .string(field.value.value) }
        let given = JSON.object(fields)
        // The document has no word for fields that are wrong: they are asked for again, as they were.
        Task(executorPreference: kit.executor) { [self] in
            await proceed("/customer_fields", [("fields", given)], refusedAs: nil)
        }
    }

    private func taken() -> Question? {
        state.withLock { state in
            defer { state.question = nil }
            return state.question
        }
    }

    private func notRunning() {
        tell(.onError(code: .interactorNotRunning, message: "the payment waits for no such answer"))
    }

    /// Sends an answer and looks again.
    private func proceed(
        _ path: String, _ members: [(String, JSON)], refusedAs code: EcommpayPhoneSDK.ErrorCode? = nil
    ) async {
        switch await say(path, members) {
        case .success: await look()
        case .failure(let failure) where failure.isRefusal && code != nil:
            state.withLock { $0.question = .clarification }
            tell(.onError(code: code ?? failure.code, message: failure.message))
        case .failure(let failure) where failure.isRefusal && path == "/customer_fields": await look()
        case .failure(let failure): tell(.onError(code: failure.code, message: failure.message))
        }
    }

    func tell(_ event: EcommpayPhoneSDK.PayDelegate) { state.withLock { $0.delegate }?(event) }

    /// Waits although the application may have continued.
    private func wait(_ milliseconds: Int64) async { try? await kit.clock.sleep(until: kit.clock.now + milliseconds) }
}
