public import PaymentProviderKit

/// Halo: cards by tap on a phone; a PIN is a second submission of the same tap.
///
/// The attempt's id travels as the merchant's reference, or behind the order's, so that a payment can be found again and never comes twice.
public struct HaloDriver: PaymentDriver {
    public let identity: ProviderIdentity
    public private(set) var capabilities: Capabilities
    let configuration: HaloConfiguration
    let wire: JSONClient
    let tools: ProviderDependencies
    /// How long a payment may wait for its tap after it was written down that it is sent, in milliseconds.
    var untilTapMilliseconds: Int64 = 0

    /// How long after the tap card data is of use, in milliseconds.
    static let tapMilliseconds: Int64 = 60_000
    /// How long the provider's clock and ours may be apart, in milliseconds.
    static let clockSkewMilliseconds: Int64 = 15_000
    /// How long after a tap its PIN can be captured, in milliseconds.
    static let pinMilliseconds: Int64 = 55_000
    /// Under which name it is remembered that a PIN goes out.
    static let pinNote = "pin"
    /// Under which name it is remembered that only a part was approved: the journal asks a person for the amount then.
    static let partNote = "part"

    /// Makes a driver that speaks with the given tools.
    public init(_ configuration: HaloConfiguration, _ tools: ProviderDependencies) {
        (self.configuration, self.tools) = (configuration, tools)
        identity = ProviderIdentity(
            ProviderID(rawValue: configuration.name), adapter: "halo", environment: configuration.environment,
            merchant: configuration.merchant)
        wire = JSONClient(tools.transport, configuration.endpoint)
        var takes = Capabilities(sources: [.reader], sendLimit: tools.transport.sendLimitMilliseconds)
        takes.unlinkedRefundSources = [.reader]
        takes.listFilters = [.dates, .amounts, .outcome]
        takes.listed = HaloMapping.listed
        takes.manualName = "transaction"
        capabilities = takes
    }

    /// Takes only some currencies; nil for all.
    mutating func take(only currencies: Set<Currency>?) { capabilities.currencies = currencies }

    public var secrets: [Secret] { configuration.backOfficeKey.map { [$0] } ?? [] }

    /// Card data that is too old is refused, so what was not seen by then never arrives, where the merchant has seen
    /// that searches show everything; a refund has no such limit.
    public func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        let quiet =
            operation == .refund || configuration.search == .unproven
            ? nil : Self.tapMilliseconds + Self.clockSkewMilliseconds
        return LookupPlan(every: 5_000, giveUpAfter: 30_000, quiet: quiet)
    }

    public func classify(_ error: any Error) -> RequestFailure {
        ErrorTable.halo.failure(error) { body in
            let said = HaloRefusal(body)
            return (said.code, said.message)
        }
    }
}

extension HaloDriver: SessionDriver {
    /// How long before it lapses a token is replaced.
    public var renewalMarginMilliseconds: Int64 { 30_000 }
    public var accessAddresses: [String] { ["\(configuration.endpoint)"] }

    public func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        let token = try await configuration.token.secret()
        guard let read = HaloToken(token), read.expires > context.now else {
            throw ProviderCodeError(
                "authTokenUnauthorized", "the token provider's token has lapsed or says not when it does")
        }
        guard read.algorithm == configuration.algorithm.rawValue else {
            throw ProviderCodeError("126", "the token is not signed as the merchant's set-up says")
        }
        let audience = configuration.audience ?? configuration.endpoint.host
        guard
            read.audiences.isEmpty
                || read.audiences.contains(where: { $0 == audience || $0.hasSuffix("//" + audience) })
        else {
            throw ProviderCodeError("authTokenUnauthorized", "the token is for another host; see the setting audience")
        }
        return AccessToken(token, expiresAt: read.expires)
    }
}

extension HaloDriver: ReaderDriver {
    public func activation(_ context: ReaderContext) async throws -> ActivationStatus {
        let isLinked = try await context.isLinked(token: try await readerToken(context).token)
        return ActivationStatus(isLinked == false ? .inactive : .active, isLinked: isLinked)
    }

    public func activate(_ context: ReaderContext) async throws {
        try await context.link(token: try await readerToken(context).token)
    }

    /// Gets the reader ready; a device that is not linked yet is linked on the way.
    public func prepare(_ context: ReaderContext) async throws {
        let (token, expires) = try await readerToken(context)
        if try await context.isLinked(token: token) == false { try await context.link(token: token) }
        try await context.prepareReader(token: token, lasting: expires.map { $0 - context.now })
    }

    private func readerToken(_ context: ReaderContext) async throws -> (token: Secret, expires: Int64?) {
        try await context.exchange { attempt in
            try await wire.read("POST", HaloPath.readerToken, bearer: attempt.access.value, unreadable: "tokenError") {
                json in
                guard let token = json?["token"]?.string, !token.isEmpty else { return nil }
                return (Secret(token), json?["expiresAt"]?.string.flatMap { Timestamp($0)?.milliseconds })
            }
        }
    }

    /// The header of a submission that says where the device is; by policy a payment continues without it.
    func locationHeader() async throws(ProviderCodeError) -> String? {
        guard let locate = tools.location, let place = try? await locate() else {
            if configuration.locationPolicy == .optional { return nil }
            throw ProviderCodeError("locationError")
        }
        return "\(place.accuracyMetres);\(place.longitude.value);\(place.latitude.value)"
    }
}

extension HaloDriver: DeviceDriver {
    public func devices(_ context: LookupContext) async throws -> [DeviceSummary] {
        try await context.exchange { attempt in
            try await wire.read("GET", HaloPath.devices, bearer: attempt.access.value, unreadable: "309") { json in
                json?.array?.compactMap { item in
                    guard let id = item["id"]?.string else { return nil }
                    var device = DeviceSummary(id, name: item["name"]?.string)
                    (device.isEnabled, device.state) = (item["enabled"]?.bool, item["status"]?.string)
                    return device
                }
            }
        }
    }
}

extension HaloDriver: WebhookDriver {
    /// They are unsigned: each is a hint to look again and nothing else.
    public func notices(in message: WebhookMessage) throws -> [ProviderNotice] {
        let body = try message.unprovenJSON()
        guard let disposition = body["disposition"]?.string,
            let name = body["haloReference"]?.string ?? body["id"]?.string
        else { throw PaymentError.notExecuted(.unreadableReply, "the webhook could not be read") }
        let subject = body["merchantReference"]?.string.flatMap { try? AttemptID(HaloMapping.attempt(in: $0)) }
            .map { ProviderNotice.Subject.attempt($0) }
        let named = ProviderNotice.Subject.reference(name, [.sale, .unlinkedRefund, .refund])
        var notice = ProviderNotice(subject ?? named, nil, at: nil, kind: disposition)
        // What another program began has a reference of its own, and an import has this name.
        if subject != nil { notice.original = name }
        return [notice]
    }
}

extension HaloDriver: SaleDriver, UnlinkedRefundDriver {
    public func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await submit(CardReadRequest(.purchase, request.amount), name(request.reference, context), context)
    }

    public func refundUnlinked(_ request: UnlinkedRefundRequest, _ context: PaymentContext) async throws -> Verdict {
        try await submit(CardReadRequest(.refund, request.amount), name(request.reference, context), context)
    }

    /// What the provider calls this attempt's payment; kept before anything leaves.
    func name(_ order: String, _ context: PaymentContext) throws(PaymentError) -> String {
        if let noted = context.note(HaloMapping.referenceNote) { return noted }
        let name = HaloMapping.merchantReference(order, context.attempt, configuration)
        if name != context.attempt.text { try context.note(HaloMapping.referenceNote, name) }
        return name
    }

    /// Reads a card, submits it, and submits the PIN if one is asked for.
    private func submit(
        _ request: CardReadRequest, _ own: String, _ context: PaymentContext
    ) async throws -> Verdict {
        let installation = try await context.installation()
        var headers: HTTPHeaders = [HaloPath.installation: installation.id]
        headers[HaloPath.correlation] = TimeOrderedID.make(now: context.now, random: tools.random)
        headers[HaloPath.location] = try await locationHeader()
        let read = try await context.read(request)
        if read.isDeclinedByCard {
            return .declined(Decline(.declinedOffline, provider: ProviderMessage(code: "offlineDeclined")))
        }
        let first: HaloAnswer
        switch try await send(read, own, HaloPath.submit, headers, pinOf: nil, context) {
        case .answer(let answer): first = answer
        case .refused(let decline): return .declined(decline)
        }
        guard HaloMapping.wantsPIN(first), let name = first.name, let token = first.pinToken else {
            return try await verdict(first, request.amount, context)
        }
        guard let entered = try? await context.readPIN(token: Secret(token), after: read) else {
            return .declined(HaloMapping.decline(first, .pinRequired))
        }
        switch try await send(entered, own, HaloPath.pin(name), headers, pinOf: name, context) {
        case .answer(let answer): return try await verdict(answer, request.amount, context)
        case .refused(let decline): return .declined(decline)
        }
    }

    private func verdict(_ answer: HaloAnswer, _ asked: Money, _ context: PaymentContext) async throws -> Verdict {
        let verdict = try HaloMapping.verdict(answer, asked, configuration.answerAmounts)
        if case .approved(let approval) = verdict, approval.amount != asked {
            try await expect(approval, called: "transaction", context)
        }
        return verdict
    }

    /// What comes back for a submission.
    private enum Reply {
        case answer(HaloAnswer)
        /// The card was refused in an error's place.
        case refused(Decline)
    }

    private static func asksForPIN(_ reply: Reply) -> Bool {
        guard case .answer(let answer) = reply else { return false }
        return HaloMapping.wantsPIN(answer) && answer.name != nil && answer.pinToken != nil
    }

    /// Sends a tap, or the PIN of the transaction that asked for it.
    private func send(
        _ read: CardReadResult, _ own: String, _ path: String, _ headers: HTTPHeaders, pinOf transaction: String?,
        _ context: PaymentContext
    ) async throws -> Reply {
        let isPIN = transaction != nil
        var members: JSONObject = [
            "merchantReference": .string(own),
            "generalCardData": .string(read.generalCardData.expose()),
            "paymentCardData": .string(read.paymentCardData.expose()),
        ]
        if let fields = configuration.passthroughFields {
            members["passthroughFields"] = (try? JSONReader().read(Array(fields.utf8))) ?? .string(fields)
        }
        let body = JSON.object(members)
        var attributes = ["isSingleTapAndPin": String(isPIN)]
        context.emit(.transactionSubmissionStarted, attributes)
        // A tap whose answer only asks for the PIN has executed nothing.
        let reply: Reply = try await context.send(.money, asksForMore: { !isPIN && Self.asksForPIN($0) }) { attempt in
            Outgoing(notes: transaction.map { [Self.pinNote: $0] } ?? [:]) {
                // Older card data is refused; nothing is sent that can only fail.
                guard context.now - read.at <= Self.tapMilliseconds else { throw ProviderCodeError("PPS-4003") }
                let answer: HaloAnswer
                do {
                    answer = try await wire.read(
                        "POST", path, body: body, bearer: attempt.access.value, more: headers, unreadable: "309",
                        as: HaloAnswer.init(wrapped:))
                } catch let refusal as HTTPErrorResponse {
                    if isPIN, refusal.status == 409 {
                        throw PaymentError.unknown(.conflict, "it waits for no PIN; an earlier one may have been taken")
                    }
                    guard refusal.status < 500, let said = HaloAnswer(wrapped: refusal.body) else {
                        return .refused(try HaloMapping.decline(refusal))
                    }
                    answer = said
                }
                guard answer.reference ?? own == own else {
                    throw PaymentError.unknown(.mismatch, "the answer is about another reference")
                }
                // The record need not say it.
                if HaloMapping.isPart(answer) { try context.note(Self.partNote, answer.isoCode) }
                return .answer(answer)
            }
        }
        guard case .answer(let answer) = reply else {
            attributes["isApproved"] = "false"
            context.emit(.transactionResponseReceived, attributes)
            return reply
        }
        attributes["isApproved"] = String(answer.type == "Approved")
        if HaloMapping.wantsPIN(answer) {
            (attributes["isSingleTapAndPin"], attributes["originalTransactionId"]) = ("true", answer.name)
        }
        context.emit(.transactionResponseReceived, attributes)
        return reply
    }
}

extension HaloDriver: RefundDriver {
    /// Refunds through the back office, which writes amounts in major units and has a key of its own.
    public func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        guard let key = configuration.backOfficeKey else {
            throw PaymentError.notExecuted(
                .unsupported, "\(identity.id) has no key of the back office; give one, or refund by tap")
        }
        guard let name = request.payment.references["transaction"] else {
            throw PaymentError.notExecuted(.conflict, "the transaction's name is not known")
        }
        let body: JSON = [
            "amount": HaloMapping.office(request.amount, configuration.refundAmounts),
            "refundReference": .string(context.attempt.text),
        ]
        let verdict: Verdict = try await context.exchange(.money) { attempt in
            do {
                let answer = try await wire.read(
                    "POST", HaloPath.refund(name), body: body, bearer: attempt.access.value,
                    more: [HaloPath.officeKey: key.expose()], unreadable: "309", as: HaloAnswer.init(flat:))
                return try HaloMapping.verdict(ofRefund: answer, request.amount)
            } catch let refusal as HTTPErrorResponse { return .declined(try HaloMapping.decline(refusal)) }
        }
        if case .approved(let approval) = verdict { try await expect(approval, called: "refund", context) }
        return verdict
    }

    /// The answer to a refund names no amount, and no document says in which unit it was read; and another amount than the
    /// customer saw has to be beyond doubt: the record says it.
    func expect(
        _ approval: Approval, called kind: String, _ context: PaymentContext
    ) async throws(PaymentError) {
        guard let name = approval.references[kind] else { return }
        let record: HaloRecord
        do { record = try await self.record(name, context.query) } catch {
            throw .unknown(.unreadableReply, "it was accepted, and its record can't be read")
        }
        guard HaloMapping.money(record, configuration.recordAmounts) == approval.amount else {
            throw .unknown(
                .mismatch,
                "the record is about another amount; see the settings refundAmounts and recordAmounts")
        }
    }
}

extension PaymentEvent.Kind {
    /// Card data or a PIN went out.
    static let transactionSubmissionStarted = Self(rawValue: "transactionSubmissionStarted")
    /// The provider answered.
    static let transactionResponseReceived = Self(rawValue: "transactionResponseReceived")
}

extension HaloDriver: DetailsDriver, ListDriver {
    public func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        if inquiry.record.isImported { return try await imported(inquiry, context) }
        let own = inquiry.note(HaloMapping.referenceNote) ?? inquiry.attempt.text
        let query = [merchantField, (name: "merchantReference", value: own)]
        let shown = try await search(query, context)
        let found = shown.filter { $0.reference == own }
        // Those of others show that the provider did not search for ours, and ours may be behind them.
        if found.isEmpty, !shown.isEmpty { return .cannotTell("The provider shows other records than ours.") }
        // A PIN may make a record of its own; the tap's then only says that one was asked for.
        let finished = found.filter { !$0.waitsForPIN }
        let seen = finished.isEmpty ? found : finished
        guard seen.count <= 1 else {
            return .cannotTell("The provider shows several records under the reference.", shown: seen.map(\.id))
        }
        guard let record = seen.first else {
            return inquiry.record.intent.operation == .refund || configuration.search == .unproven
                ? .cannotTell("The provider shows no record, which does not prove that there is none.")
                : .notFound(seesBack: nil)
        }
        return judged(record, inquiry)
    }

    /// What became of what another program began, under a reference of its own: the record of the name that the import has.
    private func imported(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let names = inquiry.verdict?.references ?? [:]
        let refund = inquiry.record.intent.operation == .refund ? names["refund"] : nil
        guard let name = refund ?? names["transaction"] else {
            return .cannotTell("The import names no transaction. Compare it in Halo's portal, then resolve it.")
        }
        let record: HaloRecord
        do {
            record = try await self.record(name, context)
        } catch {
            if error.code != .notFound { throw error }
            return .cannotTell("The provider does not show the transaction that the import names.")
        }
        guard record.id == name else { return .cannotTell("The answer is about another transaction.") }
        return judged(record, inquiry)
    }

    /// What a record says of an attempt.
    private func judged(_ record: HaloRecord, _ inquiry: LookupRequest) -> LookupResult {
        let isRefund = inquiry.record.intent.operation == .refund
        if isRefund, record.original != inquiry.payment?.references["transaction"] {
            return .cannotTell("The record is of another payment.")
        }
        if record.waitsForPIN, isPINPossible(inquiry) { return .cannotTell("The provider may still wait for the PIN.") }
        let verdict: Verdict
        do throws(PaymentError) {
            verdict = try HaloMapping.verdict(record, inquiry.record.intent.operation, configuration.recordAmounts)
        } catch {
            return .cannotTell("The record proves nothing: \(error.detail)", shown: [record.id])
        }
        guard case .approved(var part) = verdict, part.isPartial || inquiry.note(Self.partNote) != nil else {
            return .found(verdict)
        }
        guard part.amount.minorUnits < inquiry.amount.minorUnits else {
            return .cannotTell(
                "Only a part was approved, and the record does not say how much. A person has to.", shown: [record.id])
        }
        part.isPartial = true
        return .found(.approved(part))
    }

    /// The one finished record under a payment's name; nil where there is none, or more than one.
    func finished(_ own: String, _ context: LookupContext) async throws -> HaloRecord? {
        let query = [merchantField, (name: "merchantReference", value: own)]
        let found = try await search(query, context).filter { $0.reference == own && !$0.waitsForPIN }
        return found.count == 1 ? found.first : nil
    }

    /// How a search names the merchant.
    private var merchantField: (name: String, value: String) {
        ("merchant", configuration.searchMerchant ?? configuration.merchant)
    }

    /// Whether a PIN may still be on its way, or was sent and may be elsewhere.
    private func isPINPossible(_ inquiry: LookupRequest) -> Bool {
        if inquiry.note(Self.pinNote) != nil, configuration.search == .unproven { return true }
        let last =
            untilTapMilliseconds + Self.pinMilliseconds + Self.tapMilliseconds + Self.clockSkewMilliseconds
        return inquiry.millisecondsSinceSent.map { $0 <= last } ?? true
    }

    public func details(_ references: PaymentReferences, _ context: LookupContext) async throws -> PaymentDetails? {
        guard let name = references["transaction"] ?? references["refund"] else { return nil }
        let record: HaloRecord
        do {
            record = try await self.record(name, context)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
        guard record.id == name else {
            throw PaymentError.notExecuted(.mismatch, "the answer is about another transaction")
        }
        return try HaloMapping.details(record, configuration.recordAmounts)
    }

    /// One record by its name.
    func record(_ name: String, _ context: LookupContext) async throws(PaymentError) -> HaloRecord {
        try await context.exchange { attempt in
            try await wire.read(
                "GET", HaloPath.transaction(name), bearer: attempt.access.value, unreadable: "309", as: HaloRecord.init)
        }
    }

    public func list(_ query: ListQuery, _ context: LookupContext) async throws -> PaymentDetailsPage {
        guard let offset = Int32(query.cursor ?? "0").map({ Int($0) }), offset >= 0 else {
            throw PaymentError.notExecuted(.invalidRequest, "the cursor is none of Halo's")
        }
        var fields = [
            merchantField, (name: "limit", value: String(query.limit)),
            (name: "offset", value: String(offset)),
        ]
        for filter in query.filters { fields += HaloMapping.fields(filter) }
        let records = try await search(fields, context)
        // A page may have fewer records than were asked for; only an empty one ends the list.
        let next = records.isEmpty ? nil : String(offset + records.count)
        let details = try records.map { try HaloMapping.details($0, configuration.recordAmounts) }
        let fitting = details.filter { one in query.filters.allSatisfy { HaloMapping.fits(one, $0) } }
        return PaymentDetailsPage(fitting, next: next)
    }

    private func search(
        _ query: [(name: String, value: String)], _ context: LookupContext
    ) async throws -> [HaloRecord] {
        // The description wants a time, a range of amounts and a part of the list in every search. No clock of our own bounds
        // the time: one that is slow would hide a payment, whose absence proves that nothing was executed.
        let given = Set(query.map(\.name))
        let whole = [
            (name: "startDate", value: "2000-01-01"), (name: "endDate", value: "2100-01-01"),
            (name: "minAmount", value: "0"), (name: "maxAmount", value: HaloMapping.amountMax),
            (name: "limit", value: "100"), (name: "offset", value: "0"),
        ]
        let query = query + whole.filter { !given.contains($0.name) }
        return try await context.exchange { attempt in
            try await wire.read(
                "GET", HaloPath.transactions, query: query, bearer: attempt.access.value, unreadable: "309"
            ) { json in
                guard let items = json?.array else { return nil }
                let read = items.compactMap { HaloRecord($0) }
                return read.count == items.count ? read : nil
            }
        }
    }
}

/// The fifteen steps of a payment as the provider's documents name them, out of our events.
public enum HaloTimeline {
    /// The step that an event is; nil for events that the documents don't have.
    public static func step(of event: PaymentEvent) -> String? {
        if event.kind == .failed, event.attributes["code"] == PaymentError.Code.cancelled.rawValue {
            return "paymentCancelled"
        }
        return steps[event.kind]
    }

    /// How far a preparation is, in parts per thousand; the documents write it from 0.0 to 1.0.
    public static func progress(_ event: ReaderEvent) -> Int? {
        if case .updateProgress(let percent) = event { return percent * 10 }
        return nil
    }

    private static let steps: [PaymentEvent.Kind: String] = [
        .accessRenewed: "sdkInitialized", .educationShown: "discoveryShown", .readerReady: "sdkReaderPrepared",
        .begun: "paymentStarted", .readyForCard: "paymentValidated", .reader(.readyForTap): "readyForTap",
        .reader(.cardDetected): "cardDetected", .transactionSubmissionStarted: "transactionSubmissionStarted",
        .transactionResponseReceived: "transactionResponseReceived", .pinRequested: "pinCaptureStarted",
        .pinEntered: "pinCaptureSucceeded", .approved: "paymentApproved", .declined: "paymentDeclined",
        .cancelled: "paymentCancelled", .failed: "paymentError", .inDoubt: "paymentError",
        .readerFailed: "paymentError",
    ]
}
