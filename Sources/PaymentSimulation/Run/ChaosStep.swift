internal import PaymentAbstraction
internal import PaymentConformance

/// One thing that happens in a simulated world, complete in itself: whatever else is left out, it still means the same.
public struct ChaosStep: Hashable, Sendable {
    /// What happens.
    enum Action: Hashable, Sendable {
        /// A till charges or holds; under the reference of an earlier order or under one of its own, as a whole or a part.
        case charge(isHold: Bool, under: Int?, isPart: Bool, SimulatedOutcome, PaymentSource.Kind, thousands: Int64)
        /// A till does something with a payment; all that is left, or what the provider's script says.
        case follow(PaymentOperation, of: Int, SimulatedOutcome?)
        /// A till makes a call again under its old id.
        case again(Int)
        /// Whoever waits for an order leaves.
        case leave(Int)
        /// Somebody asks what became of an order.
        case status(Int)
        /// A till looks at everything that is open.
        case recover
        /// A person decides what the provider's books say; a hasty one says the contrary of nothing.
        case resolve(Int, isHasty: Bool)
        /// A process dies after so many further writes and exchanges.
        case crash(after: Int)
        /// A process ends as it should, and its successor sends new payments elsewhere.
        case change(active: Int)
        /// The machine is started again; every process on it dies.
        case reboot
        /// Somebody sets the machine's clock.
        case setClock(by: Int64)
        /// Something goes wrong on a till's line, after so many exchanges.
        case line(LineFault, after: Int)
        /// The provider misbehaves, after so many requests.
        case provider(Int, after: Int)
        /// The journal misbehaves towards a till, after so many writes.
        case journal(JournalFault, after: Int)
        /// A message of the provider's is delivered, and perhaps once more later.
        case deliver(Int, isKept: Bool)
        /// A message of the provider's is lost.
        case lose(Int)
        /// The provider decides what is pending.
        case decide(Int, succeeds: Bool)
        /// What was done fails afterwards.
        case failLater(Int)
        /// What was charged is settled.
        case settle(Int)
        /// Every access ends.
        case revoke(Int)
    }

    /// Its place in the sequence that it was drawn for; also the name of the order that it makes.
    let number: Int
    /// Which till it is about.
    let till: Int
    let act: Action
    /// How much time passes then, in milliseconds.
    let pause: Int64
}

/// What can go wrong on a till's line.
enum LineFault: Hashable, Sendable {
    /// Nobody listens.
    case refused
    /// The request is lost on its way.
    case requestLost
    /// It is done, and the answer is lost.
    case replyLost
    /// The connection breaks at once, and what has left arrives a part of the quiet time later, in hundredths.
    case late(Int64)
    /// The request takes a part of the quiet time to arrive, in hundredths.
    case slow(Int64)
    /// The answer takes so long, in milliseconds.
    case replySlow(Int64)
    /// The answer ends in its middle.
    case torn
}

/// What can go wrong with a journal.
enum JournalFault: Hashable, Sendable {
    /// Nothing is written.
    case notWritten
    /// It is written, and nobody hears so.
    case keptUnknown
    /// It isn't written, and nobody hears so.
    case lostUnknown
    /// It takes so long, in milliseconds, half before and half after.
    case slow(Int64)
}

extension ChaosStep: CustomStringConvertible {
    public var description: String {
        let wait = pause == 0 ? "" : ", then \(pause) ms"
        return "\(number) till \(till): \(act)\(wait)"
    }
}

extension ChaosStep.Action: CustomStringConvertible {
    var description: String {
        switch self {
        case .charge(let isHold, let under, let isPart, let script, let source, let thousands):
            let what = "\(isHold ? "holds" : "charges") \(source.rawValue), \(script.rawValue)"
            let place = under.map { ", under the reference of \($0)" } ?? ""
            return what + (thousands > 0 ? ", \(thousands),000 more" : "") + place
                + (isPart ? ", as a part" : "")
        case .follow(let operation, let number, let script):
            return "\(operation.rawValue) of \(number), \(script.map { "a part, \($0.rawValue)" } ?? "all")"
        case .again(let number): return "again \(number)"
        case .leave(let number): return "everybody leaves \(number)"
        case .status(let number): return "asks about \(number)"
        case .recover: return "recovers"
        case .resolve(let number, let isHasty): return "a person decides \(number)\(isHasty ? " in haste" : "")"
        case .crash(let count): return "its process dies after \(count) writes and exchanges"
        case .change(let active): return "its process ends, the next one prefers provider \(active)"
        case .reboot: return "its machine starts again"
        case .setClock(let milliseconds): return "its clock is set by \(milliseconds) ms"
        case .line(let fault, let count): return "its line after \(count): \(fault)"
        case .provider(let pick, let count): return "its provider's fault \(pick) after \(count)"
        case .journal(let fault, let count): return "its journal after \(count): \(fault)"
        case .deliver(let pick, let isKept): return "hears message \(pick)\(isKept ? ", which comes again" : "")"
        case .lose(let pick): return "message \(pick) is lost"
        case .decide(let number, let succeeds):
            return "the provider decides \(number): \(succeeds ? "done" : "not done")"
        case .failLater(let number): return "\(number) fails afterwards"
        case .settle(let provider): return "provider \(provider) settles"
        case .revoke(let provider): return "provider \(provider) ends every access"
        }
    }
}
