public import PaymentBase
internal import PaymentLinux
public import PaymentProviderKit
internal import PaymentSystem

/// Follows references on this machine: its environment, its files, and programs.
///
/// Whatever is found has one line; a line feed at its end is dropped. No error shows anything that was read.
public struct SystemSecrets: SecretResolver {
    /// The longest credential.
    public static let secretBytesMax = 16 * 1_024
    /// How long a program may take, in milliseconds.
    public static let commandMilliseconds: Int64 = 10_000

    private let folder: String
    private let clock: any PaymentClock

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - folder: Where paths begin that are not absolute; empty for the working directory.
    ///   - clock: What measures how long a program takes.
    public init(folder: String = "", clock: any PaymentClock = SystemClock()) {
        (self.folder, self.clock) = (folder, clock)
        // Credentials are held as long as the process lives.
        Secret.keepByDefault(in: PrivateSecretMemory.shared)
    }

    public func environment(_ name: String) async throws(SecretFailure) -> Secret {
        guard let value = unsafe getenv(name) else {
            throw SecretFailure("the variable is not set", "Set it before the program starts.")
        }
        return try Self.line(Array(unsafe String(cString: value).utf8), "Set it to the credential.")
    }

    public func file(_ path: String) async throws(SecretFailure) -> Secret {
        let path = FilePath.join(folder, path)
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(
                path, bytesMax: Self.secretBytesMax, forbidding: RegularFile.othersMayRead)
        } catch {
            throw SecretFailure(error.problem, Self.advice(error, path))
        }
        return try Self.line(bytes, "The file holds the credential and nothing else, on one line.")
    }

    public func command(_ words: [String]) async throws(SecretFailure) -> Secret {
        guard var words = Optional(words), let program = words.first else {
            throw SecretFailure("no program is named", "Name one.")
        }
        if program.contains("/") {
            words[0] = FilePath.join(folder, program)
            do { try RegularFile.check(words[0], forbidding: RegularFile.othersMayWrite) } catch {
                throw SecretFailure(
                    error.problem, "Whoever can change \(words[0]) can read every credential: run chmod go-w on it.")
            }
        }
        let output: [UInt8]
        do {
            output = try await ChildProcess(words, clock).run(
                bytesMax: Self.secretBytesMax, milliseconds: Self.commandMilliseconds)
        } catch {
            throw SecretFailure(error.problem, "Run the program by hand; what it prints is not shown here.")
        }
        return try Self.line(output, "The program has to print the credential and nothing else, on one line.")
    }

    private static func advice(_ failure: FileFailure, _ path: String) -> String {
        switch failure {
        case .missing: "Write the credential into \(path), for this user alone."
        case .exposed: "Run chmod 600 \(path), and replace the credential if others may have read it."
        case .forbidden: "Run as the user who may read it."
        case .foreign: "Make it this user's own, and replace the credential if others may have read it."
        case .openFolder(let folder): "Run chmod go-w \(folder), or move the credential where nobody else may write."
        case .notRegular, .tooLarge, .failed: "Is \(path) the right file?"
        }
    }

    /// One line without what ends it.
    private static func line(_ bytes: [UInt8], _ advice: String) throws(SecretFailure) -> Secret {
        var line = bytes[...]
        if line.last == UInt8(ascii: "\n") { line = line.dropLast() }
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard !line.isEmpty else { throw SecretFailure("it is empty", advice) }
        guard line.count <= secretBytesMax else {
            throw SecretFailure("it has more than \(secretBytesMax) bytes", advice)
        }
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw SecretFailure("it has several lines or control characters", advice)
        }
        return Secret(bytes: Array(line))
    }
}
