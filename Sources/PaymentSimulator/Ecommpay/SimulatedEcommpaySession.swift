internal import PaymentBase
internal import PaymentMobileSDKs
internal import PaymentTransport

/// One session of the simulated kit: what opens it, what pays in it, and what it has to show.
final class SimulatedEcommpaySession: EcommpayPhoneSDK.MSDKCoreSession, EcommpayPhoneSDK.InitInteractor,
    EcommpayPhoneSDK.PayInteractor, EcommpayPhoneSDK.StringResourceManager, EcommpayPhoneSDK.SecureLogoResourceManager
{
    typealias Delegate = @Sendable (EcommpayPhoneSDK.PayDelegate) -> Void

    /// What the session's payment waits for; nothing is asked of the provider meanwhile.
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
    func getLogoUrl(key: String) async -> String? { nil }

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
        // The provider goes on with no payment that is over.
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
            body = body.adding("recurring", .object(recurring))
        }
        var fields = JSONObject()
        for field in request.additionalFields.sorted(by: { $0.name < $1.name }) {
            fields[names[EcommpayPhoneSDK.AdditionalField(rawValue: field.name)] ?? field.name] = .string(
                field.value.value)
        }
        return fields.members.isEmpty ? body : body.adding("additional_fields", .object(fields))
    }

    private static let numbers: Set<String> = ["expiry_year", "expiry_month", "expiry_day", "interval", "amount"]
    private static let names: [EcommpayPhoneSDK.AdditionalField: String] = [
        .customerEmail: "email", .customerPhone: "phone", .billingCountry: "billing_country",
        .billingPostal: "billing_postal", .billingCity: "billing_city", .billingAddress: "billing_address",
    ]

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
