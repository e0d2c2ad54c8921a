internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension Command {
    /// What a switch of provider would mean.
    static let switchPlan = Command(
        name: "switch plan",
        summary: "says what a switch from one provider to another keeps, changes and loses; --apply makes it",
        example: "payctl switch plan arise adyen",
        takes: AcceptedArguments(
            operands: ["FROM", "TO"],
            options: AcceptedArguments.Option.configured + [
                .init(name: "apply", value: nil, summary: "writes the change into the configuration")
            ])
    ) { call in
        let (from, to) = (try call.operand(0, "FROM"), try call.operand(1, "TO"))
        return try await CommandSession.use(call, .journal) { till in
            let plan = try await SwitchPlan(till, from, to)
            let path = call.configurationPath
            let bytes = try CommandFile.read(path)
            let draining = plan.draining(till.configuration.routing)
            guard let changed = ConfigurationEdit(bytes).switching(to: to, draining: draining) else {
                throw UsageError(message: "\(path) can't be changed by a program; make \(to) active by hand")
            }
            let isApplied = call.given.has("apply")
            if isApplied {
                // What was written must be readable before it takes the old one's place.
                _ = try ConfigurationReader(call.registry.providers).read(changed, file: path)
                try CommandFile.write(changed, path)
            }
            call.say(
                plan.json(draining, isApplied),
                plan.lines(call.paint) + plan.edit(bytes, changed, path, isApplied))
            return .fine
        }
    }
}

/// A switch from one provider to another.
struct SwitchPlan {
    private let from: ConfiguredProvider
    private let to: ConfiguredProvider
    private let kept: [String]
    private let gained: [String]
    private let lost: [String]
    private let open: [AttemptRecord]
    private let refundable: Int

    init(_ till: CommandSession, _ from: String, _ to: String) async throws {
        func find(_ name: String) throws(UsageError) -> ConfiguredProvider {
            if let provider = till.configured(ProviderID(rawValue: name)) { return provider }
            let names = till.configuration.providers.map(\.id.rawValue)
            throw .unknown("provider", name, of: names, near: NearestName.of(name, in: names))
        }
        (self.from, self.to) = (try find(from), try find(to))
        if from == to { throw UsageError(message: "\(from) and \(to) are the same") }
        let (old, new) = (
            try till.client.provider(self.from.id).features, try till.client.provider(self.to.id).features
        )
        kept = old.entries.filter { $0.isThere && new[$0.name] }.map(\.name)
        lost = old.entries.filter { $0.isThere && !new[$0.name] }.map(\.name)
        gained = new.entries.filter { $0.isThere && !old[$0.name] }.map(\.name)
        (open, refundable) = try await Self.stays(till, self.from.id)
    }

    /// What of the old provider's payments isn't decided, and how many can still be given back there.
    private static func stays(_ till: CommandSession, _ id: ProviderID) async throws -> ([AttemptRecord], Int) {
        var (open, refundable) = ([AttemptRecord](), 0)
        for try await payment in till.client.everyPayment() where payment.provider.id == id {
            if payment.amounts.refundable.minorUnits > 0 { refundable += 1 }
            open += payment.undecided
            if payment.amounts.capturable.minorUnits > 0, payment.undecided.isEmpty {
                open += payment.attempts.prefix(1)
            }
        }
        return (open, refundable)
    }

    /// Those that take nothing new afterwards: the old one too, never the new one.
    func draining(_ routing: Routing) -> [String] {
        (routing.draining.union([from.id]).subtracting([to.id])).map(\.rawValue).sorted()
    }

    /// What is there at both and is not the same.
    private var changes: [String] {
        var changes: [String] = []
        func note(_ what: String, _ old: String, _ new: String) {
            if old != new { changes.append("\(what): \(old) becomes \(new)") }
        }
        note("environment", from.environment, to.environment)
        note("merchant", from.merchant, to.merchant)
        func list(_ currencies: Set<Currency>?) -> String {
            currencies.map { $0.map(\.code).sorted().joined(separator: ", ") } ?? "all"
        }
        note("currencies", list(from.currencies), list(to.currencies))
        return changes
    }

    func json(_ draining: [String], _ isApplied: Bool) -> JSON {
        func texts(_ list: [String]) -> JSON { .array(list.map { .string($0) }) }
        return [
            "from": .string(from.id.rawValue), "to": .string(to.id.rawValue), "same": texts(kept),
            "changes": texts(changes), "gained": texts(gained), "lost": texts(lost),
            "staying": .array(open.map(\.json)), "refundable": .integer(refundable),
            "edit": ["active": .string(to.id.rawValue), "draining": texts(draining)], "applied": .bool(isApplied),
        ]
    }

    func lines(_ paint: Paint) -> [String] {
        func block(_ title: String, _ list: [String]) -> [String] {
            [paint.strong(title)] + (list.isEmpty ? ["  nothing"] : list.map { "  \($0)" })
        }
        let staying = open.map {
            "\($0.intent.attempt)  \($0.intent.operation.rawValue)  \($0.intent.amount)  \($0.word)"
        }
        return block("As before on \(to.id)", kept) + block("Changes", changes)
            + block("New on \(to.id)", gained) + block("Lost without \(from.id)", lost)
            + block("Open payments that stay with \(from.id)", staying)
            + ["\(refundable) payments can still be given back; they go back through \(from.id), which keeps draining"]
    }

    /// The lines of the configuration that change.
    func edit(_ old: [UInt8], _ new: [UInt8], _ path: String, _ isApplied: Bool) -> [String] {
        func split(_ bytes: [UInt8]) -> [Substring] {
            String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        }
        let difference = split(new).difference(from: split(old))
        let gone = difference.removals.map { change in "- \(Self.text(change))" }
        let come = difference.insertions.map { change in "+ \(Self.text(change))" }
        let head = isApplied ? "Written into \(path):" : "The change of \(path); --apply makes it:"
        return ["", head] + gone + come
    }

    private static func text(_ change: CollectionDifference<Substring>.Change) -> Substring {
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
    }
}
