package import PaymentProviderKit
internal import PaymentSystem

/// Follows references on this machine: its environment, its files, and programs.
///
/// Whatever is found has one line; a line feed at its end is dropped. No error shows anything that was read.
package struct SystemSecretResolver: SecretResolver {
    /// The longest credential.
    package static let secretBytesMax = 16 * 1_024
    /// How long a program may take, in milliseconds.
    package static let commandMilliseconds: Int64 = 10_000

    private let folder: String
    private let clock: any PaymentClock
    /// Where programs are looked for that are named without a folder.
    private let programFolders: String

    /// Makes a resolver.
    ///
    /// - Parameters:
    ///   - folder: Where paths begin that are not absolute; empty for the working directory.
    ///   - clock: What measures how long a program takes.
    package init(folder: String = "", clock: any PaymentClock = SystemClock()) {
        self.init(folder: folder, clock: clock, path: nil)
    }

    /// The same with the folders where programs are looked for that are named without one; nil for the variable `PATH`.
    package init(folder: String = "", clock: any PaymentClock = SystemClock(), path: String?) {
        (self.folder, self.clock) = (folder, clock)
        let variable = unsafe getenv("PATH").map { unsafe String(cString: $0) }
        programFolders = path ?? variable ?? "/usr/bin:/bin"
        // Credentials are held as long as the process lives.
        HostDefaults.protectSecrets()
    }

    package func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
        guard let value = unsafe getenv(name) else {
            throw SecretResolutionError("the variable is not set", "Set it before the program starts.")
        }
        let advice = "Set it to the credential."
        guard let text = unsafe String(validatingCString: value) else {
            throw SecretResolutionError("it is not UTF-8", advice)
        }
        return try Self.line(Array(text.utf8), advice)
    }

    package func file(_ path: String) async throws(SecretResolutionError) -> Secret {
        let path = FilePath.join(folder, path)
        let bytes: [UInt8]
        do {
            bytes = try RegularFile.read(
                path, bytesMax: Self.secretBytesMax, forbidding: RegularFile.othersMayRead)
        } catch {
            throw SecretResolutionError(error.problem, Self.advice(error, path))
        }
        return try Self.line(bytes, "The file holds the credential and nothing else, on one line.")
    }

    package func command(_ words: [String]) async throws(SecretResolutionError) -> Secret {
        #if os(Linux) && !APPLE_CHECK
        return try await run(words)
        #else
        throw SecretResolutionError(
            "an application of this system runs no programs",
            "Let the application give it, by tokenProviders or signers.")
        #endif
    }

    #if os(Linux) && !APPLE_CHECK
    private func run(_ words: [String]) async throws(SecretResolutionError) -> Secret {
        guard var words = Optional(words), let program = words.first else {
            throw SecretResolutionError("no program is named", "Name one.")
        }
        words[0] = program.contains("/") ? FilePath.join(folder, program) : try found(program)
        // What a program is given to run decides like the program itself.
        for word in [words[0]] + words.dropFirst().filter({ RegularFile.isFile($0) }) {
            do { try RegularFile.check(word, forbidding: RegularFile.othersMayWrite) } catch {
                throw SecretResolutionError(
                    error.problem, "A user who can change \(word) can read every credential: run chmod go-w on it.")
            }
        }
        // The program may look for others, as env and every script does: it finds what no other user put there.
        let folders = programFolders.split(separator: ":").map(String.init)
        let closed = folders.filter { $0.hasPrefix("/") && RegularFile.isClosed(folder: $0) }
        let output: [UInt8]
        do {
            // An empty PATH is the working directory.
            let path = closed.isEmpty ? "/" : closed.joined(separator: ":")
            output = try await ChildProcess(words, path: path, clock).run(
                bytesMax: Self.secretBytesMax, milliseconds: Self.commandMilliseconds)
        } catch {
            let open = folders.filter { !closed.contains($0) }.joined(separator: ":")
            let why = open.isEmpty ? "" : " Without \(open) in its PATH, since others may put programs there."
            throw SecretResolutionError(
                error.problem, "Run the program by hand; what it prints is not shown here.\(why)")
        }
        return try Self.line(output, "The program has to print the credential and nothing else, on one line.")
    }

    /// Where a program lies that is named without a folder. Folders that are not absolute are passed over: what they mean
    /// depends on where the caller is.
    private func found(_ program: String) throws(SecretResolutionError) -> String {
        let folders = programFolders.split(separator: ":").filter { $0.hasPrefix("/") }
        guard let path = folders.lazy.map({ "\($0)/\(program)" }).first(where: RegularFile.isProgram) else {
            throw SecretResolutionError(
                ChildProcess.Failure.notFound.problem, "Install \(program), or name it with its folder.")
        }
        return path
    }
    #endif

    private static func advice(_ failure: FileFailure, _ path: String) -> String {
        switch failure {
        case .missing: "Write the credential into \(path), for this user alone."
        case .exposed: "Run chmod 600 \(path), and replace the credential if others may have read it."
        case .forbidden: "Run as the user who may read it."
        case .foreign, .foreignFolder: "Make it this user's own, and replace the credential if others may have read it."
        case .openFolder(let folder): "Run chmod go-w \(folder), or move the credential where no other user may write."
        case .notRegular, .tooLarge, .failed: "Is \(path) the right file?"
        }
    }

    /// One line without what ends it.
    private static func line(_ bytes: [UInt8], _ advice: String) throws(SecretResolutionError) -> Secret {
        var line = bytes[...]
        if line.last == UInt8(ascii: "\n") { line = line.dropLast() }
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard !line.isEmpty else { throw SecretResolutionError("it is empty", advice) }
        guard line.count <= secretBytesMax else {
            throw SecretResolutionError("it has more than \(secretBytesMax) bytes", advice)
        }
        guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw SecretResolutionError("it has several lines or control characters", advice)
        }
        // An editor's mark would be sent as a part of the credential, and what is no UTF-8 as other characters.
        guard !line.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw SecretResolutionError("it begins with a byte order mark", advice)
        }
        guard String(decoding: line, as: UTF8.self).utf8.elementsEqual(line) else {
            throw SecretResolutionError("it is not UTF-8", advice)
        }
        return Secret(bytes: Array(line))
    }
}
