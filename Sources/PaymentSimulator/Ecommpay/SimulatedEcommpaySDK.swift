public import PaymentBase
public import PaymentMobileSDKs
public import PaymentTransport

/// ecommpay's SDK Core without a phone: sessions and payments over the simulated provider, told by the delegate's calls
/// that the document has.
///
/// What it says to the provider is the simulated provider's own way; what the real SDK says to its hosts is not public.
/// It is as strict as the document: one payment a session, nothing before a session is open, and no answer before a
/// payment was begun. The customer's bank is played by the provider's table of cards.
public final class SimulatedEcommpaySDK: EcommpayPhoneSDK.SDK {
    /// What goes wrong in the next payment, once.
    public enum Fault: Hashable, Sendable {
        /// Its session is refused with a code.
        case refusesSession(EcommpayPhoneSDK.ErrorCode)
        /// It ends with a code before anything is sent.
        case ends(EcommpayPhoneSDK.ErrorCode)
        /// It is sent, and ends with a code instead of its first event.
        case loses(EcommpayPhoneSDK.ErrorCode)
        /// It is made, and ends with a code instead of its end.
        case breaksOff(EcommpayPhoneSDK.ErrorCode)
        /// Its end comes so many milliseconds late.
        case endsLate(Int64)
        /// Its end is not reported.
        case isSilent
        /// It says another amount, in minor units.
        case echoes(Int64)
        /// It speaks of another payment.
        case renames
        /// It names no payment, and says no more of it than how it ended.
        case saysNoPayment
        /// It says neither amount nor currency.
        case saysNoAmount
    }

    struct State {
        var fault: Fault?
        var startCount = 0
        var sessionCount = 0
        var texts: [String] = []
    }

    let clock: any PaymentClock
    let transport: any HTTPTransport
    let origin: Origin
    let executor: (any TaskExecutor)?
    let state = Locked(State())

    /// Makes a kit in front of a simulated provider.
    ///
    /// - Parameters:
    ///   - clock: What time it is on the phone.
    ///   - executor: Where its own tasks run.
    ///   - transport: What carries its messages.
    ///   - origin: Where the provider is.
    public init(
        clock: any PaymentClock, executor: (any TaskExecutor)? = nil, transport: any HTTPTransport, origin: Origin
    ) {
        (self.clock, self.executor, self.transport, self.origin) = (clock, executor, transport, origin)
    }

    /// Lets something go wrong in the next payment.
    public func play(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// How many payments were begun or taken up.
    public var startCount: Int { state.withLock { $0.startCount } }
    /// How many sessions were made.
    public var sessionCount: Int { state.withLock { $0.sessionCount } }
    /// The texts that were handed out to be signed.
    public var signedTexts: [String] { state.withLock { $0.texts } }

    public func makeSession(config: EcommpayPhoneSDK.MSDKCoreSessionConfig) async -> any EcommpayPhoneSDK
        .MSDKCoreSession
    {
        let fault = state.withLock { state in
            defer { state.fault = nil }
            state.sessionCount += 1
            return state.fault
        }
        return SimulatedEcommpaySession(self, fault)
    }

    public func getParamsForSignature(_ paymentInfo: EcommpayPhoneSDK.PaymentInfo) async -> String {
        let text = EcommpaySignature.text(Self.parameters(paymentInfo))
        state.withLock { $0.texts.append(text) }
        return text
    }

    /// The parameters of a session as the provider reads them.
    static func parameters(_ info: EcommpayPhoneSDK.PaymentInfo) -> JSON {
        var body: JSONObject = [
            "project_id": .whole(Int64(info.projectId)), "payment_id": .string(info.paymentId),
            "payment_amount": .whole(info.paymentAmount), "payment_currency": .string(info.paymentCurrency),
        ]
        body["customer_id"] = info.customerId.map(JSON.string)
        body["payment_description"] = info.paymentDescription.map(JSON.string)
        body["region_code"] = info.regionCode.map(JSON.string)
        body["language_code"] = info.languageCode.map(JSON.string)
        body["account_token"] = info.token.map { .string($0.expose()) }
        body["force_payment_method"] = info.forcePaymentMethod.map(JSON.string)
        body["hide_saved_wallets"] = info.hideSavedWallets.map(JSON.bool)
        return .object(body)
    }
}

extension SimulatedEcommpaySDK {
    /// Why an answer is none.
    struct Failure: Error {
        let code: EcommpayPhoneSDK.ErrorCode
        var message = ""
        /// Whether the provider has refused what was sent.
        var isRefusal = false
    }

    /// Sends something to the provider; what fails is called as the document calls it.
    func send(_ path: String, _ body: JSON) async -> Result<JSON, Failure> {
        let request = HTTPRequest(
            "POST", origin, "/msdk/v1\(path)", headers: ["Content-Type": "application/json"], body: body.bytes())
        let response: HTTPResponse
        do throws(TransportFailure) { response = try await transport.send(request) } catch {
            switch error {
            case .notSent: return .failure(Failure(code: .networkIsNotAvailable))
            case .maybeSent(.stalled): return .failure(Failure(code: .networkTimeout))
            case .maybeSent: return .failure(Failure(code: .networkError))
            }
        }
        let said = try? JSONReader().read(response.body)
        if (200..<300).contains(response.status) {
            return said.map { .success($0) } ?? .failure(Failure(code: .serverContentParsingError))
        }
        return .failure(Self.failure(response.status, said))
    }

    private static func failure(_ status: Int, _ said: JSON?) -> Failure {
        let code = said?["code"]?.string ?? ""
        // The document's own example of a refusal shows the server's words in the message.
        let text = said.map { String(decoding: $0.bytes(), as: UTF8.self) } ?? ""
        let known: EcommpayPhoneSDK.ErrorCode? =
            switch (status, code) {
            case (401, _): .serverUnauthorized
            case (404, _): .serverMethodNotFound
            case (500..., _), (429, _): .serverApiError
            case (_, "3041"): .paymentAlreadyExist
            case (_, "3061"), (_, "3062"): .paymentNotFound
            case (_, "2004"), (_, "2003"), (_, "2154"): .illegalArguments
            default: nil
            }
        return Failure(code: known ?? .networkAndServerAPI, message: text, isRefusal: status == 400)
    }
}

extension SimulatedEcommpaySession {
    /// Says something in the session.
    func say(_ path: String, _ members: [(String, JSON)]) async -> Result<JSON, SimulatedEcommpaySDK.Failure> {
        var body: JSONObject = ["sid": .string(state.withLock { $0.name } ?? "")]
        for (name, value) in members { body[name] = value }
        return await kit.send(path, .object(body))
    }

    /// What a request is at the provider; nil for one that only takes up what was begun.
    ///
    /// - Parameter token: The token that the session's payment names.
    static func body(_ request: EcommpayPhoneSDK.PayRequest, _ token: Secret?) -> [(String, JSON)]? {
        switch request {
        case .newCardSale(let card):
            keyed("sale", card.pan, card.expiryDate, card.cardHolder, card.cvv, saves: card.saveCard)
        case .cardAuth(let card):
            keyed("auth", card.pan, card.expiryDate, card.cardHolder, card.cvv, saves: card.saveCard)
        case .cardVerify(let card):
            keyed("account_verification", card.pan, card.expiryDate, card.cardHolder, card.cvv, saves: false)
        case .cardTokenize(let card):
            keyed("tokenize", card.pan, card.expiryDate, card.cardHolder, nil, saves: false)
        case .savedCardSale(let saved): kept("sale", "saved_account_id", .whole(saved.accountId), saved.cvv)
        case .savedCardAuth(let saved): kept("auth", "saved_account_id", .whole(saved.accountId), saved.cvv)
        case .cardSaleTokenize(let asked):
            kept("sale", "payment_token", .string(token?.expose() ?? ""), asked.cvv)
        case .cardAuthTokenize(let asked):
            kept("auth", "payment_token", .string(token?.expose() ?? ""), asked.cvv)
        case .applePaySale(let wallet): kept("sale", "token", .string(wallet.token.expose()), nil, by: "applepay")
        case .applePayAuth(let wallet): kept("auth", "token", .string(wallet.token.expose()), nil, by: "applepay")
        case .paymentRestore: nil
        }
    }

    private static func keyed(
        _ action: String, _ pan: Secret, _ expiry: EcommpayPhoneSDK.CardDate, _ holder: PersonalData, _ code: Secret?,
        saves: Bool
    ) -> [(String, JSON)] {
        var card: JSONObject = [
            "pan": .string(pan.expose()), "month": .whole(Int64(expiry.month)), "year": .whole(Int64(expiry.year)),
            "card_holder": .string(holder.value), "save": .bool(saves),
        ]
        card["cvv"] = code.map { .string($0.expose()) }
        return [("action", .string(action)), ("method", "card"), ("card", .object(card))]
    }

    private static func kept(
        _ action: String, _ name: String, _ value: JSON, _ code: Secret?, by method: String = "card"
    ) -> [(String, JSON)] {
        [("action", .string(action)), ("method", .string(method)), (name, value)]
            + (code.map { [("cvv", .string($0.expose()))] } ?? [])
    }

    // MARK: Reports

    static func payment(_ report: JSON) -> EcommpayPhoneSDK.Payment? {
        guard let id = report["payment"]?["id"]?.string, let status = report["payment"]?["status"]?.string else {
            return nil
        }
        var payment = EcommpayPhoneSDK.Payment(id: id)
        let sum = report["operation"]?["sum_initial"] ?? report["payment"]?["sum"]
        (payment.serverStatusName, payment.method) = (status, report["payment"]?["method"]?.string)
        payment.status = statuses[status] ?? .unknown
        (payment.sum, payment.currency) = (sum?["amount"]?.int64 ?? 0, sum?["currency"]?.string)
        payment.token = report["token"]?.string.map { Secret($0) }
        payment.account = report["account"]?["number"]?.string
        return payment
    }

    /// What a payment asks for, with the event that says so.
    func asked(_ report: JSON, _ payment: EcommpayPhoneSDK.Payment) -> (Question, EcommpayPhoneSDK.PayDelegate)? {
        if let fields = report["customer_fields"]?.array, !fields.isEmpty {
            let asked = fields.compactMap { field -> EcommpayPhoneSDK.CustomerField? in
                guard let name = field["name"]?.string else { return nil }
                var asked = EcommpayPhoneSDK.CustomerField(name: name)
                (asked.label, asked.hint) = (field["label"]?.string, field["hint"]?.string)
                (asked.isRequired, asked.isHidden) = (
                    field["is_required"]?.bool ?? true, field["is_hidden"]?.bool ?? false
                )
                return asked
            }
            return (.fields, .onCustomerFields(customerFields: asked))
        }
        if let groups = report["clarification_fields"]?.object?.members, !groups.isEmpty {
            var names: [(name: String, group: String)] = []
            for group in groups {
                names += (group.value.array ?? []).compactMap(\.string).map { ($0, group.key) }
            }
            state.withLock { state in
                state.groups = Dictionary(names.map { ($0.name, $0.group) }) { first, _ in first }
            }
            let fields = names.map { EcommpayPhoneSDK.ClarificationField(name: $0.name) }
            return (.clarification, .onClarificationFields(clarificationFields: fields, payment: payment))
        }
        let isCascading = report["payment"]?["cascading_with_redirect"]?.bool ?? false
        var page: EcommpayPhoneSDK.ThreeDSecurePage
        if let frame = report["threeds2"]?["iframe"] {
            page = Self.page(.threeDs2Frictionless, frame["url"]?.string, frame["params"])
        } else if let redirect = report["threeds2"]?["redirect"] {
            page = Self.page(.threeDs2Challenge, redirect["url"]?.string, redirect["params"])
        } else if let old = report["acs"] {
            page = Self.page(
                .threeDs1, old["acs_url"]?.string, ["PaReq": old["pa_req"] ?? .null, "MD": old["md"] ?? .null])
            page.returnUrl = old["term_url"]?.string
        } else {
            return nil
        }
        return (
            .page(
                isMethod: page.type == .threeDs2Frictionless, isCascading: isCascading, isOld: page.type == .threeDs1),
            .onThreeDSecure(threeDSecurePage: page, isCascading: isCascading, payment: payment)
        )
    }

    /// A page as the kit builds it: a form that sends itself to the bank.
    private static func page(
        _ type: EcommpayPhoneSDK.ThreeDSecurePageType, _ address: String?, _ fields: JSON?
    ) -> EcommpayPhoneSDK.ThreeDSecurePage {
        var page = EcommpayPhoneSDK.ThreeDSecurePage(type: type)
        page.loadUrl = address
        let inputs = (fields?.object?.members ?? []).compactMap { member in
            member.value.string.map { "<input type=hidden name=\"\(member.key)\" value=\"\($0)\">" }
        }
        page.content = Secret("<form method=post action=\"\(address ?? "")\">\(inputs.joined())</form>")
        return page
    }

    /// What the kit makes of the platform's words.
    private static let statuses: [String: EcommpayPhoneSDK.PaymentStatus] = [
        "processing": .processing, "external processing": .processing, "success": .success,
        "partially paid": .success, "decline": .decline, "expired": .decline, "canceled": .canceled,
        "cancelled": .canceled, "awaiting capture": .awaitingCapture, "awaiting 3ds result": .awaiting3dsResult,
        "awaiting redirect result": .awaitingRedirectResult, "awaiting customer": .awaitingCustomer,
        "awaiting customer action": .awaitingCustomer, "awaiting clarification": .awaitingClarification,
        "awaiting confirmation": .awaitingConfirmation,
    ]
}
