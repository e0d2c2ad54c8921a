internal import PaymentBase
internal import PaymentCore
internal import PaymentJournalKit
internal import PaymentModel

/// What is asked about one attempt, and done about it.
struct AttemptReading: Sendable {
    private let call: ServiceCall

    /// How long a cancel waits for the end of the attempt, in milliseconds.
    private static let cancelMilliseconds: Int64 = 10_000
    /// How long a reader may take to say what became of a cancel, in milliseconds.
    private static let readerMilliseconds: Int64 = 5_000
    /// How long an attempt may take to end after its reader was asked to, in milliseconds.
    private static let settleMilliseconds: Int64 = 100

    init(_ call: ServiceCall) { self.call = call }

    /// What a cancel answers.
    static let cancellation = AnyShape(
        name: "CancelResult",
        schema: Schema.object([
            (
                "result",
                Schema.closed(CancelResult.allCases.map(\.rawValue)).adding(
                    "description",
                    "`cancelled` and `nothingToCancel`: it moved no money. `tooLate`: it did or may; ask for the attempt."
                )
            ),
            ("attempt", ["anyOf": [AttemptView.shape.any.reference, ["type": "null"]]]),
        ]), uses: [AttemptView.shape.any])

    /// The attempt now; one that ended without a record while it was waited for is shown as it ended.
    func now(_ id: AttemptID) async throws(Problem) -> AttemptView {
        do throws(Problem) { return try await call.service.attempt(id, in: call.shop) } catch {
            guard error.code == .notFound, let blocked = call.service.carrier.blocked(id),
                blocked.shop == call.shop.name, let intent = blocked.intent
            else { throw error }
            var view = AttemptView(intent)
            view.error = blocked.error
            return view
        }
    }

    private func cancelled(_ result: CancelResult, _ view: AttemptView?) -> Operation.Answer {
        let attempt = view.map { AttemptView.shape.json($0, for: call.role) } ?? .null
        return Operation.Answer(body: ["result": .string(result.rawValue), "attempt": attempt])
    }

    /// The answer where nothing waits.
    var nothingToCancel: Operation.Answer { cancelled(.nothingToCancel, nil) }

    /// Ends an attempt of which nothing was sent. Whatever it finds, a request under the id that arrives later begins nothing:
    /// that is written before it looks for the attempt, and read by a request about money after it is registered.
    func cancel(_ id: AttemptID) async throws(Problem) -> Operation.Answer {
        let carrier = call.service.carrier
        let error = AttemptCarrier.cancelled(id)
        let isNew = carrier.block(id, call.shop.name, error)
        guard let carried = carrier.running(id) else {
            do throws(Problem) {
                let view = try await now(id)
                if isNew { carrier.unblock(id) }
                // What is paid was never nothing: a till that reads this word alone takes cash.
                return cancelled(view.outcome == .notExecuted ? .nothingToCancel : .tooLate, view)
            } catch {
                guard error.code == .notFound else { throw error }
            }
            // Nothing can begin under the id any more, after a restart either. Another shop's attempt is not shown.
            do throws(PaymentError) { _ = try await call.client.spend(id) } catch {
                if isNew { carrier.unblock(id) }
                throw Problem.mayBeLost(error) ?? Problem(error)
            }
            return cancelled(.nothingToCancel, nil)
        }
        let isOwn = carried.shop == call.shop.name
        guard isOwn, call.role == .office || carried.key == call.key?.digest else {
            if isNew { carrier.unblock(id) }
            if !isOwn { return cancelled(.nothingToCancel, nil) }
            throw Problem(.forbidden, "Only the key that began an attempt may cancel it, and an office key.")
        }
        if carried.ending == nil { await end(carried, id) }
        let isRecorded: Bool
        do throws(PaymentError) { isRecorded = try await call.client.attempt(id) != nil } catch { throw Problem(error) }
        if isRecorded || carried.ending == nil {
            if isNew { carrier.unblock(id) }
        } else {
            // What ended as if it had never begun begins no more.
            carrier.block(id, call.shop.name, error, intent: carried.work.intent)
            do throws(PaymentError) {
                _ = try await call.client.spend(id, for: carried.work.intent)
            } catch {
                carrier.unblock(id)
                throw Problem.mayBeLost(error) ?? Problem(error)
            }
        }
        let view = try await now(id)
        switch view.outcome {
        case .notExecuted:
            let isEnded = view.status == "cancelled" || carried.wasCancelled
            return cancelled(isEnded ? .cancelled : .nothingToCancel, view)
        case .executed, .unknown: return cancelled(.tooLate, view)
        }
    }

    /// Ends the wait of one attempt, and of no other one at the same reader.
    private func end(_ carried: AttemptCarrier.Carried, _ id: AttemptID) async {
        let carrier = call.service.carrier
        let place = call.enterRoom()
        defer { call.service.room.leave(place) }
        if let used = carried.reader, carrier.readers.close(used.name) {
            // Nothing new comes to the reader until it is open again. If it is used by this attempt alone, what it waits for is
            // this attempt's card.
            if carrier.others(at: used.name, besides: id).isEmpty {
                _ = await call.service.bounded(milliseconds: Self.readerMilliseconds, at: place) {
                    try? await used.reader.cancel()
                }
            }
            carrier.readers.open(used.name)
        }
        await wait(for: carried, at: place, milliseconds: Self.settleMilliseconds)
        // Once a request is open the service stays the caller: what runs ends with a result. Between two providers none is.
        if carried.ending == nil, let view = try? await call.service.attempt(id, in: call.shop),
            view.record?.requests.allSatisfy(\.wasNotExecuted) ?? true
        {
            carried.cancel()
        }
        await wait(for: carried, at: place, milliseconds: Self.cancelMilliseconds)
    }

    private func wait(for carried: AttemptCarrier.Carried, at place: WaitRoom.Place, milliseconds: Int64) async {
        let ended = Promise<Bool>()
        guard let number = carried.waiters.add(ended), let seat = place.ended.add(ended) else { return }
        defer { place.ended.remove(seat) }
        let timer = Task(executorPreference: call.service.options.executor) { [clock = call.service.clock] in
            try await clock.sleep(until: clock.now.addingSaturating(milliseconds))
            ended.fulfill(false)
        }
        defer {
            timer.cancel()
            carried.waiters.remove(number)
        }
        _ = await ended.value(orWhenCancelled: false)
    }

    /// Answers what an attempt asks; only the key that began it may, and an office key.
    func answer(_ id: AttemptID) async throws(Problem) -> Operation.Answer {
        let view = try await call.service.attempt(id, in: call.shop)
        guard let desk = call.service.options.desk else { throw Problem(.conflict, "Nothing is asked here.") }
        let carried = call.service.carrier.running(view.id)
        if call.role < .office, let carried, carried.key != call.key?.digest {
            throw Problem(.forbidden, "Only the key that began an attempt may answer for it, and an office key.")
        }
        // An answer for which no caller waits any more is sent to no provider.
        if carried == nil, desk.question(of: view.id) != nil { throw QuestionDesk.notAsked }
        try desk.answer(try call.input.need(.question), of: view.id, with: try call.input.need(.answer))
        if let carried { await call.wait(for: view.id, carried.waiters) }
        return .attempt(try await now(id), call)
    }

    /// Whether the same decision is recorded already.
    private static func isDecided(
        _ record: Attempt, _ word: String, _ name: String?, _ amount: Money?, _ reason: String
    ) -> Bool {
        // Of another run of what is approved a person says that it was not executed.
        if word == "notExecuted", record.state == .approved, record.runs.count > 1, !record.isContradicted {
            return record.reports.contains { report in
                guard report.what == .notExecuted, case .person(_, let given, _) = report.evidence else { return false }
                return given == reason
            }
        }
        guard case .person(_, let given, _)? = record.evidence, given == reason else { return false }
        if let amount, record.moved != amount { return false }
        switch record.outcome {
        case .executed: return word == "executed" && record.verdict?.references.values.contains { $0 == name } == true
        case .notExecuted: return word == "notExecuted"
        case .unknown: return false
        }
    }

    /// What a person says of an attempt.
    private func resolution() throws(Problem) -> ManualResolution {
        let word = try call.input.need(.decision)
        let (name, amount) = (call.input[.providerName], call.input[.executedAmount])
        let (besides, seen) = (call.input[.besides], call.input[.acknowledges])
        if name != nil, word != "executed" { throw .wrong("/providerName", "This goes with `executed`.") }
        if besides != nil, word != "notExecuted" { throw .wrong("/besides", "This goes with `notExecuted`.") }
        if seen != nil, word != "acknowledged" { throw .wrong("/acknowledges", "This goes with `acknowledged`.") }
        if amount != nil, word != "executed", seen != "amount" {
            throw .wrong("/amount", "This goes with `executed`, and with an amount that is acknowledged.")
        }
        switch word {
        case "executed":
            guard let name else {
                throw .wrong("/providerName", "It is missing: what the provider calls what was executed.")
            }
            return .executed(name: name, amount)
        case "notExecuted": return .notExecuted(besides: besides ?? [])
        case "acknowledged":
            switch seen {
            case "contradiction": return .acknowledge(.contradiction)
            case "chargeback": return .acknowledge(.chargeback)
            case "reference": return .acknowledge(.reference)
            case "amount":
                guard let amount else { throw .wrong("/amount", "It is missing: how much the movement was.") }
                return .acknowledge(.amount(amount))
            default: throw .wrong("/acknowledges", "It is missing: what a person has seen.")
            }
        default: return .withdrawn
        }
    }

    /// Whether a person has acknowledged just that.
    private static func isAcknowledged(_ record: Attempt, _ resolution: ManualResolution) -> Bool {
        guard case .acknowledge(let what) = resolution else { return false }
        if what == .contradiction { return !record.isContradicted && record.acknowledged.contains(what) }
        // Of several amounts the last one counts.
        if case .amount = what {
            return record.acknowledged.last { if case .amount = $0 { true } else { false } } == what
        }
        return record.acknowledged.contains(what)
    }

    /// Records a person's decision.
    func decide(_ id: AttemptID) async throws(Problem) -> Operation.Answer {
        let before = try await call.service.attempt(id, in: call.shop)
        let (word, name, amount) = (
            try call.input.need(.decision), call.input[.providerName], call.input[.executedAmount]
        )
        let resolution = try resolution()
        let reason = try call.input.need(.reason)
        if let record = before.record {
            if Self.isDecided(record, word, name, amount, reason) { return .attempt(before, call) }
            if Self.isAcknowledged(record, resolution) { return .attempt(before, call) }
            if let version = call.input[.version], version != Int64(record.version) {
                var problem = Problem(
                    .changed, "The attempt has version \(record.version), not \(version). Read it, then decide.",
                    outcome: record.outcome, retry: .afterStatusCheck)
                problem.other = Problem.Other(record)
                throw problem
            }
        }
        // What the id turned out to be has a version of its own.
        let isAsked = call.input[.version] != nil && before.record?.intent.attempt == id
        do throws(PaymentError) {
            let record = try await call.client.resolve(
                id, as: resolution, by: call.key?.name ?? "", reason: reason,
                ifVersion: isAsked ? before.record?.version : nil)
            var view = AttemptView(record, askedFor: id)
            view.paymentStatus = try? await ServiceCore.paymentStatus(of: record, by: call.client)
            return .attempt(view, call)
        } catch {
            var problem =
                error.isChange
                ? Problem(.changed, error.detail, outcome: error.outcome, retry: .afterStatusCheck) : Problem(error)
            if let record = try? await call.client.attempt(id) { problem.other = Problem.Other(record) }
            throw problem
        }
    }
}

/// What the service is.
enum SetupView {
    /// Whose key it is.
    static let key = Shape<(ServiceKey, String, String?)>(
        "Self",
        [
            .init("shop", Schema.text, "The shop.") { .string($0.0.shop) },
            .init("key", Schema.text, "The key's name.") { .string($0.0.name) },
            .init("role", Schema.closed(ServiceRole.allCases.map(\.rawValue)), "What it may do.") {
                .string($0.0.role.rawValue)
            },
            .init("mayRefund", Schema.flag, "Whether it may refund.") { .bool($0.0.mayRefund) },
            .init("mayOmitReference", Schema.flag, "Whether it may sell without a reference.") {
                .bool($0.0.mayOmitReference)
            },
            .init("apiVersion", Schema.text, "The version of the API.") { _ in "1" },
            .init("version", Schema.text, "The program's version.") { .string($0.1) },
            .init(
                "generation", Schema.textOrNull,
                "12 hexadecimal digits. A UUID of version 8 that begins with them sells after a restore of the journal, too."
            ) { .text($0.2) },
        ])

    /// A provider.
    static let provider = Shape<(ProviderClient, Bool)>(
        "Provider",
        [
            .init("provider", Schema.text, "The name in the configuration.") { .string($0.0.id.rawValue) },
            .init("adapter", Schema.text, "The adapter.") { .string($0.0.identity.adapter) },
            .init("environment", Schema.text, "The environment.") { .string($0.0.identity.environment) },
            .init("account", Schema.text, "The merchant's account.") { .string($0.0.identity.merchant) },
            .init("isActive", Schema.flag, "Whether new payments go to it if no route says otherwise.") {
                .bool($0.1)
            },
            .init(
                "capabilities", ["type": "object", "additionalProperties": ["type": "boolean"]],
                "What it can do, by the same names for every provider."
            ) { provider, _ in
                var object = JSONObject()
                for entry in provider.capabilityTable.entries { object[entry.name] = .bool(entry.isSupported) }
                return .object(object)
            },
        ])

    /// Whether the service can begin attempts.
    static let ready = Shape<Bool>("Ready", [.init("isReady", Schema.flag, "Always true.") { .bool($0) }])

    /// A kind of problem.
    static let problem = Shape<Problem.Code>(
        "ProblemPage",
        [
            .init("code", Schema.text, "The code.") { .string($0.rawValue) },
            .init("status", Schema.count, "The status of an answer with it.") { .count($0.status) },
            .init("title", Schema.text, "What it is.") { .string($0.title) },
            .init("advice", Schema.text, "What it means for the money and what to do.") { .string($0.advice) },
        ])
}
