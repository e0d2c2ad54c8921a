internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

extension EcommpayDriver {
    /// What became of a question.
    enum Heard {
        /// The provider has an answer, or waits for none any more.
        case answered
        /// The provider does not take the answer and asks again.
        case refused
        /// Nobody answers, and the provider ends the payment after half an hour.
        case nobody
    }

    /// Answers what a payment waits for.
    func answer(
        _ question: EcommpayCustomerPrompt, _ report: EcommpayReport, _ desk: EcommpayPromptHandler,
        _ context: PaymentContext
    ) async throws -> Heard {
        if report.isCascading {
            let isAgreed = await consents(report, context)
            // The Gate is told by the new page's result alone, and ends the payment where none comes.
            if case .gate = desk, !isAgreed { return .nobody }
            if case .session = desk {
                try await tell(EcommpayPath.cascade, desk, [("accept", .bool(isAgreed))], context)
                if !isAgreed { return .answered }
            }
        }
        switch question {
        case .step(let step): return await context.ask(EcommpayCustomerStep(step)) == true ? .answered : .nobody
        case .customer(let fields):
            guard let given = await context.ask(CustomerFields(fields)) else { return .nobody }
            return try await tell(EcommpayPath.customerFields, desk, [("fields", Self.object(given))], context)
        case .clarification(let fields):
            guard let given = await context.ask(Clarification(fields.map(\.field))) else { return .nobody }
            return try await tell(
                EcommpayPath.clarification, desk, [("additional_data", Self.grouped(fields, given))], context)
        case .method(let address, let fields):
            // Whether the page was loaded is all that the provider wants to know; it goes on without it too.
            let step = ThreeDSecureChallenge(.method, address: address, fields: fields)
            let isLoaded = await context.ask(step) != nil
            return try await tell(
                EcommpayPath.authenticationMethod, desk, [("threeds_completion_indicator", .bool(isLoaded))],
                context)
        case .challenge(let address, let fields, let returnAddress):
            let step = ThreeDSecureChallenge(
                .challenge, address: address, fields: fields, returnAddress: returnAddress)
            guard let result = await context.ask(step)?.result else { return .nobody }
            return try await tell(
                EcommpayPath.authenticationResult, desk, [("cres", .string(result.expose()))], context)
        case .legacy(let address, let fields, let returnAddress):
            let step = ThreeDSecureChallenge(.legacy, address: address, fields: fields, returnAddress: returnAddress)
            guard let given = await context.ask(step), let result = given.result else { return .nobody }
            var answer: [(String, JSON)] = [("pares", .string(result.expose()))]
            if let data = given.merchantData ?? fields["MD"] { answer.append(("md", .string(data))) }
            return try await tell(EcommpayPath.authenticationResult, desk, answer, context)
        }
    }

    /// Whether the customer lets another try show another page; nobody's answer is no consent.
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
            return sources(operation).contains(source.kind) ? source : nil
        case .stop, nil: return nil
        }
    }

    /// Sends an answer; one that the provider does not wait for any more was heard before.
    @discardableResult
    private func tell(
        _ path: String, _ desk: EcommpayPromptHandler, _ answer: [(String, JSON)], _ context: PaymentContext
    ) async throws -> Heard {
        let (isGate, target, message) = try self.message(path, desk, answer)
        guard let target else { return .nobody }
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
        _ fields: [(group: String, field: RequestedField)], _ given: [String: PersonalData]
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
