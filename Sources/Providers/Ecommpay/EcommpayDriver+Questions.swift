public import PaymentProviderKit

extension EcommpayDriver {
    /// What became of a question.
    enum Heard {
        /// The provider has an answer, or waits for none any more.
        case answered
        /// The provider does not take the answer and asks again.
        case refused
        /// No answer comes, and the provider ends the payment after half an hour.
        case noAnswer
    }

    /// Answers what a payment waits for.
    func answer(
        _ question: EcommpayCustomerPrompt, _ report: EcommpayReport, _ desk: EcommpayPromptHandler,
        _ context: PaymentContext
    ) async throws -> Heard {
        if report.isCascading {
            let isAgreed = await consents(report, context)
            // The Gate is recognised by the new page's result alone, and ends the payment where none comes.
            if case .gate = desk, !isAgreed { return .noAnswer }
            if case .session = desk {
                try await tell(EcommpayPath.cascade, desk, [("accept", .bool(isAgreed))], context)
                if !isAgreed { return .answered }
            }
        }
        switch question {
        case .step(let step): return await context.ask(EcommpayCustomerStep(step)) == true ? .answered : .noAnswer
        case .customer(let fields):
            guard let given = await context.ask(RequestedFields(fields)) else { return .noAnswer }
            return try await tell(EcommpayPath.customerFields, desk, [("fields", Self.object(given))], context)
        case .clarification(let fields):
            guard let given = await context.ask(RequestedFields(fields.map(\.field))) else { return .noAnswer }
            return try await tell(
                EcommpayPath.clarification, desk, [("additional_data", Self.grouped(fields, given))], context)
        case .method(let address, let fields):
            // Whether the page was loaded is all that the provider wants to know; it continues without it too.
            let step = ThreeDSecureChallenge(.method, address: address, fields: fields)
            let isLoaded = await context.ask(step) != nil
            return try await tell(
                EcommpayPath.authenticationMethod, desk, [("threeds_completion_indicator", .bool(isLoaded))],
                context)
        case .challenge(let address, let fields, let returnAddress):
            let step = ThreeDSecureChallenge(
                .challenge, address: address, fields: fields, returnAddress: returnAddress)
            guard let result = await context.ask(step)?.result else { return .noAnswer }
            return try await tell(
                EcommpayPath.authenticationResult, desk, [("cres", .string(result.expose()))], context)
        case .legacy(let address, let fields, let returnAddress):
            let step = ThreeDSecureChallenge(.legacy, address: address, fields: fields, returnAddress: returnAddress)
            guard let given = await context.ask(step), let result = given.result else { return .noAnswer }
            var answer: [(String, JSON)] = [("pares", .string(result.expose()))]
            if let data = given.merchantData ?? fields["MD"] { answer.append(("md", .string(data))) }
            return try await tell(EcommpayPath.authenticationResult, desk, answer, context)
        }
    }

    /// Whether the customer lets another try show another page; no answer is no consent.
    private func consents(_ report: EcommpayReport, _ context: PaymentContext) async -> Bool {
        let last = report.operations.last.map { ProviderMessage(code: $0.code, message: $0.message) }
        guard await context.ask(CascadeConsent(last: last)) == true else { return false }
        return true
    }

    /// A decline after which another try is possible: what to try with; nil to let it be.
    func again(
        _ report: EcommpayReport, _ order: EcommpayMapping.Order, _ operation: PaymentOperation,
        _ context: PaymentContext
    ) async throws -> PaymentSource? {
        guard report.status == "awaiting customer", let last = report.operations.last else { return nil }
        let decline = EcommpayMapping.decline(last, ["payment": report.payment], report)
        switch await context.ask(RetryPrompt(after: decline)) {
        case .retry: return order.source
        case .retryWith(let source):
            return sources(operation).contains(source.kind) && isOurs(source) ? source : nil
        case .stop, nil: return nil
        }
    }

    /// Sends an answer; one that the provider does not wait for any more was received before.
    @discardableResult
    private func tell(
        _ path: String, _ desk: EcommpayPromptHandler, _ answer: [(String, JSON)], _ context: PaymentContext
    ) async throws -> Heard {
        let (isGate, target, message) = try self.message(path, desk, answer)
        guard let target else { return .noAnswer }
        let heard: (Heard, EcommpayRefusal?) = try await context.exchange(.idempotent) { _ in
            do {
                let read: (JSON?) -> Bool? = { $0?["status"]?.string == "success" ? true : nil }
                _ = try await isGate ? send(signed: message, to: target, as: read) : send(target, message, as: read)
                return (.answered, nil)
            } catch let refusal as HTTPErrorResponse {
                let said = EcommpayRefusal(refusal.body)
                switch refusal.status {
                case 409: return (.answered, nil)
                case 400 where isGate && said.code == Self.notNow: return (.answered, nil)
                case 400 where EcommpayPath.forms.contains(path): return (.refused, said)
                default: throw refusal
                }
            }
        }
        if let said = heard.1 { context.emit(Self.answerRefused, ["code": said.code]) }
        return heard.0
    }

    /// Where an answer goes, and how it looks there; without a path the Gate has no place for it.
    private func message(
        _ path: String, _ desk: EcommpayPromptHandler, _ answer: [(String, JSON)]
    ) throws -> (isGate: Bool, target: String?, message: JSON) {
        switch desk {
        case .session(let session):
            var body: JSONObject = ["sid": .string(session.expose())]
            for (name, value) in answer { body[name] = value }
            return (false, path, .object(body))
        case .gate(let payment):
            return (
                true, EcommpayPromptHandler.gatePath(path), EcommpayMapping.gate(payment, configuration.project, answer)
            )
        }
    }

    /// Fields were refused, and are asked for again.
    static let answerRefused = PaymentEvent.Kind(rawValue: "ecommpay.answerRefused")
    /// How often fields may be refused within one call.
    static var refusalsMax: Int { 3 }

    private static func object(_ values: [String: PersonalData]) -> JSON {
        var object = JSONObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { object[name] = .string(value.value) }
        return .object(object)
    }

    /// Answers under the groups in which they were asked for.
    private static func grouped(
        _ fields: [(group: String, field: RequestedFields.Field)], _ given: [String: PersonalData]
    ) -> JSON {
        var groups = JSONObject()
        for (group, field) in fields {
            guard let value = given[field.name] else { continue }
            var members = groups[group]?.object ?? JSONObject()
            members[field.name] = .string(value.value)
            groups[group] = .object(members)
        }
        return .object(groups)
    }
}

/// The customer has to do something elsewhere: on another provider's page, or with a code that is shown.
///
/// The answer says whether that was done, as far as the application knows; then the payment is asked for again, which
/// alone says what became of it.
public struct EcommpayCustomerStep: Question {
    /// Something to show, such as the text of a code.
    public struct Code: Hashable, Sendable {
        /// The provider's word for what it is, such as `qr_data`.
        public let kind: String
        /// Its title for people.
        public let title: String?
        /// What is shown, or made a picture of.
        public let data: String
    }

    /// What there is to do.
    public enum Step: Hashable, Sendable {
        /// Goes to a page, by a method and with fields.
        case page(method: String, address: String, fields: [String: String])
        /// Reads or scans what is shown.
        case codes([Code])
    }

    public typealias Answer = Bool
    public static let timeout: Duration = .seconds(30 * 60)
    /// What there is to do.
    public let step: Step

    init(_ step: Step) { self.step = step }
}

extension EcommpayCustomerStep: RedactedDescription {
    /// The kind of step alone: addresses and codes carry what lets a holder pay.
    public var description: String {
        switch step {
        case .page(let method, _, _): "EcommpayStep(page, \(method))"
        case .codes(let codes): "EcommpayStep(codes: \(codes.map(\.kind).joined(separator: ", ")))"
        }
    }
}

/// What a payment waits for.
enum EcommpayCustomerPrompt: Sendable {
    case customer([RequestedFields.Field])
    /// Each field with the group that it belongs to.
    case clarification([(group: String, field: RequestedFields.Field)])
    case method(address: String, fields: [String: String])
    case challenge(address: String, fields: [String: String], returnAddress: String?)
    case legacy(address: String, fields: [String: String], returnAddress: String?)
    case step(EcommpayCustomerStep.Step)

    init?(_ json: JSON) {
        if let fields = json["customer_fields"]?.array, !fields.isEmpty {
            self = .customer(fields.compactMap(Self.field))
        } else if let groups = json["clarification_fields"]?.object?.members, !groups.isEmpty {
            self = .clarification(
                groups.flatMap { group in
                    (group.value.array ?? []).compactMap { Self.field($0) }.map { (group.key, $0) }
                })
        } else if let page = json["threeds2"]?["iframe"], let address = page["url"]?.string {
            self = .method(address: address, fields: Self.texts(page["params"]))
        } else if let page = json["threeds2"]?["redirect"], let address = page["url"]?.string {
            self = .challenge(
                address: address, fields: Self.texts(page["params"]), returnAddress: page["return_url"]?.string)
        } else if let page = json["acs"], let address = page["acs_url"]?.string {
            var fields = ["PaReq": page["pa_req"]?.string, "MD": page["md"]?.string]
            fields["TermUrl"] = page["term_url"]?.string
            self = .legacy(
                address: address, fields: fields.compactMapValues { $0 }, returnAddress: page["term_url"]?.string)
        } else if let page = json["return_url"] ?? json["redirectData"], let address = page["url"]?.string,
            json["payment"]?["status"]?.string == "awaiting redirect result"
        {
            let method = page["method"]?.string ?? "GET"
            self = .step(.page(method: method, address: address, fields: Self.texts(page["body"])))
        } else if let shown = json["display_data"]?.array, !shown.isEmpty,
            json["payment"]?["status"]?.string == "awaiting customer action"
        {
            self = .step(.codes(shown.compactMap(Self.code)))
        } else {
            return nil
        }
    }

    /// What is to be done elsewhere; the provider gets no answer to it.
    var step: EcommpayCustomerStep.Step? {
        if case .step(let step) = self { return step }
        return nil
    }

    private static func code(_ json: JSON) -> EcommpayCustomerStep.Code? {
        guard let kind = json["type"]?.string, let data = json["data"]?.string else { return nil }
        return EcommpayCustomerStep.Code(kind: kind, title: json["title"]?.string, data: data)
    }

    /// A field, given by its name alone or with everything that a form needs.
    static func field(_ json: JSON) -> RequestedFields.Field? {
        guard let name = json.string ?? json["name"]?.string else { return nil }
        var field = RequestedFields.Field(name)
        (field.label, field.hint) = (json["label"]?.string, json["hint"]?.string)
        field.isRequired = json["is_required"]?.bool ?? true
        (field.type, field.pattern) = (json["type"]?.string, json["validator"]?.string)
        field.options = (json["options"]?.array ?? []).compactMap { $0["value"]?.string }
        return field
    }

    private static func texts(_ json: JSON?) -> [String: String] {
        Dictionary((json?.object?.members ?? []).compactMap { member in member.value.string.map { (member.key, $0) } })
        {
            first, _ in first
        }
    }
}
