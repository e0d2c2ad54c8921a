internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentSimulator
internal import PaymentTransport

extension Command {
    /// Records a simulated provider.
    static let cassetteRecord = Command(
        name: "cassette record",
        summary: "plays scenarios at a provider's simulation and keeps everything that passes, without secrets",
        example: "payctl cassette record adyen adyen.jsonl",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "FILE"],
            options: [
                .values("scenario", "NAME", "only this scenario; may be given again"),
                .values("check", "ID", "this check of the suite instead; may be given again"),
                .value("reading", "NAME", "the simulated provider plays this reading"),
                .value("seed", "N", "what draws names and orders; 1 by default"),
            ])
    ) { call in
        let (name, path) = (try call.operand(0, "PROVIDER"), try call.operand(1, "FILE"))
        let seed = UInt64(try call.integer("seed", in: 0...Int64.max, 1))
        var harness = try CassetteFile.harness(name, call)
        var notes = CassetteFile.notes
        if let reading = call.given["reading"] {
            harness = try CassetteFile.playing(reading, harness)
            notes["readings"] = [.string(reading)]
        }
        let recorder = CassetteRecorder(harness, seed: seed, notes: notes)
        let takes: [String]
        if call.given.has("check") {
            let ids = call.given.all("check")
            let checks = try ids.map { try Check.all.picked($0, "check", by: \.id) }
            takes = recorder.record(checks).map(\.id)
        } else {
            let names = call.given.all("scenario")
            let some = try names.map { try Scenario.all.picked($0, "scenario", by: \.name) }
            takes = try recorder.record(some.isEmpty ? Scenario.all : some).map(\.scenario)
        }
        let cassette = recorder.cassette
        let text = cassette.text
        try CommandFile.write(text, path, isPrivate: true)
        call.say(
            [
                "file": .string(path), "provider": .string(name), "takes": .integer(takes.count),
                "items": .integer(cassette.items.count), "bytes": .integer(text.count),
            ],
            ["\(path): \(takes.count) takes, \(cassette.items.count) items, \(text.count) bytes"])
        return .fine
    }

    /// Plays what was recorded to today's driver.
    static let cassettePlay = Command(
        name: "cassette play",
        summary:
            "plays a cassette to today's driver without a network, and says what differs from the recording",
        example: "payctl cassette play adyen.jsonl", takes: AcceptedArguments(operands: ["FILE"])
    ) { call in
        let path = try call.operand(0, "FILE")
        let cassette = try CassetteFile.read(path)
        let player = CassetteHarness(cassette, try CassetteFile.harness(cassette.header.provider, call))
        let isOfChecks = !Set(Check.all.map(\.id)).isDisjoint(with: cassette.sections)
        let playable = Set(isOfChecks ? Check.all.map(\.id) : Scenario.all.map(\.name))
        let unplayed = cassette.sections.filter { !playable.contains($0) }
        if unplayed.count == cassette.sections.count {
            throw UsageError(message: "nothing on \(path) can be played here (\(unplayed.joined(separator: ", ")))")
        }
        let changes = isOfChecks ? player.replay().changes : try player.replayScenarios().changes
        let differences = player.differences
        let isSame = changes.isEmpty && differences.isEmpty && unplayed.isEmpty
        call.say(
            [
                "file": .string(path), "provider": .string(cassette.header.provider),
                "environment": .string(cassette.header.environment), "takes": .integer(cassette.sections.count),
                "exchanges": .integer(cassette.interactions.count), "notPlayed": .texts(unplayed),
                "changes": .array(
                    changes.map { one in
                        [
                            "take": .string(one.take), "aspect": .string(one.aspect),
                            "recorded": .string(one.recorded), "now": .string(one.now),
                        ]
                    }),
                "differences": .array(
                    differences.map { one in
                        [
                            "take": .string(one.take), "exchange": .string(one.exchange),
                            "member": .string(one.member), "recorded": .string(one.recorded), "now": .string(one.now),
                        ]
                    }),
            ],
            [
                "\(cassette.header.provider) (\(cassette.header.environment)): \(cassette.sections.count) takes, "
                    + "\(cassette.interactions.count) exchanges"
            ]
                + changes.map { call.paint.bad("otherwise  ") + "\($0.take), \($0.aspect): \($0.recorded) → \($0.now)" }
                + differences.map { call.paint.bad("asked      ") + "\($0)" }
                + unplayed.map { call.paint.doubt("not played ") + $0 }
                + (isSame ? [call.paint.good("everything is as it was recorded")] : []))
        return isSame ? .fine : .failed
    }
}

/// A cassette's file, and the harness that it is played to.
enum CassetteFile {
    /// What every recording notes.
    static var notes: JSONObject {
        [
            "date": .string(SystemClock().now.time), "versions": ["payments": .string(PaymentsVersion.text)],
            "readings": [],
        ]
    }

    static func read(_ path: String) throws(UsageError) -> Cassette {
        let bytes = try CommandFile.read(path)
        do throws(Cassette.ParseError) { return try Cassette(text: bytes) } catch {
            throw UsageError(message: "\(path) is no cassette, or was cut off: line \(error.line) can't be read")
        }
    }

    static func harness(_ name: String, _ call: Invocation) throws(UsageError) -> any ConformanceHarness {
        try call.registry.harnesses(over: .inProcess).harnesses.picked(name, "provider") { $0.name }
    }

    static func playing(_ reading: String, _ harness: any ConformanceHarness) throws(UsageError)
        -> any ConformanceHarness
    {
        let names = (harness as? any VariantHarness)?.playable.map(\.id) ?? []
        guard let playing = harness as? any VariantHarness, names.contains(reading) else {
            throw UsageError.unknown("reading", reading, of: names)
        }
        return playing.using(variant: reading)
    }

    /// Whether an operand names a cassette rather than a provider.
    static func isMeant(_ operand: String) -> Bool { operand.hasSuffix(".jsonl") }
}

extension Command {
    /// What a recording says about the readings of a provider's documents.
    static let readingsCheck = Command(
        name: "readings check",
        summary:
            "compares a cassette with every reading of the provider's documents, and strikes out what it contradicts",
        example: "payctl readings check adyen.jsonl", takes: AcceptedArguments(operands: ["CASSETTE"])
    ) { call in
        let path = try call.operand(0, "CASSETTE")
        let cassette = try CassetteFile.read(path)
        let name = cassette.header.provider
        guard let harness = try CassetteFile.harness(name, call) as? any VariantHarness, !harness.playable.isEmpty
        else {
            throw UsageError(message: "no reading of the documents is listed for \(name)")
        }
        let found = try VariantCheck(cassette).judge(harness, call)
        var table = TextTable(["reading", "by this cassette", "where"])
        table.rows = found.map { [$0.id, $0.verdict.words, $0.places.first ?? ""] }
        let struck = found.filter { $0.verdict == .contradicted }
        call.say(
            [
                "file": .string(path), "provider": .string(name), "synthetic": .bool(cassette.header.isSynthetic),
                "readings": .array(
                    found.map { one in
                        [
                            "id": .string(one.id), "verdict": .string(one.verdict.rawValue),
                            "places": .texts(one.places),
                        ]
                    }),
            ],
            table.lines(within: call.console.columns) + [
                "",
                "\(struck.count) of \(found.count) readings are struck out"
                    + (cassette.header.isSynthetic
                        ? "; it is a recording of our own simulation, so it proves nothing" : ""),
            ])
        return .fine
    }
}

/// A cassette as a witness of how a provider's documents are to be read.
///
/// A reading is distinguished from the usual one by what the simulated provider answers differently under both, to the
/// same requests. There, and nowhere else, the cassette is asked.
struct VariantCheck {
    enum Verdict: String {
        /// The provider answered as under the usual reading, where this one answers otherwise.
        case contradicted
        /// It answered as under this reading.
        case supported
        /// It did both, or neither.
        case undecided
        /// Nothing that was recorded distinguishes both.
        case silent

        var words: String {
            switch self {
            case .contradicted: "struck out"
            case .supported: "seen"
            case .undecided: "neither this nor the usual"
            case .silent: "says nothing"
            }
        }
    }

    struct Finding {
        let id: String
        let verdict: Verdict
        /// Takes, exchanges and members that tell.
        let places: [String]
    }

    private let cassette: Cassette
    private let takes: [String]

    init(_ cassette: Cassette) { (self.cassette, takes) = (cassette, cassette.sections) }

    func judge(_ harness: any VariantHarness, _ call: Invocation) throws -> [Finding] {
        let progress = ProgressLine(call.console, "reading", of: harness.playable.count + 1)
        defer { progress.end() }
        progress.step("as usual")
        let usual = try played(harness)
        return try harness.playable.map { reading in
            progress.step(reading.id)
            return judge(reading.id, usual, try played(harness.using(variant: reading.id)))
        }
    }

    /// The takes of the cassette at a simulated provider.
    private func played(_ harness: any ConformanceHarness) throws -> Cassette {
        let recorder = CassetteRecorder(harness, seed: cassette.header.seed)
        let checks = Check.all.filter { takes.contains($0.id) }
        _ = recorder.record(checks)
        if checks.isEmpty { _ = try recorder.record(Scenario.all.filter { takes.contains($0.name) }) }
        return recorder.cassette
    }

    private func judge(_ id: String, _ usual: Cassette, _ other: Cassette) -> Finding {
        var (against, inFavour, neither) = ([String](), [String](), [String]())
        for take in takes {
            let all = [usual, other, cassette].map { exchanges(of: take, in: $0) }
            for index in 0..<(all.map(\.count).min() ?? 0) {
                let asked = all.map { "\($0[index].request.method) \($0[index].request.path)" }
                // From where they ask otherwise on, an answer to one is none to the other.
                guard Set(asked).count == 1 else { break }
                let said = all.map { Self.answer($0[index]) }
                for member in Set(said[0].keys).union(said[1].keys).sorted() where said[0][member] != said[1][member] {
                    let place = "\(take), exchange \(index + 1) \(asked[0]), \(member)"
                    if said[2][member] == said[0][member] {
                        against.append(place)
                    } else if said[2][member] == said[1][member] {
                        inFavour.append(place)
                    } else {
                        neither.append(place)
                    }
                }
            }
        }
        if inFavour.isEmpty, !against.isEmpty { return Finding(id: id, verdict: .contradicted, places: against) }
        if against.isEmpty, !inFavour.isEmpty { return Finding(id: id, verdict: .supported, places: inFavour) }
        let places = against + inFavour + neither
        return Finding(id: id, verdict: places.isEmpty ? .silent : .undecided, places: places)
    }

    private func exchanges(of take: String, in cassette: Cassette) -> [Cassette.Interaction] {
        cassette.items.compactMap { item in
            guard item.section == take, case .exchange(let exchange) = item.event else { return nil }
            return exchange
        }
    }

    /// An answer by its members; a failure is one of its own.
    private static func answer(_ exchange: Cassette.Interaction) -> [String: String] {
        switch exchange.end {
        case .failure(let failure): return ["failure": "\(failure)"]
        case .success(let response):
            var members = ["status": "\(response.status)"]
            if let json = try? JSONReader().read(response.body) { collect(json, "", &members) }
            return members
        }
    }

    private static func collect(_ json: JSON, _ path: String, _ members: inout [String: String]) {
        func step(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        switch json {
        case .array(let items): for (index, item) in items.enumerated() { collect(item, step("\(index)"), &members) }
        case .object(let object): for member in object.members { collect(member.value, step(member.key), &members) }
        case .null, .bool, .number, .string: members[path] = json.line
        }
    }
}
