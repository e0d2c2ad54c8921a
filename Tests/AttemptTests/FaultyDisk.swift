import CFaultyDisk
import Foundation
import PaymentBase
import PaymentTesting

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

    /// Forgets it; who holds files there still can go on, and nobody listens.
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
        // What lies beside the journal is written by itself, and never before the commit that it speaks of.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where files[name] == nil && !name.contains("-wal") && !name.contains("-shm") && !name.contains("owner") {
            try FileManager.default.copyItem(atPath: folder.file(name), toPath: found.file(name))
        }
        return found
    }
}
