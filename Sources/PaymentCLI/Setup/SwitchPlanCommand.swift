internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

extension Command {
    /// What a switch of provider would mean.
    static let switchPlan = Command(
        name: "switch plan",
        summary: "lists what a switch from one provider to another takes, by what your journal did; --apply makes it",
        example: "payctl switch plan arise adyen",
        takes: .configured(
            "FROM", "TO",
            with: [
                .flag("apply", "writes the change into the configuration"),
                ReportFiles.option,
            ])
    ) { call in
        let files = try ReportFiles(call.given)
        let (from, to) = (try call.operand(0, "FROM"), try call.operand(1, "TO"))
        return try await CommandSession.use(call, .journal) { till in
            let plan = try await SwitchPlan(till, from, to)
            let draining = plan.draining(till.configuration.routing)
            let edit = try SwitchEdit(call, to: to, draining)
            if call.given.has("apply") { try edit.apply() }
            try files.tell(
                call, plan.document(call, draining, edit), plan.json(draining, edit.isApplied),
                plan.lines(call) + edit.lines)
            return .fine
        }
    }
}

/// The lines of a configuration that a switch changes.
struct SwitchEdit {
    private let call: Invocation
    private let path: String
    private let old: [UInt8]
    private let new: [UInt8]
    let isApplied: Bool

    init(_ call: Invocation, to: String, _ draining: [String]) throws(UsageError) {
        (self.call, path) = (call, call.configurationPath)
        isApplied = call.given.has("apply")
        if call.isBuiltin {
            if isApplied { throw UsageError(message: "there is no providers.json to change; `payctl init` writes one") }
            (old, new) = ([], [])
            return
        }
        old = try CommandFile.read(path)
        guard let changed = ConfigurationEdit(old).switching(to: to, draining: draining) else {
            throw UsageError(message: "\(path) can't be changed by a program; make \(to) active by hand")
        }
        new = changed
    }

    func apply() throws {
        // What is written must be readable before it takes the old one's place.
        _ = try ConfigurationReader(call.registry.providers).read(new, file: path)
        try CommandFile.write(new, path)
    }

    var lines: [String] {
        if old.isEmpty { return [] }
        let head = isApplied ? "Written into \(path):" : "The change of \(path); --apply makes it:"
        return ["", head] + changes.map { "\($0.isGone ? "-" : "+") \($0.line)" }
    }

    /// Lines that go, then lines that come.
    var changes: [(isGone: Bool, line: String)] {
        func split(_ bytes: [UInt8]) -> [Substring] {
            String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        }
        let difference = split(new).difference(from: split(old))
        return difference.removals.map { (true, String(Self.text($0))) }
            + difference.insertions.map { (false, String(Self.text($0))) }
    }

    private static func text(_ change: CollectionDifference<Substring>.Change) -> Substring {
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
    }
}
