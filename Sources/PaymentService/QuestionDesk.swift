package import PaymentBase
package import PaymentModel

/// Passes a client's questions on to a till that follows the attempt over HTTP, and the answers back.
///
/// ```swift
/// let desk = QuestionDesk()
/// options.answers = desk.handlers        // of the client
/// serviceOptions.desk = desk
/// ```
package final class QuestionDesk: Sendable {
    /// A question that waits for its answer.
    struct Asked: Sendable {
        let id: String
        let kind: String
        var until: Int64
        /// The JSON schema of the answer.
        let form: JSON
        /// What a till shows beside it.
        let details: JSONObject
        /// Reads an answer; what it gives passes the answer on.
        fileprivate let read: @Sendable (JSON) throws(FormError) -> @Sendable () -> Void

        /// As an attempt shows it.
        var json: JSON {
            var object: JSONObject = [
                "id": .string(id), "kind": .string(kind), "until": Moment.json(until), "form": form,
            ]
            for name in ["address", "text", "approved", "asked", "step", "fields", "returnAddress"] {
                object[name] = details[name] ?? .null
            }
            return .object(object)
        }

        /// The schema of ``json``.
        static let schema = Schema.object([
            ("id", Schema.text), ("kind", Schema.text), ("until", Schema.moment), ("form", ["type": "object"]),
            ("address", Schema.textOrNull), ("text", Schema.textOrNull), ("approved", Schema.moneyOrNull),
            ("asked", Schema.moneyOrNull), ("step", Schema.textOrNull), ("fields", Schema.orNull(Schema.map)),
            ("returnAddress", Schema.textOrNull),
        ])
    }

    private struct State: Sendable {
        var open: [AttemptID: Asked] = [:]
        /// To which keys an answer has shown the open question of an attempt.
        var shown: [AttemptID: (question: String, keys: Set<String>)] = [:]
        /// The last answer of each attempt, so that the same one again is no conflict: its hash alone, which differs from process
        /// to process, because an answer may be personal.
        var answered: [AttemptID: (question: String, hash: Int)] = [:]
        var listener: (@Sendable (AttemptID) -> Void)?
    }

    /// Of how many attempts the last answer is kept.
    private static let answeredMax = 4_096

    private let clock: any PaymentClock
    private let random: any RandomSource
    private let state = Locked(State())

    /// Makes a desk.
    package init(clock: any PaymentClock = SystemClock(), random: any RandomSource = SystemRandom()) {
        (self.clock, self.random) = (clock, random)
    }

    /// The handlers for a client.
    package var handlers: QuestionHandlers {
        var handlers = QuestionHandlers()
        handle(&handlers)
        return handlers
    }

    /// Sets the handlers of all questions that an answer over HTTP can decide.
    package func handle(_ handlers: inout QuestionHandlers) {
        handlers.handle(PartialApprovalOffer.self) { [self] offer in
            let details: JSONObject = [
                "approved": MoneyForm.json(offer.approved), "asked": MoneyForm.json(offer.asked),
            ]
            return try await ask("PartialApprovalOffer", PartialApprovalOffer.timeout, details, .flag)
        }
        handlers.handle(CascadeConsent.self) { [self] _ in
            try await ask("CascadeConsent", CascadeConsent.timeout, [:], .flag)
        }
        handlers.handle(RetryPrompt.self) { [self] prompt in
            let details: JSONObject = ["text": .string(prompt.decline.reason.rawValue)]
            return try await ask("RetryPrompt", RetryPrompt.timeout, details, .flag) ? .retry : .stop
        }
        handlers.handle(PaymentLink.self) { [self] link in
            try await ask("PaymentLink", PaymentLink.timeout, ["address": .string(link.address)], .flag)
        }
        handlers.handle(ThreeDSecureChallenge.self) { [self] page in
            // We assume that the bank soon decides without the hidden step: no till is asked in between.
            guard page.step != .method else { throw Unattended() }
            let details: JSONObject = [
                "step": .string(page.step.rawValue), "address": .string(page.address),
                "fields": .object(JSONObject(texts: page.fields)), "returnAddress": .text(page.returnAddress),
            ]
            return try await ask(
                "ThreeDSecureChallenge", ThreeDSecureChallenge.timeout, details, .challenge)
        }
        handlers.handle(RequestedFields.self) { [self] asked in
            try await ask("RequestedFields", RequestedFields.timeout, [:], .fields(asked.fields))
        }
    }

    // MARK: - One question

    /// There is no attempt that a question belongs to.
    private struct Unattended: Error {}

    /// Waits for the answer to a question of the running attempt.
    private func ask<Answer: Sendable>(
        _ kind: String, _ limit: Duration, _ details: JSONObject, _ form: Form<Answer>
    ) async throws -> Answer {
        guard let attempt = CurrentAttempt.id.flatMap({ AttemptID(any: $0) }) else { throw Unattended() }
        let answer = Promise<Answer?>()
        let asked = Asked(
            id: Hex.encode(random.bytes(8)), kind: kind, until: clock.now.addingSaturating(limit.wholeMilliseconds),
            form: form.schema, details: details,
            read: { json throws(FormError) in
                let value = try form.read(json)
                return { answer.fulfill(value) }
            })
        let listener = state.withLock { state in
            state.open[attempt] = asked
            return state.listener
        }
        defer {
            state.withLock { state in
                if state.open[attempt]?.id == asked.id { state.open[attempt] = nil }
                if state.shown[attempt]?.question == asked.id { state.shown[attempt] = nil }
            }
        }
        listener?(attempt)
        guard let given = await answer.value(orWhenCancelled: nil) else { throw Unattended() }
        return given
    }

    /// Calls a function for each attempt that asks something.
    func listen(_ listener: @escaping @Sendable (AttemptID) -> Void) { state.withLock { $0.listener = listener } }

    /// What an attempt asks now.
    func question(of attempt: AttemptID) -> Asked? { state.withLock { $0.open[attempt] } }

    /// Notes that an answer shows a key what an attempt asks.
    func note(_ question: Asked, of attempt: AttemptID, isShownTo key: String) {
        state.withLock { state in
            guard state.open[attempt]?.id == question.id else { return }
            let keys = state.shown[attempt].flatMap { $0.question == question.id ? $0.keys : nil } ?? []
            state.shown[attempt] = (question.id, keys.union([key]))
        }
    }

    /// The question that an attempt asks, if an answer has shown it to a key.
    func question(of attempt: AttemptID, shownTo key: String) -> String? {
        state.withLock { $0.shown[attempt].flatMap { $0.keys.contains(key) ? $0.question : nil } }
    }

    /// Why an answer is not taken.
    static let notAsked = Problem(
        .conflict, "The attempt does not ask this now. Read the attempt.", retry: .afterStatusCheck)

    /// Passes an answer on; the same answer again is taken once. In one step: of two answers at a time one decides.
    func answer(_ question: String, of attempt: AttemptID, with answer: JSON) throws(Problem) {
        let hash = answer.hashValue
        let result: Result<@Sendable () -> Void, Problem> = state.withLock { state in
            guard let asked = state.open[attempt], asked.id == question else {
                if let last = state.answered[attempt], last == (question, hash) { return .success({}) }
                return .failure(Self.notAsked)
            }
            do throws(FormError) {
                let pass = try asked.read(answer)
                state.open[attempt] = nil
                if state.answered.count >= Self.answeredMax { state.answered = [:] }
                state.answered[attempt] = (question, hash)
                return .success(pass)
            } catch { return .failure(.wrong("/answer\(error.below)", error.detail)) }
        }
        try result.get()()
    }
}

extension Form where Value == ThreeDSecureChallenge.Answer {
    /// What the bank's page hands back. It is passed on and never kept.
    static var challenge: Form {
        let members = ["result": Form<Secret>.secret(32_768), "merchantData": Form<Secret>.secret(4_096)]
        var properties = JSONObject()
        for (name, form) in members.sorted(by: { $0.key < $1.key }) { properties[name] = form.schema }
        return Form([
            "type": "object", "additionalProperties": false, "properties": .object(properties),
            "required": ["result"],
        ]) { json throws(FormError) in
            guard let object = json.object else { throw FormError("The answer is an object.") }
            var values: [String: Secret] = [:]
            for member in object.members {
                let below = "/" + Pointer.escaped(member.key)
                guard let form = members[member.key] else {
                    throw FormError("There is no such member.", below: below)
                }
                do throws(FormError) { values[member.key] = try form.read(member.value) } catch {
                    throw FormError(error.detail, below: below)
                }
            }
            guard let result = values["result"] else {
                throw FormError("The bank's result is missing.", below: "/result")
            }
            return ThreeDSecureChallenge.Answer(result: result, merchantData: values["merchantData"]?.expose())
        }
    }
}

extension Form where Value == [String: PersonalData] {
    /// The fields that a provider asks for.
    static func fields(_ fields: [RequestedFields.Field]) -> Form {
        var properties = JSONObject()
        for field in fields {
            var schema: JSONObject = ["type": "string", "maxLength": 256]
            if let label = field.label { schema["title"] = .string(label) }
            if let hint = field.hint { schema["description"] = .string(hint) }
            if !field.options.isEmpty { schema["enum"] = .array(field.options.map { .string($0) }) }
            properties[field.name] = .object(schema)
        }
        let required = fields.filter(\.isRequired).map(\.name)
        let text = Form<String>.text(1...256)
        return Form([
            "type": "object", "additionalProperties": false, "properties": .object(properties),
            "required": .array(required.map { .string($0) }),
        ]) { json throws(FormError) in
            guard let object = json.object else { throw FormError("The answer is an object of the fields.") }
            var values: [String: PersonalData] = [:]
            for member in object.members {
                let below = "/" + Pointer.escaped(member.key)
                guard let field = fields.first(where: { $0.name == member.key }) else {
                    throw FormError("There is no such field.", below: below)
                }
                let value: String
                do throws(FormError) { value = try text.read(member.value) } catch {
                    throw FormError(error.detail, below: below)
                }
                guard field.options.isEmpty || field.options.contains(value) else {
                    throw FormError("This is one of \(field.options.joined(separator: ", ")).", below: below)
                }
                values[member.key] = PersonalData(value)
            }
            for name in required where values[name] == nil {
                throw FormError("The field is missing.", below: "/" + Pointer.escaped(name))
            }
            return values
        }
    }
}
