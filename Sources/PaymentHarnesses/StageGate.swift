internal import PaymentBase
internal import PaymentTesting

/// Keeps a stage's clock still while bytes travel, and lets it go on while a company thinks about them.
///
/// The clock of a check is not the clock of the sockets: as long as a request or an answer is on its way no time may
/// pass, or a slow machine would look like a slow company. What a company does on purpose (to answer late, to stay
/// silent) takes its time by the stage's clock.
final class StageGate: Sendable {
    private enum Place { case travelling, atCompany, givenUp }

    private struct State {
        var exchanges: [Int: Place] = [:]
        var next = 0
    }

    let stage: Stage
    private let state = Locked(State())

    init(_ stage: Stage) { self.stage = stage }

    /// A request sets out; gives its number.
    func depart() -> Int {
        stage.hold()
        return state.withLock { state in
            state.next += 1
            state.exchanges[state.next] = .travelling
            return state.next
        }
    }

    /// It has reached the company.
    func reach(_ number: Int) { move(number, to: .atCompany) }

    /// Its answer sets out.
    func turn(_ number: Int) { move(number, to: .travelling) }

    /// Whoever sent it gives it up; until the transport has heard that and ended it, no time passes.
    func giveUp(_ number: Int) { move(number, to: .givenUp) }

    /// It is over, whatever came of it.
    func end(_ number: Int) {
        let place = state.withLock { $0.exchanges.removeValue(forKey: number) }
        if let place, place != .atCompany { stage.release() }
    }

    /// Whoever waited for an exchange may have gone meanwhile; then nothing changes.
    private func move(_ number: Int, to place: Place) {
        let before = state.withLock { state -> Place? in
            guard let before = state.exchanges[number], before != place, before != .givenUp else { return nil }
            state.exchanges[number] = place
            return before
        }
        guard let before else { return }
        if place == .atCompany { stage.release() }
        if before == .atCompany { stage.hold() }
    }
}
