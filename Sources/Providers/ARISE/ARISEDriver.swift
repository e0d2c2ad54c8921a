public import PaymentProviderKit

/// The driver of ARISE: keyed, stored, tapped and externally read cards, bank accounts, settlement-bound refunds.
public struct ARISEDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public let capabilities: Capabilities
    let wire: JSONClient
    let transport: any HTTPTransport
    let crypto: any Crypto
    var configuration: ARISEConfiguration
    let profiles: ARISEProfiles

    /// The version of the document that the driver follows.
    public static let version = "1.0.0"

    /// Makes a driver that speaks through a transport.
    public init(_ configuration: ARISEConfiguration, _ transport: any HTTPTransport, crypto: any Crypto) {
        (self.configuration, self.transport, self.crypto) = (configuration, transport, crypto)
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "arise", environment: configuration.environment,
            merchant: configuration.merchant)
        wire = JSONClient(transport, configuration.endpoint)
        profiles = ARISEProfiles()
        var takes = Capabilities(
            sources: [.reader, .card, .external, .saved, .bank], sendLimit: transport.sendLimitMilliseconds)
        if !configuration.submitsTaps { takes.sources.remove(.reader) }
        takes.authorizationSources = [.card, .saved]
        takes.unlinkedRefundSources = [.card, .bank]
        takes.features = [.quote, .tip, .customer, .contact, .billing, .shipping, .partialApproval]
        takes.currencies = configuration.currencies
        takes.captureRule = .single
        takes.listFilters = [.batch, .unsettled, .creator, .channel]
        takes.listed = ARISEMapping.listed(failureIsFinal: configuration.failed == .final)
        (takes.isExclusive, takes.manualName) = (configuration.isSoleUser, ARISEMapping.transactionKey)
        takes.namesCustomers = true
        takes.uniqueNames = [ARISEMapping.transactionKey, ARISEMapping.refundKey]
        capabilities = takes
    }

    /// Absence proves nothing at ARISE: no documented call finds a request by its reference alone.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        var plan = LookupPlan(every: 2_000, giveUpAfter: 16_000)
        plan.comparesTotals = operation == .refund
        plan.clockMarginMilliseconds = Self.skewMilliseconds
        return plan
    }

    public var secrets: [Secret] { [configuration.clientSecret, configuration.webhookSecret].compactMap { $0 } }

    public func classify(_ error: any Error) -> RequestFailure {
        switch error {
        case let refusal as HTTPErrorResponse: ARISERefusal(refusal.body, status: refusal.status).fault(refusal)
        case let failure as ARISETapFailure: ErrorTable.arise.failure(code: failure.code, message: failure.message)
        default: RequestFailure(error)
        }
    }
}

extension ARISEDriver: SaleDriver, AuthorizationDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        if case .reader = request.source { return try await tap(request, context) }
        if case .bank = request.source {
            return try await charge(.sale, request, ARISEPath.bankDebit, .achDebit, context)
        }
        return try await charge(.sale, request, ARISEPath.sale, .ecommerceSale, context)
    }

    public func authorize(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await charge(.authorize, request, ARISEPath.authorize, .ecommerceAuth, context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        let isBank = request.source.kind == .bank
        let profile = try await profile(context)
        try profile.require(isBank ? .achCredit : .ecommerceRefundWithoutReference)
        var body = try ARISEMapping.charge(
            request.amount, request.source, context.attempt, processor: try processor(profile))
        if isBank {
            try addBank(&body)
        } else {
            // No source says that its card is a debit card.
            body["debit"] = false
        }
        return try await send(
            isBank ? ARISEPath.bankCredit : ARISEPath.unlinkedRefund, .object(body),
            asked(.unlinkedRefund, request.amount, context), context)
    }

    private func charge(
        _ operation: PaymentOperation, _ request: SaleRequest, _ path: String,
        _ permission: ARISEPermission, _ context: PaymentContext
    ) async throws -> Verdict {
        let profile = try await profile(context)
        try profile.require(permission)
        var body = try ARISEMapping.charge(
            request.amount, request.source, context.attempt, processor: try processor(profile))
        if request.source.kind == .bank { try addBank(&body) }
        try ARISEMapping.add(request, profile.settings, to: &body)
        let extras = ARISERequestOptions(attempt: context.attempt, operation: operation, amount: request.amount)
        if (try? context.needs(ARISERequestOptions.self)) != nil, let known = await context.ask(extras) {
            try ARISEMapping.add(known, request.amount.currency, to: &body)
        }
        let verdict = try await send(path, .object(body), asked(operation, request.amount, context), context)
        return try await offer(verdict, request, context)
    }

    /// What a tap needs of the merchant's set-up and of the request.
    @discardableResult
    func checkTap(_ request: SaleRequest, _ context: PaymentContext) async throws(PaymentError) -> ARISEProfile {
        let profile = try await profile(context)
        try profile.require(.featureTapToPayOnMobile)
        try ARISEMapping.check(request.quote, [.debit, .credit])
        guard request.quote != nil || profile.settings?.zeroCost != .surcharge else {
            throw PaymentError.notExecuted(
                .invalidRequest,
                "the merchant adds a surcharge to credit cards: get a quote, and sell by it with the tender "
                    + "debit or credit")
        }
        return profile
    }

    private func tap(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await checkTap(request, context)
        let device = try await context.installation().device
        var wanted = CardReadRequest(.purchase, request.amount)
        (wanted.presentation, wanted.language) = (request.presentation, request.language)
        let read = try await context.read(wanted)
        if read.isDeclinedByCard { return .declined(Decline(.declinedOffline, provider: ProviderMessage(code: ""))) }
        let body = try ARISEMapping.tap(request, read, device: device, context.attempt)
        context.emit(ARISEEvent.authorizing.kind)
        let began = context.now
        let verdict = try await context.exchange(.money) { attempt in
            let reply = try await wire.send("POST", ARISEPath.tap, body: body, bearer: attempt.access.value)
            guard let said = reply.body else { throw ARISEMapping.unreadable("the answer is empty") }
            return try ARISEMapping.verdict(
                ARISETapResult(said), request.amount, reference: expected(context.attempt))
        }
        return await named(verdict, since: began, context.query)
    }

    /// Sends what moves money and reads the answer.
    func send(
        _ path: String, _ body: JSON?, _ asked: ARISEMapping.Asked, _ context: PaymentContext
    ) async throws(PaymentError) -> Verdict {
        try await context.exchange(.money) { attempt in
            let reply = try await wire.send("POST", path, body: body, bearer: attempt.access.value)
            guard let said = reply.body else { throw ARISEMapping.unreadable("the answer is empty") }
            return try ARISEMapping.verdict(ARISETransaction(said), asked)
        }
    }

    /// Less than asked was approved: the application takes it or gives it back.
    private func offer(
        _ verdict: Verdict, _ request: SaleRequest, _ context: PaymentContext
    ) async throws -> Verdict {
        guard case .approved(let approval) = verdict, approval.isPartial, request.acceptsPartialApproval,
            let id = approval.references[ARISEMapping.transactionKey]
        else { return verdict }
        let question = PartialApprovalOffer(approved: approval.amount, of: request.amount)
        if await context.ask(question) == true { return verdict }
        context.givesBack()
        let undone = try await send(
            ARISEPath.void, ["transactionId": .string(id)],
            ARISEMapping.Asked(operation: .void, amount: approval.amount), context)
        guard case .approved = undone else { return verdict }
        return .cancelled(Cancellation(cause: .customer, references: approval.references, wasReversed: true))
    }

    private func asked(
        _ operation: PaymentOperation, _ amount: Money, _ context: PaymentContext
    ) -> ARISEMapping.Asked {
        ARISEMapping.Asked(operation: operation, amount: amount, reference: expected(context.attempt))
    }

    /// The reference that should come back; nil where none does.
    func expected(_ attempt: AttemptID) -> String? {
        configuration.referenceEcho == .orderNumber ? attempt.text : nil
    }

    /// What the network of bank accounts wants to know of every transfer.
    private func addBank(_ body: inout JSONObject) throws(PaymentError) {
        guard let address = configuration.requesterIPAddress else {
            throw PaymentError.notExecuted(
                .configuration,
                "a transfer from or to a bank account names the address of who asks for it; set "
                    + "`requesterIpAddress` in the settings of \(identity.id)")
        }
        body["requesterIpAddress"] = .string(address)
        body["secCode"] = .number(JSONNumber(configuration.bankEntry.number))
    }

    private func processor(_ profile: ARISEProfile) throws(PaymentError) -> String {
        if let processor = configuration.processor ?? profile.settings?.processor { return processor }
        throw PaymentError.notExecuted(
            .configuration,
            "ARISE names no default payment processor; set `processor` in the settings of \(identity.id)")
    }
}

extension ARISEDriver: VoidDriver, RefundDriver, TipAdjustmentDriver {
    public func capture(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.capture, .capture, .ecommerceCapture, request, context) { id in
            (ARISEPath.capture, ["transactionId": .string(id), "amount": ARISEMapping.json(request.amount)])
        }
    }

    public func void(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let isBank = request.payment.source == .bank
        return try await follow(.void, .void, isBank ? .achVoid : .ecommerceVoid, request, context) { id in
            isBank
                ? (ARISEPath.bank(PercentEncoding.pathSegment(id) ?? "", "void"), JSON?.none)
                : (ARISEPath.void, ["transactionId": .string(id)])
        }
    }

    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        let (isBank, amount) = (request.payment.source == .bank, ARISEMapping.json(request.amount))
        // The description has no body for it: whatever is asked, the whole debit goes back.
        guard !isBank || request.amount == request.payment.amounts.captured else {
            throw PaymentError.notExecuted(
                .unsupported, "ARISE gives a bank debit back as a whole, and nothing in the request names a part")
        }
        return try await follow(.refund, .refund, isBank ? .achCredit : .ecommerceRefund, request, context) { id in
            isBank
                ? (ARISEPath.bank(PercentEncoding.pathSegment(id) ?? "", "refund"), JSON?.none)
                : (ARISEPath.refund, ["transactionId": .string(id), "amount": amount, "cardDataSource": 1])
        }
    }

    public func adjustTip(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await follow(.tipAdjustment, .tipAdjustment, .submitTipAdjustment, request, context) { id in
            (ARISEPath.tipAdjustment, ["transactionId": .string(id), "tipAmount": ARISEMapping.json(request.amount)])
        }
    }

    /// Looks the state of the transaction, remembers it, and asks for what the server itself names as possible.
    private func follow(
        _ operation: PaymentOperation, _ wireOperation: ARISEOperation, _ permission: ARISEPermission,
        _ request: FollowUpRequest, _ context: PaymentContext, _ message: (String) -> (path: String, body: JSON?)
    ) async throws -> Verdict {
        let key = ARISEMapping.nameKey(in: request.payment.references)
        guard let name = request.payment.references[key], let id = PercentEncoding.pathSegment(name) else {
            throw PaymentError.notExecuted(.conflict, "the payment has no name at \(identity.id) to refer to")
        }
        try await profile(context).require(permission)
        let standing = try await standing(name, id, context)
        let offered = try offer(operation, wireOperation, request, standing)
        if operation == .tipAdjustment { try Self.checkTip(request, standing) }
        if operation == .refund {
            // Where ARISE doesn't say what is left, our books do; what became of a lost answer is unknown then.
            if let left = offered {
                // What differs from our books was refunded elsewhere, or misread: then it is read once more.
                if left != request.remaining {
                    let again = try offer(operation, wireOperation, request, await self.standing(name, id, context))
                    guard again == left else { throw Self.unreadable }
                }
                try context.note(Self.baseline, String(left.minorUnits))
            }
        }
        var asked = ARISEMapping.Asked(operation: operation, amount: request.amount)
        asked.key = key
        let (path, body) = message(name)
        return try await send(path, body, asked, context)
    }

    /// The state of the transaction now.
    private func standing(_ name: String, _ id: String, _ context: PaymentContext) async throws -> ARISETransaction {
        let reply = try await context.exchange(.readOnly) { attempt in
            try await wire.send("GET", ARISEPath.transaction(id), bearer: attempt.access.value)
        }
        let standing = ARISETransaction(reply.body ?? .null)
        guard standing.id == name else { throw Self.unreadable }
        return standing
    }

    /// Refuses to change a tip where the amount without it is another at ARISE than in the journal.
    ///
    /// A tap takes one amount, and a capture replaces what a hold was made of: ARISE knows no tip in either, and charges
    /// the whole new tip beside the amount that has the old one in it.
    private static func checkTip(_ request: FollowUpRequest, _ standing: ARISETransaction) throws(PaymentError) {
        let (currency, amounts) = (request.amount.currency, request.payment.amounts)
        guard let said = try? standing.total(currency), let theirs = try? standing.tip(currency) else {
            throw unreadable
        }
        let charged = amounts.captured.isZero ? amounts.authorized : amounts.captured
        let ours = request.payment.tip ?? .zero(currency)
        guard try said.subtracting(theirs) != charged.subtracting(ours) else { return }
        throw PaymentError.notExecuted(
            .conflict,
            "ARISE must know the tip to change it (it has \(said) with a tip of \(theirs), the journal \(charged) with "
                + "\(ours)). Void or refund the payment, and charge it again with the new tip.")
    }

    /// How much the server allows of an operation now; nil when it doesn't say, an error when it doesn't allow it.
    private func offer(
        _ operation: PaymentOperation, _ wireOperation: ARISEOperation, _ request: FollowUpRequest,
        _ standing: ARISETransaction
    ) throws(PaymentError) -> Money? {
        guard let listed = try? Optional(standing.available(request.amount.currency)) else { throw Self.unreadable }
        // The list may be missing: then the call itself is allowed or refused.
        guard let available = listed else { return nil }
        let wanted = request.payment.source == .bank ? wireOperation.ofTransfers : [wireOperation]
        guard let offered = available.first(where: { wanted.contains($0.operation) }) else {
            let names = available.map(\.name).joined(separator: ", ")
            let isEarly = operation == .refund && available.contains { $0.operation.neutral == .void }
            let instead = isEarly ? "; until it is settled, a void undoes all of it" : ""
            throw PaymentError(
                .conflict, outcome: .notExecuted, provider: ProviderMessage(code: standing.status?.rawValue ?? ""),
                retry: .never,
                detail:
                    "ARISE allows no \(operation.rawValue) now; it allows \(names.isEmpty ? "nothing" : names)\(instead)"
            )
        }
        let isPartial = operation == .capture || operation == .refund
        if isPartial, let most = offered.amount, most.minorUnits < request.amount.minorUnits {
            throw PaymentError.notExecuted(.amountTooHigh, "ARISE has \(most) left for a \(operation.rawValue)")
        }
        return offered.amount
    }

    private static let unreadable = PaymentError.notExecuted(
        .unreadableReply, "how the transaction stands can't be read")
    /// The note of what was left to refund before.
    static let baseline = "refundable"
}

extension ARISEDriver: SessionDriver {
    public var accessAddresses: [String] { ["\(configuration.endpoint)", "\(configuration.oauth)"] }

    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        if let refresh = last?.refreshToken {
            let grant = [
                FormField("grant_type", "refresh_token"), FormField("refresh_token", refresh.expose()),
            ]
            do { return try await token(grant, context) } catch let refusal as HTTPErrorResponse
                where refusal.status == 400 || refusal.status == 401
            {
                // The refresh was refused; the credentials themselves are left.
            }
        }
        return try await token(
            [FormField("grant_type", "client_credentials"), FormField("scope", "offline_access")], context)
    }

    private func token(_ grant: [FormField], _ context: SessionContext) async throws -> AccessToken {
        var request = HTTPRequest("POST", configuration.oauth, ARISEPath.token)
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.headers["Accept"] = "application/json"
        let client = [
            FormField("client_id", configuration.clientID),
            FormField("client_secret", try await configuration.secret().expose()),
        ]
        request.body = Array(FormEncoding.encode(grant + client).utf8)
        let asked = context.now
        let reply = try JSONClient.read(try await transport.exchange(request), from: request.origin)
        guard let token = reply["access_token"]?.string, !token.isEmpty,
            let seconds = reply["expires_in"]?.int64 ?? reply["expires_in"]?.string.flatMap({ Int64($0) }),
            (1...Self.lifeSecondsMax).contains(seconds)
        else {
            throw PaymentError(
                .unreadableReply, outcome: .notExecuted, provider: ProviderMessage(code: "invalidResponse"),
                detail: "the answer holds no token")
        }
        return AccessToken(
            Secret(token), expiresAt: asked + seconds * 1_000,
            refreshToken: reply["refresh_token"]?.string.map { Secret($0) })
    }

    /// The longest life of a token that is believed, in seconds.
    private static let lifeSecondsMax: Int64 = 366 * 86_400
}

extension ARISEDriver: ReaderDriver {
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let segment = try await device(context).segment
        do {
            let reply = try await context.exchange { attempt in
                try await wire.send("GET", ARISEPath.device(segment), bearer: attempt.access.value)
            }
            let raw = reply["tapToPayStatus"]?.string ?? ""
            return ActivationStatus(Self.step(reply["tapToPayStatusId"]?.int64, raw), raw: raw)
        } catch {
            if error.code == .notFound { return ActivationStatus(.inactive) }
            throw error
        }
    }

    private static func step(_ number: Int64?, _ raw: String) -> ActivationStatus.Step {
        let steps: [ActivationStatus.Step] = [.inactive, .requested, .approved, .active, .denied]
        if let number { return steps.indices.contains(Int(clamping: number)) ? steps[Int(number)] : .inactive }
        return ActivationStatus.Step(rawValue: raw.lowercased()) ?? .inactive
    }

    /// Registers the device, has Apple's terms accepted where the reader has them, and makes the device active.
    public func activate(_ context: ReaderContext) async throws {
        try await profile(context).require(.featureTapToPayOnMobile)
        let (id, segment) = try await device(context)
        let body: JSON = ["deviceId": .string(id), "deviceName": .string(configuration.deviceName)]
        _ = try await context.exchange { attempt in
            try await wire.send("POST", ARISEPath.devices, body: body, bearer: attempt.access.value)
        }
        _ = try await context.exchange { attempt in
            try await wire.send("POST", ARISEPath.activation(segment), bearer: attempt.access.value)
        }
        try await context.link(token: try await token(id, context))
    }

    /// Gets a reader token and prepares the reader; activates nothing.
    public func prepare(_ context: ReaderContext) async throws {
        let profile = try await profile(context)
        try profile.require(.featureTapToPayOnMobile)
        try profile.settings.map { try Self.checkTapProfile($0.body) }
        let id = try await device(context).id
        let token: Secret
        do { token = try await self.token(id, context) } catch {
            guard error.code == .permission || error.code == .notFound,
                try await activation(context).step != .active
            else { throw error }
            throw PaymentError(
                .termsNotAccepted, outcome: .notExecuted, provider: ProviderMessage(code: "notActive"), retry: .safe,
                detail: "Tap to Pay is not active on this device; activate it first")
        }
        try await context.prepareReader(token: token)
    }

    /// What Tap to Pay needs of the settings, with the code for its lack.
    private static let tapProfile = [
        ("companyName", "MER004"), ("mccCode", "MER005"), ("ttpIosTerminalProfileId", "MER006"),
        ("currencyIsoCode", "MER007"),
    ]

    private static func checkTapProfile(_ settings: JSON) throws(PaymentError) {
        for (member, code) in tapProfile where settings[member]?.string?.isEmpty ?? true {
            throw PaymentError(
                .configuration, outcome: .notExecuted, provider: ProviderMessage(code: code),
                detail: ErrorTable.arise[code]?.message ?? "the settings lack \(member)")
        }
    }

    private func token(_ device: String, _ context: ReaderContext) async throws(PaymentError) -> Secret {
        let reply = try await context.exchange { attempt in
            try await wire.send(
                "POST", ARISEPath.readerToken, body: ["deviceId": .string(device)], bearer: attempt.access.value)
        }
        return Secret(reply["jwtToken"]?.string ?? "")
    }

    private func device(_ context: ReaderContext) async throws(PaymentError) -> (id: String, segment: String) {
        let id = try await context.installation().device
        guard let segment = PercentEncoding.pathSegment(id) else {
            throw PaymentError.notExecuted(.configuration, "the device has no usable name")
        }
        return (id, segment)
    }

    private func profile(_ context: ReaderContext) async throws(PaymentError) -> ARISEProfile {
        try await profile(context.now) { send throws(PaymentError) in try await context.exchange(send) }
    }
}
