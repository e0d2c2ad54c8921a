internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentClient {
    /// Spends an attempt's id: nothing is executed under it any more, in no process and after no restart.
    ///
    /// For a service that has to answer a request for ever as it answered it first, such as one that was cancelled before it
    /// came. What was begun under the id before is left as it is, unless it is proven that nothing of it was executed.
    ///
    /// - Parameters:
    ///   - attempt: The id.
    ///   - intent: What was asked for under it, so that the same request is answered *cancelled* and any other one is a
    ///     conflict; nil if that is not known.
    ///   - cause: Who or what ended it.
    /// - Returns: The attempt that the id has now. It is declined if it was spent, and else as it was.
    public func spend(
        _ attempt: AttemptID, for intent: Attempt.Intent? = nil, cause: Cancellation.Cause = .merchant
    ) async throws(PaymentError) -> Attempt {
        let asked = intent ?? .unknown(attempt, scope: services.scope)
        var finish = Finish(attempt, owner: services.owner, account: .none)
        let verdict = Verdict.cancelled(Cancellation(cause: cause))
        (finish.begin, finish.verdict) = (Begin(asked, .none), verdict)
        var entry = JournalEntry(.finish(finish))
        // Who follows the events learns of this end as of any other one.
        if intent != nil {
            let event = PaymentEvent(
                .cancelled, at: services.clock.now, payment: asked.paymentID, attempt: attempt,
                attributes: verdict.eventAttributes)
            entry.timeline.append(event)
        }
        let answer: JournalAnswer
        do { answer = try await services.write(entry, of: asked.paymentID) } catch {
            throw services.failed(error, attempt, .unknown)
        }
        if let held = answer.attempt { return held }
        guard case .refused(let why, _) = answer else { throw .unknown(.journal, "The id could not be spent.") }
        throw await services.refused(why, asked)
    }
}

extension Attempt {
    /// Whether its id was spent before it was known what was to be asked for under it.
    public var isSpentUnasked: Bool { intent.isUnknown && state == .declined }
}

extension Attempt.Intent {
    private static let unknownDigest = "spent"

    /// The intent of an id that is spent where no request came. As a rehearsal it is in no list and in no sum.
    fileprivate static func unknown(_ attempt: AttemptID, scope: String) -> Self {
        var intent = Self(attempt, .verify, .zero(.eur), scope: scope, digest: unknownDigest)
        intent.isDryRun = true
        return intent
    }

    fileprivate var isUnknown: Bool { operation == .verify && isDryRun && digest == Self.unknownDigest }
}
