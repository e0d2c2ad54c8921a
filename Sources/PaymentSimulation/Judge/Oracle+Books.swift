internal import PaymentAbstraction
internal import PaymentConformance

/// The end: what is told of everything now, beside the books.
extension Oracle {
    /// What is told of an attempt in the end.
    mutating func close(_ attempt: AttemptID, _ told: DeliveredResult, isOpen: Bool) {
        tell(attempt, told, isCall: false, since: now, in: "")
        guard let sight = sights[attempt] else { return }
        switch told {
        case .moved, .refused, .nothing, .behind: break
        case .pending: if !isOpen { accuse("\(name(sight)) is pending, and not listed as open") }
        case .unknown("notFound"):
            if !sight.moves.isEmpty {
                accuse("\(name(sight)) is unknown to the journal, and the books have \(books(sight))")
            }
        case .unknown(let code):
            if !isOpen { accuse("\(name(sight)) is unknown (\(code)), and not listed as open") }
        }
        if isOpen { openCount += 1 }
    }

    /// What is told of a payment's amounts, beside the books; only where everything of it is decided by the provider.
    mutating func close(
        _ origin: AttemptID, _ family: [AttemptID], _ amounts: PaymentAmounts, _ final: [AttemptID: DeliveredResult]
    ) {
        let members = family.compactMap { sights[$0] }
        let isClear = members.allSatisfy { sight in
            if sight.isUnsaid || sight.isDoubled || sight.mayBeOfTwin { return false }
            if sight.isDecided || sight.isMisjudged { return false }
            switch final[sight.order.attempt] {
            case .moved, .refused, .nothing: return true
            case .pending, .unknown, .behind, nil: return false
            }
        }
        guard isClear, let first = members.first, let standing = standing(of: family) else { return }
        let ours = amounts.isVoided ? 0 : amounts.captured.minorUnits.subtracting(amounts.refunded.minorUnits)
        if ours != standing.charged - standing.returned {
            accuse("\(name(first)) has brought in \(ours), and the books have \(standing.charged - standing.returned)")
        }
        // What a capture that failed afterwards leaves of the authorisation, no provider's book says.
        if members.contains(where: { $0.order.operation == .capture && $0.gross > 0 && $0.net == 0 }) { return }
        let isHeld = first.order.operation == .authorize && first.gross > 0 && !amounts.isVoided
        let held = isHeld ? amounts.capturable.minorUnits : 0
        if held != standing.held { accuse("\(name(first)) holds \(held), and the books have \(standing.held)") }
    }

    /// What moved although it had been denied must have raised a contradiction.
    mutating func explain(_ attempt: AttemptID, isRaised: Bool) {
        guard let sight = sights[attempt], sight.isMisjudged, sight.net != 0, !isRaised else { return }
        // What was begun anew after that may have moved.
        guard let denied = sight.wasDeniedAt, sight.causes.contains(where: { $0.at < denied }) else { return }
        if case .moved = sight.lastTold { accuse("\(name(sight)) was denied and moved, and nothing says so") }
    }
}
