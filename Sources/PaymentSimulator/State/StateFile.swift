internal import PaymentBase
internal import PaymentLinux

/// The file in which the providers of a sandbox are kept; written as a whole beside the old one and then put in its
/// place, so that a crash leaves the one or the other.
final class StateFile: Sendable {
    /// The largest file that is read, in bytes.
    static let bytesMax = 256 * 1_024 * 1_024
    private static let version: Int64 = 1

    private let path: String
    private let providers: [any StatefulProvider]
    private let clock: SimulatorClock
    private let last = Locked([UInt8]())

    /// Reads the file, if there is one, and gives each provider what is kept there.
    ///
    /// - Throws: ``SimulatorError`` when there is a file that can't be read or understood.
    init(_ path: String, _ providers: [any StatefulProvider], _ clock: SimulatorClock) throws(SimulatorError) {
        (self.path, self.providers, self.clock) = (path, providers, clock)
        guard let bytes = try Self.read(path) else { return }
        var options = JSONReadOptions()
        options.bytesMax = Self.bytesMax
        guard let json = try? JSONReader(options: options).read(bytes), json["version"]?.int64 == Self.version else {
            throw .state("\(path) is not a state of this sandbox")
        }
        clock.advance(by: json["clockOffset"]?.int64 ?? 0)
        for provider in providers {
            guard let kept = (json["providers"] ?? json["companies"])?[provider.name] else { continue }
            guard provider.restore(kept) else {
                throw .state("\(path) holds a state of \(provider.name) that it can't read")
            }
        }
        last.withLock { $0 = bytes }
    }

    /// Writes the file if anything changed; what went wrong, if something did.
    func save() -> String? {
        // The lock is held while the file is written, so that a later state never comes before an earlier one.
        last.withLock { last -> String? in
            var kept = JSONObject()
            for provider in providers { kept[provider.name] = provider.snapshot() }
            let state: JSON = [
                "version": .number(JSONNumber(Self.version)), "clockOffset": .number(JSONNumber(clock.offset)),
                "providers": .object(kept),
            ]
            let bytes = state.bytes()
            if bytes == last { return nil }
            do throws(FileFailure) { try RegularFile.replace(path, with: bytes) } catch {
                return "the state could not be written to \(path): \(error.problem)"
            }
            last = bytes
            return nil
        }
    }

    private static func read(_ path: String) throws(SimulatorError) -> [UInt8]? {
        do throws(FileFailure) {
            return try RegularFile.read(
                path, bytesMax: bytesMax, forbidding: RegularFile.othersMayWrite, followsLinks: false)
        } catch .missing { return nil } catch { throw .state("\(path) can't be used: \(error.problem)") }
    }
}
