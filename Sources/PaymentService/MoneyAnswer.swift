internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

/// Answers a request about money: 201 only if it was executed, 202 while that is not known, 402 if it was decided otherwise. What
/// began nothing is a `Problem` with a status of its own.
struct MoneyAnswer: Sendable {
    private let call: ServiceCall
    private let attempt: AttemptID

    init(_ call: ServiceCall, _ attempt: AttemptID) { (self.call, self.attempt) = (call, attempt) }

    /// Lets the service carry the attempt and waits for it.
    func response(to work: MoneyWork) async throws(Problem) -> ServerResponse {
        call.service.follow(call.shop)
        let begun = call.service.clock.uptime
        let (carried, isNew) = call.service.carrier.carry(attempt, call.shop, key: call.key?.digest ?? "", work)
        if !isNew {
            // Another shop's id and other content look alike while an attempt runs.
            guard carried.shop == call.shop.name else { throw .keyReused(nil) }
            guard work.isSame(carried.work.intent) else {
                var problem = Problem.keyReused(nil)
                problem.outcome = .unknown
                throw problem
            }
        }
        await call.wait(for: attempt, carried.waiters, .money(attempt))
        switch carried.ending {
        case nil: return try await underWay(work.intent)
        case .refused(let problem): throw problem
        case .result(let isReplay, let isRecorded):
            guard var view = await view(isNew: !isReplay) else { return response(unread(work.intent, nil)) }
            view.isResultRecorded = isRecorded
            return response(view, isReplay: isReplay)
        case .open:
            // A repeat of what is open waits for the rest of its time.
            var rest = call
            rest.waitMilliseconds = call.waitMilliseconds.subtractingSaturating(
                call.service.clock.uptime.subtractingSaturating(begun))
            await rest.wait(for: attempt, nil, .money(attempt))
            return response(await view() ?? unread(work.intent, nil))
        case .failed(let error): return try await failed(error, work.intent)
        }
    }

    /// The attempt as the journal has it; nil if the journal has none, or can't be read.
    private func view(isNew: Bool = false) async -> AttemptView? {
        guard let record = try? await call.client.attempt(attempt), record.intent.scope == call.shop.scope else {
            return nil
        }
        // What may have gone back since is not shown as paid.
        guard let status = try? await ServiceCore.paymentStatus(of: record, by: call.client, isNew: isNew) else {
            return nil
        }
        var view = AttemptView(record, askedFor: attempt)
        view.paymentStatus = status
        return view
    }

    private func underWay(_ intent: Attempt.Intent) async throws(Problem) -> ServerResponse {
        // It may have ended since the wait was over: then the record, which is read after that, says so.
        let running = call.service.carrier.running(attempt)
        var view = await view() ?? AttemptView(intent)
        let isDecided = view.record?.state == .notExecuted && running?.hasBegun != true
        view.isRunning = !isDecided && (running != nil || view.record == nil)
        (view.prompt, view.question) = (running?.prompt, call.service.question(of: attempt))
        call.shows(view)
        return response(view)
    }

    /// An attempt of which nothing can be read now.
    private func unread(_ intent: Attempt.Intent, _ error: PaymentError?) -> AttemptView {
        var view = AttemptView(intent)
        view.error = error
        view.isResultRecorded = false
        return view
    }

    /// What an error of the client says, with what the journal says now.
    private func failed(_ error: PaymentError, _ intent: Attempt.Intent) async throws(Problem) -> ServerResponse {
        let record: Attempt?
        do throws(PaymentError) { record = try await call.client.attempt(attempt) } catch {
            record = nil
            if let gone = Problem.pruned(error) { throw gone }
            if error.outcome != .notExecuted { return response(unread(intent, error)) }
        }
        if error.isReuse(of: attempt) { throw .keyReused(record) }
        if let record, record.intent.scope == call.shop.scope {
            var view = AttemptView(record, askedFor: attempt)
            view.error = error
            view.paymentStatus = try? await ServiceCore.paymentStatus(of: record, by: call.client)
            return response(view)
        }
        if error.attempt == attempt, let gone = Problem.pruned(error) { throw gone }
        // The journal has the id for another shop: nothing of that is shown.
        if error.code == .conflict, error.attempt == attempt { throw .keyReused(nil) }
        switch error.outcome {
        case .unknown:
            if let lost = Problem.mayBeLost(error) { throw lost }
            return response(unread(intent, error))
        case .executed, .notExecuted:
            let code = Problem.Code(error)
            if code.status == 402, error.outcome == .notExecuted {
                var view = AttemptView(intent)
                view.error = error
                return response(view)
            }
            throw await refused(error, code)
        }
    }

    /// The client proved that nothing was executed, and recorded nothing.
    private func refused(_ error: PaymentError, _ code: Problem.Code) async -> Problem {
        var problem = Problem(
            code, error.detail, outcome: error.outcome == .notExecuted ? .notExecuted : nil,
            retry: code.status == 503 ? .safe : error.retry)
        (problem.diagnosis, problem.message, problem.accounts) = (error.diagnosis, error.message, error.accounts)
        if code.status == 503 { problem.headers = [HTTPField("Retry-After", "5")] }
        if let id = error.attempt, id != attempt, let other = try? await call.client.attempt(id),
            other.intent.scope == call.shop.scope
        {
            problem.other = Problem.Other(other)
        }
        return problem
    }

    private func response(_ view: AttemptView, isReplay: Bool = false) -> ServerResponse {
        var fields = [HTTPField("Location", "/v1/attempts/\(view.id)")]
        let status = view.httpStatus
        if status == 202 { fields.append(HTTPField("Retry-After", "\(view.retryAfterSeconds)")) }
        if isReplay, status != 202 { fields.append(HTTPField("Idempotency-Replayed", "true")) }
        return ServerResponse(status, fields, .bytes(AttemptView.shape.json(view, for: call.role).bytes()))
    }
}
