import Foundation
import PaymentProviderKit
import PaymentTestTill
import Payments
import Testing

@Suite struct SystemSecretResolverTests {
    /// What following a reference ends with, as text.
    private func result(_ body: () async throws(SecretResolutionError) -> Secret) async -> String {
        do { return try await body().expose() } catch {
            #expect(!"\(error)".contains("PLANTED"), "\(error)")
            return "\(error.problem). \(error.advice)"
        }
    }

    /// Only variables that are there anyway: setting one would race with every program that other tests start.
    @Test func aVariableIsReadOrMissing() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        let secrets = SystemSecretResolver()
        #expect(
            await result { () async throws(SecretResolutionError) in try await secrets.environment("PATH") } == path)
        let missing = await result { () async throws(SecretResolutionError) in
            try await secrets.environment("PAYMENTS_TEST_NOT_SET")
        }
        #expect(missing == "the variable is not set. Set it before the program starts.")
    }

    @Test(arguments: ["PLANTED", "PLANTED\n", "PLANTED\r\n"])
    func aFileHasOneLine(_ text: String) async throws {
        let folder = try Folder()
        try folder.write("key", text, mode: 0o400)
        let secrets = SystemSecretResolver(folder: folder.path, clock: TurnClock())
        #expect(await result { () async throws(SecretResolutionError) in try await secrets.file("key") } == "PLANTED")
        #expect(
            await result { () async throws(SecretResolutionError) in
                try await secrets.file(folder.path + "/key")
            } == "PLANTED")
    }

    @Test(arguments: [
        ("PLANTED\nPLANTED\n", 0o600, "several lines"), ("PLANTED\n\n", 0o600, "several lines"), ("", 0o600, "empty"),
        ("\n", 0o600, "empty"), ("a\u{0}b", 0o600, "control characters"), ("PLANTED", 0o604, "mode 604"),
        ("PLANTED", 0o644, "mode 644"), ("PLANTED", 0o620, "mode 620"), ("PLANTED", 0o602, "mode 602"),
        (String(repeating: "PLANTED", count: 3_000), 0o600, "more than 16384 bytes"),
        ("\u{FEFF}PLANTED", 0o600, "byte order mark"),
    ])
    func aFileThatIsNotFitIsRefused(_ text: String, _ mode: Int, _ words: String) async throws {
        let folder = try Folder()
        try folder.write("key", text, mode: mode)
        let said = await result { () async throws(SecretResolutionError) in
            try await SystemSecretResolver(folder: folder.path).file("key")
        }
        #expect(said.contains(words), "\(said)")
    }

    @Test func file_thatIsNotUTF8_isRefused() async throws {
        let folder = try Folder()
        let path = try folder.write("key", "PLANTED")
        try Data([0x50, 0xFC, 0x51]).write(to: URL(filePath: path))
        let said = await result { () async throws(SecretResolutionError) in
            try await SystemSecretResolver(folder: folder.path).file("key")
        }
        #expect(said.contains("not UTF-8"), "\(said)")
    }

    @Test func aFileOfTheLargestSizeIsRead() async throws {
        let folder = try Folder()
        let text = String(repeating: "a", count: SystemSecretResolver.secretBytesMax)
        try folder.write("key", text)
        let said = await result { () async throws(SecretResolutionError) in
            try await SystemSecretResolver(folder: folder.path).file("key")
        }
        #expect(said == text)
    }

    @Test func aMissingFileAndAFolderAreNamed() async throws {
        let folder = try Folder()
        let secrets = SystemSecretResolver(folder: folder.path, clock: TurnClock())
        let missing = await result { () async throws(SecretResolutionError) in try await secrets.file("key") }
        #expect(missing == "there is no such file. Write the credential into \(folder.path)/key, for this user alone.")
        let wrong = await result { () async throws(SecretResolutionError) in try await secrets.file(".") }
        #expect(wrong.hasPrefix("it is no ordinary file."))
    }

    @Test func aProgramIsRunWithoutAShell() async throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/give", withDestinationPath: "/bin/echo")
        let secrets = SystemSecretResolver(folder: folder.path, clock: TurnClock())
        let said = await result { () async throws(SecretResolutionError) in
            try await secrets.command(["./give", "$HOME;echo", "*"])
        }
        #expect(said == "$HOME;echo *")
        #expect(
            await result { () async throws(SecretResolutionError) in try await secrets.command(["echo", "x y"]) }
                == "x y")
    }

    @Test(arguments: [
        ("echo PLANTED; exit 3", "the program ended with status 3"), ("echo PLANTED >&2", "it is empty"),
        ("echo PLANTED; echo PLANTED", "several lines"), ("kill -9 $$", "ended by signal 9"),
        ("while :; do echo PLANTED; done", "printed more than 16384 bytes"),
        ("cat", "it is empty"),
    ])
    func aProgramThatGivesNothingIsNamedWithoutItsOutput(_ lines: String, _ words: String) async throws {
        let folder = try Folder()
        let script = try folder.write("give", "\(lines)\n")
        let said = await result { () async throws(SecretResolutionError) in
            try await SystemSecretResolver(folder: folder.path, clock: TurnClock()).command(["sh", script])
        }
        #expect(said.contains(words), "\(said)")
    }

    /// What decides what the program does counts like the program.
    @Test(arguments: [0o666, 0o622])
    func argument_thatOthersMayWrite_givesNoCredential(_ mode: Int) async throws {
        let folder = try Folder()
        let script = try folder.write("give", "echo PLANTED\n", mode: mode)
        for words in [["/bin/sh", script], ["sh", script], ["sh", "-e", script]] {
            let said = await result { () async throws(SecretResolutionError) in
                try await SystemSecretResolver(folder: folder.path, clock: TurnClock()).command(words)
            }
            #expect(said.contains("mode 6") && said.contains(script), "\(said)")
        }
        try folder.write("own", "echo fine\n", mode: 0o600)
        let secrets = SystemSecretResolver(folder: folder.path, clock: TurnClock())
        let own = await result { () async throws(SecretResolutionError) in
            try await secrets.command(["sh", "\(folder.path)/own"])
        }
        #expect(own == "fine")
    }

    @Test func program_foundInAFolderThatOthersMayWrite_givesNoCredential() async throws {
        let (open, closed) = (try Folder(), try Folder())
        let planted = try open.write("give-secret", "#!/bin/sh\necho PLANTED\n", mode: 0o755)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.path)
        func said(_ path: String) async -> String {
            await result { () async throws(SecretResolutionError) in
                try await SystemSecretResolver(clock: TurnClock(), path: path).command(["give-secret", "fine"])
            }
        }
        let refused = await said("\(open.path):/usr/bin:/bin")
        #expect(refused.contains(planted), "\(refused)")
        // A program that was just written may still be held for writing by a child of another test.
        try FileManager.default.createSymbolicLink(
            atPath: closed.path + "/give-secret", withDestinationPath: "/bin/echo")
        #expect(await said("\(closed.path):\(open.path)") == "fine")
        // A relative folder of the path is the caller's working directory.
        #expect(await said("").hasPrefix("there is no such program"))
    }

    /// `env` looks the program up itself, and so does every script.
    @Test func programThatAProgramLooksUp_isNotFoundInAnOpenFolder() async throws {
        let (open, closed) = (try Folder(), try Folder())
        for folder in [open, closed] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/give-secret", withDestinationPath: "/bin/echo")
        }
        func said(_ path: String) async -> String {
            await result { () async throws(SecretResolutionError) in
                try await SystemSecretResolver(clock: TurnClock(), path: path).command([
                    "/usr/bin/env", "give-secret", "fine",
                ])
            }
        }
        for mode in [0o777, 0o1777, 0o775] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: open.path)
            let refused = await said(open.path)
            #expect(refused.hasPrefix("the program ended with status 127") && refused.contains(open.path), "\(refused)")
            #expect(await said("\(open.path):\(closed.path)") == "fine")
        }
    }

    @Test func aProgramThatIsNotThereIsNamed() async {
        let said = await result { () async throws(SecretResolutionError) in
            try await SystemSecretResolver().command(["payments-no-such-program"])
        }
        #expect(said.hasPrefix("there is no such program."))
    }

    @Test func aProgramThatTakesTooLongIsEndedWithItsChildren() async throws {
        let folder = try Folder()
        try folder.makePipe("held")
        let held = unsafe open(folder.path + "/held", O_RDONLY | O_NONBLOCK)
        defer { close(held) }
        let lines = "exec 3>\(folder.path)/held\nsleep 60 &\necho > \(folder.path)/begun\nwait\n"
        let script = try folder.write("give", lines)
        // Time passes only once the program has begun, so that it can't be too late for it.
        let clock = Hurried(folder.path + "/begun")
        let said = await result { () async throws(SecretResolutionError) in
            try await SystemSecretResolver(folder: folder.path, clock: clock).command(["sh", script])
        }
        #expect(said.hasPrefix("the program did not end within 10000 ms."), "\(said)")
        // The pipe hangs up when its last holder is gone.
        var state = pollfd(fd: held, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&state, 1, 20_000) == 1)
        #expect(Int32(state.revents) & POLLHUP != 0)
    }

    @Test func aCancelledWaitEndsTheProgram() async throws {
        let folder = try Folder()
        let script = try folder.write("give", "cat \(folder.path)/pipe\n")
        try folder.makePipe("pipe")
        let secrets = SystemSecretResolver(folder: folder.path, clock: TurnClock())
        let task = Task { () -> String in
            do throws(SecretResolutionError) { return try await secrets.command(["sh", script]).expose() } catch {
                return error.problem
            }
        }
        task.cancel()
        #expect(await task.value == "the wait for the program was cancelled")
    }
}

/// A clock that stands still until a file is there, and then leaps.
private final class Hurried: PaymentClock {
    private let file: String
    private let instant = Locked(Int64(0))

    init(_ file: String) { self.file = file }

    var now: Int64 { instant.withLock { $0 } }

    func sleep(until instant: Int64) async throws {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        if text.hasSuffix("\n") { self.instant.withLock { $0 += 4_000 } } else { await Task.yield() }
    }
}
