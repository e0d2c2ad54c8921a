import CFaultyDisk
import Foundation
import PaymentBase
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import PaymentTesting

@testable import PaymentSQLite

// Everything that knows how a journal is made or spoken with. What a store has to offer will change; then this file
// changes, and no test does.

/// A journal that is gone with the test.
func memoryJournal() -> any Journal { InMemoryJournal() }

/// A file, opened for a stage.
struct FileJournal: Sendable {
    let path: String
    private let file: SQLiteJournal
    /// The journal as a client on a stage needs it.
    var staged: any Journal { SchedulerJournal(file) }
    /// The journal as a client without a stage needs it.
    var plain: any Journal { file }

    /// Opens or makes a file, from synchronous code.
    init(at path: String) throws {
        self.path = path
        file = try SchedulerJournal.wait {
            try await SQLiteJournal.open(path: path, processes: SingleProcess(UUID().uuidString))
        }
    }

    /// Fills in sales that a provider has accepted and never decides, as a client would have left them.
    func fill(pending count: Int, of provider: ProviderIdentity, at milliseconds: Int64) throws {
        let at = Attempt.Instant(wall: milliseconds, uptime: 0)
        let entries = try (0..<count).map { number -> JournalEntry in
            var intent = Attempt.Intent(
                try AttemptID("old-\(number)"), .sale, .cents(100), reference: "order-\(number)")
            (intent.source, intent.last4) = (.card, "1111")
            var finish = Finish(intent.attempt, owner: "gone", account: provider)
            (finish.begin, finish.verdict) = (Begin(intent, provider), .pending(Pending(shouldPoll: false)))
            return JournalEntry(.finish(finish))
        }
        try SchedulerJournal.wait { [file] in
            try await withThrowingTaskGroup { group in
                for (number, entry) in entries.enumerated() {
                    group.addTask { _ = try await file.write(entry, WriteID("old-\(number)"), at: at) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Closes it, so that all that was written lies in the file.
    func close() throws { try SchedulerJournal.wait { [file] in await file.close() } }

    /// Writes a word into an attempt's entry that only a later version knows, as that version would: with a sum that
    /// fits.
    static func writeLaterWord(about attempt: AttemptID, at path: String) throws {
        let connection = try SQLiteConnection(path: path, isReadOnly: false, busyMilliseconds: 1_000)
        defer { connection.close() }
        let rows = try connection.rows(
            "SELECT payment, number, write, content, at, events, answer, timeline FROM entry "
                + "WHERE number = 1 AND payment = (SELECT payment FROM id WHERE id = ?1)",
            [.text(attempt.text)], doing: "reading"
        ) { $0.values(0...7) }
        guard var values = rows.first, case .bytes(let packed) = values[5] else { throw JournalFailure.unreadable(nil) }
        let written = try EventCodec.appended(packed).map { one -> JSON in
            ["attempt": .string(one.attempt.text), "events": .array(one.events.map { EventCodec.json($0) })]
        }
        let text = String(decoding: JSON.array(written).bytes(), as: UTF8.self).replacing(
            "\"operation\":\"sale\"", with: "\"operation\":\"teleport\"")
        values[5] = .bytes(Array(text.utf8))
        try connection.run(
            "UPDATE entry SET events = ?2, sum = ?3 WHERE payment = ?1 AND number = 1",
            [values[0], values[5], .integer(RowSum.of(values))], doing: "writing")
    }

    /// Takes over a payment of 10.00 from before our time, of which something was refunded already; the import has no
    /// place for that yet.
    func adopt(_ attempt: String, of provider: ProviderIdentity, refunded: Money) throws {
        let line = """
            {"attempt":"\(attempt)","provider":"\(provider.id)","adapter":"\(provider.adapter)",\
            "environment":"\(provider.environment)","merchant":"\(provider.merchant)","reference":"old-1",\
            "minorUnits":1000,"currency":"EUR","takenAt":1767225600000,\
            "references":{"payment":"p-old"},"refunded":\(refunded.minorUnits),"holdsUntil":1767225600000}
            """
        let now = Attempt.Instant(wall: 1_767_225_600_000, uptime: 0)
        _ = try SchedulerJournal.wait { [file] in try await file.adopt([line], at: now) }
    }
}

/// A folder that is gone with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "attempts-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A file in it.
    func file(_ name: String = "journal.sqlite") -> String { path + "/" + name }

    /// Puts a copy of one file in the place of another, which is what restoring a backup does.
    func copy(_ from: String, to other: String) throws {
        let manager = FileManager.default
        for ending in ["", "-wal", "-shm"] where manager.fileExists(atPath: file(other) + ending) {
            try manager.removeItem(atPath: file(other) + ending)
        }
        try manager.copyItem(atPath: file(from), toPath: file(other))
    }

    /// Copies a file with its log, as they lie there.
    func copyWithLog(_ from: String, to other: String) throws {
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file(from) + ending, toPath: file(other) + ending)
        }
    }

    /// Writes other bits wherever a text stands in a file; says how often it stood there.
    func damage(_ text: String, in name: String = "journal.sqlite") throws -> Int {
        var data = try Data(contentsOf: URL(fileURLWithPath: file(name)))
        var (count, start) = (0, data.startIndex)
        while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
            data[range.upperBound - 1] ^= 1
            (count, start) = (count + 1, range.upperBound)
        }
        try data.write(to: URL(fileURLWithPath: file(name)))
        return count
    }
}

/// A journal that takes nothing more while it is broken, and can be repaired.
final class BreakableJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    private let broken = Locked(false)

    func setBroken(_ isBroken: Bool) { broken.withLock { $0 = isBroken } }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if broken.withLock({ $0 }) { throw .notWritten("the disk is full") }
        return try await inner.write(entry, id, at: instant)
    }
}

/// A folder whose disk can refuse, and of which is known what a loss of power at any moment would leave.
final class FaultyDisk: Sendable {
    /// What of the changes that were not made durable is on the disk all the same after the power went.
    enum Remains: CaseIterable, Sendable { case nothing, everything, some, torn }

    private enum Change: Sendable {
        case write(Int, [UInt8])
        case truncate(Int)
    }

    private struct State: Sendable {
        /// What is durable, by file, and what came since.
        var files: [String: [UInt8]] = [:]
        var loose: [String: [Change]] = [:]
        var changeCount = 0
        /// How many changes are still made; after that nothing is.
        var left: Int?
        var syncsToRefuse = 0
        var refusedCount = 0
    }

    private static let all = Locked([String: FaultyDisk]())
    private static let isLaid = unsafe pay_disk_install { change, path, place, bytes, count in
        let path = unsafe path.map { unsafe String(cString: $0) } ?? ""
        let folder = (path as NSString).deletingLastPathComponent
        guard let disk = FaultyDisk.all.withLock({ $0[folder] }) else { return 0 }
        let content = unsafe bytes.map { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
        return disk.hear(UInt32(bitPattern: change), (path as NSString).lastPathComponent, Int(place), content) ? 0 : 1
    }

    let folder: Folder
    private let state = Locked(State())

    init() throws {
        folder = try Folder()
        guard Self.isLaid == 0 else { throw CocoaError(.featureUnsupported) }
        Self.all.withLock { $0[folder.path] = self }
    }

    /// Forgets it; a process that holds files there can continue, and no server listens.
    func end() { _ = Self.all.withLock { $0.removeValue(forKey: folder.path) } }

    /// How often something was changed or made durable.
    var changeCount: Int { state.withLock { $0.changeCount } }

    /// Refuses to make the next changes of the log durable.
    func refuseSyncs(_ count: Int) { state.withLock { $0.syncsToRefuse = count } }

    /// How often it did.
    var refusedCount: Int { state.withLock { $0.refusedCount } }

    /// Lets so many changes be made and no more: then the power is gone.
    func cutPower(after count: Int) { state.withLock { $0.left = count } }

    /// Whether the power is gone.
    var isDark: Bool { state.withLock { $0.left == 0 } }

    private func hear(_ kind: UInt32, _ name: String, _ place: Int, _ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            if let left = state.left {
                if left == 0 { return false }
                state.left = left - 1
            }
            state.changeCount += 1
            switch kind {
            case PAY_DISK_WRITE.rawValue: state.loose[name, default: []].append(.write(place, bytes))
            case PAY_DISK_TRUNCATE.rawValue: state.loose[name, default: []].append(.truncate(place))
            case PAY_DISK_SYNC.rawValue:
                if state.syncsToRefuse > 0, name.hasSuffix("-wal") {
                    (state.syncsToRefuse, state.refusedCount) = (state.syncsToRefuse - 1, state.refusedCount + 1)
                    return false
                }
                for change in state.loose.removeValue(forKey: name) ?? [] {
                    Self.make(change, &state.files[name, default: []])
                }
            default: (state.files[name], state.loose[name]) = (nil, nil)
            }
            return true
        }
    }

    private static func make(_ change: Change, _ content: inout [UInt8]) {
        switch change {
        case .truncate(let size): content.removeLast(max(0, content.count - size))
        case .write(let place, let bytes):
            if content.count < place + bytes.count {
                content += [UInt8](repeating: 0, count: place + bytes.count - content.count)
            }
            content.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
    }

    /// Makes a folder of what a machine finds that is started again.
    func found(_ remains: Remains, seed: UInt64) throws -> Folder {
        let (found, random) = (try Folder(), SeededRandom(seed: seed))
        var (files, loose) = state.withLock { ($0.files, $0.loose) }
        for (name, changes) in loose.sorted(by: { $0.key < $1.key }) {
            switch remains {
            case .nothing: break
            case .everything: for change in changes { Self.make(change, &files[name, default: []]) }
            case .some:
                for change in changes where random.next() & 1 == 0 {
                    Self.make(change, &files[name, default: []])
                }
            case .torn:
                for change in changes.dropLast() { Self.make(change, &files[name, default: []]) }
                guard case .write(let place, let bytes)? = changes.last else { continue }
                // A sector is written or it is not.
                let sectors = (bytes.count + 511) / 512
                Self.make(.write(place, Array(bytes.prefix(sectors / 2 * 512))), &files[name, default: []])
            }
        }
        loose = [:]
        for (name, content) in files where !name.hasSuffix("-shm") {
            try Data(content).write(to: URL(fileURLWithPath: found.file(name)))
        }
        // What lies beside the journal is written on its own, and never before the commit that it speaks of.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where files[name] == nil && !name.contains("-wal") && !name.contains("-shm") && !name.contains("owner") {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: found.file(name))
        }
        return found
    }
}
