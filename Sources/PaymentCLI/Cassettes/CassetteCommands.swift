internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
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
        try CommandFile.write(text, path)
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
            "plays a cassette to today's driver without a network, and says what is otherwise than it was recorded",
        example: "payctl cassette play adyen.jsonl", takes: AcceptedArguments(operands: ["FILE"])
    ) { call in
        let path = try call.operand(0, "FILE")
        let cassette = try CassetteFile.read(path)
        let player = CassetteHarness(cassette, try CassetteFile.harness(cassette.header.provider, call))
        let isOfChecks = !Set(Check.all.map(\.id)).isDisjoint(with: cassette.sections)
        let changes = isOfChecks ? player.replay().changes : try player.replayScenarios().changes
        let differences = player.differences
        call.say(
            [
                "file": .string(path), "provider": .string(cassette.header.provider),
                "environment": .string(cassette.header.environment), "takes": .integer(cassette.sections.count),
                "exchanges": .integer(cassette.interactions.count),
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
                + (changes.isEmpty && differences.isEmpty ? [call.paint.good("everything is as it was recorded")] : []))
        return changes.isEmpty && differences.isEmpty ? .fine : .failed
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
