import Foundation
import PaymentBase
import Testing

/// What is kept of attacks is played again, and changed a little, on each reader; `Scripts/fuzz` does it for hours.
@Suite struct FuzzTests {
    private static let changed = 1_000
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let ready = Task { await WebhookTrial.prepare() }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func whatIsKeptIsReadAsBefore(_ name: String) async throws {
        await Self.ready.value
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let kept = try Self.kept(name)
        #expect(!kept.isEmpty, "nothing is kept of \(name); Scripts/fuzz --keep")
        for input in kept { target.run(input) }
        let random = SeededRandom(seed: UInt64(name.utf8.reduce(0) { $0 + Int($1) }))
        for _ in 0..<Self.changed { target.run(Self.change(kept, random)) }
    }

    @Test func whatEndedAReaderIsKeptForOneThatThereIs() throws {
        let names = Set(FuzzTarget.all.map(\.name))
        for name in try Self.names("Crashes") { #expect(names.contains(name)) }
        for file in try Self.names("Corpora") { #expect(names.contains(String(file.dropLast(4)))) }
    }

    /// What is kept for a target, with what once ended it.
    private static func kept(_ name: String) throws -> [[UInt8]] {
        let ended = (try? names("Crashes/\(name)")) ?? []
        let lines = try String(contentsOf: folder.appending(path: "Corpora/\(name).txt"), encoding: .utf8)
        return try ended.map { Array(try Data(contentsOf: folder.appending(path: "Crashes/\(name)/\($0)"))) }
            + lines.split(separator: "\n").map { try #require(Base64.standard.decode(String($0))) }
    }

    private static func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
    }

    /// One of the inputs with a few bytes changed, taken out, doubled, or followed by another's end.
    private static func change(_ kept: [[UInt8]], _ random: SeededRandom) -> [UInt8] {
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }
        var input = kept[below(kept.count)]
        for _ in 0...below(4) where !input.isEmpty {
            let place = below(input.count)
            switch below(5) {
            case 0: input[place] ^= UInt8(1 << below(8))
            case 1: input[place] = UInt8(below(256))
            case 2: input.removeSubrange(place..<min(input.count, place + 1 + below(8)))
            case 3: input.insert(contentsOf: input[place..<min(input.count, place + 1 + below(8))], at: place)
            default: input = input[..<place] + kept[below(kept.count)].suffix(below(64))
            }
        }
        return input
    }
}

/// Says where two ways of reading don't agree.
func hold(_ isSo: Bool, _ what: @autoclosure () -> String) {
    if !isSo { Issue.record("\(what())") }
}
