internal import PaymentBase
internal import PaymentTesting

/// Keeps a stage's clock still while bytes travel, and lets it go on while a provider thinks about them.
///
/// The clock of a check is not the clock of the sockets: as long as a request or an answer is on its way no time may
/// pass, or a slow machine would look like a slow provider. What a provider does on purpose (to answer late, to stay
/// silent) takes its time by the stage's clock.
final class SchedulerGate: Sendable {
    private enum Place { case travelling, atProvider, givenUp }

    private struct State {
        var exchanges: [Int: Place] = [:]
        var next = 0
    }

    let scheduler: TestScheduler
    private let state = Locked(State())

    init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

    /// A request sets out; gives its number.
    func depart() -> Int {
        scheduler.hold()
        return state.withLock { state in
            state.next += 1
            state.exchanges[state.next] = .travelling
            return state.next
        }
    }

    /// It has reached the provider.
    func reach(_ number: Int) { move(number, to: .atProvider) }

    /// Its answer sets out.
    func turn(_ number: Int) { move(number, to: .travelling) }

    /// Whoever sent it gives it up; until the transport has heard that and ended it, no time passes.
    func giveUp(_ number: Int) { move(number, to: .givenUp) }

    /// It is over, whatever came of it.
    func end(_ number: Int) {
        let place = state.withLock { $0.exchanges.removeValue(forKey: number) }
        if let place, place != .atProvider { scheduler.release() }
    }

    /// Whoever waited for an exchange may have gone meanwhile; then nothing changes.
    private func move(_ number: Int, to place: Place) {
        let before = state.withLock { state -> Place? in
            guard let before = state.exchanges[number], before != place, before != .givenUp else { return nil }
            state.exchanges[number] = place
            return before
        }
        guard let before else { return }
        if place == .atProvider { scheduler.release() }
        if before == .atProvider { scheduler.hold() }
    }
}
