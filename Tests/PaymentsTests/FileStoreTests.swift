import AllProviders
import Foundation
import PaymentProviderKit
import PaymentSQLite
import PaymentTestTill
import Payments
import Testing

@Suite struct FileTokenStoreTests {
    private static let till = ProviderIdentity("till", adapter: "memory", environment: "sandbox", merchant: "m/1 ,\"")

    private func access() -> AccessToken {
        var access = AccessToken(Secret("token-1"), expiresAt: 1_767_225_600_000, refreshToken: Secret("refresh \"1\""))
        access.additional = ["reader": Secret("r"), "device": Secret("d")]
        return access
    }

    @Test func whatIsKeptComesBackInAnotherStore() async throws {
        let folder = try Folder()
        let place = folder.path + "/tokens"
        let store = FileTokenStore(folder: place)
        #expect(try await store.load(Self.till) == nil)
        try await store.save(access(), for: Self.till)
        #expect(try await FileTokenStore(folder: place).load(Self.till) == access())
        for other in ["till2", "tilL"] {
            let identity = ProviderIdentity(
                ProviderID(rawValue: other), adapter: "memory", environment: "sandbox", merchant: "m/1 ,\"")
            #expect(try await store.load(identity) == nil)
        }
        try await store.save(AccessToken(Secret("token-2"), expiresAt: 5), for: Self.till)
        #expect(try await store.load(Self.till) == AccessToken(Secret("token-2"), expiresAt: 5))
        try await store.save(nil, for: Self.till)
        try await store.save(nil, for: Self.till)
        #expect(try await store.load(Self.till) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
    }

    @Test func filesAndFolderAreForThisUserAlone() async throws {
        let folder = try Folder()
        let place = folder.path + "/tokens"
        let store = FileTokenStore(folder: place)
        try await store.save(access(), for: Self.till)
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(names.count == 1)
        #expect(try folder.mode("\(place)/\(names[0])") == 0o600)
        #expect(try folder.mode(place) == 0o700)
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o610, 0o602])
    func aFileThatOthersMayTouchIsRefused(_ mode: Int) async throws {
        let folder = try Folder()
        let store = FileTokenStore(folder: folder.path)
        try await store.save(access(), for: Self.till)
        try folder.setMode(mode, "\(folder.path)/\(try folder.names[0])")
        let error = await #expect(throws: PaymentError.self) { try await store.load(Self.till) }
        #expect(error?.detail.contains("mode \(String(mode, radix: 8)) lets others") == true)
        #expect(error?.detail.contains("token-1") == false)
        try await store.save(access(), for: Self.till)
        #expect(try await store.load(Self.till) == access())
    }

    @Test func aFolderThatOthersMayWriteIntoIsRefused() async throws {
        let folder = try Folder()
        try folder.setMode(0o777, folder.path)
        await #expect(throws: PaymentError.self) {
            try await FileTokenStore(folder: folder.path).save(access(), for: Self.till)
        }
        #expect(try folder.names == [])
    }

    @Test func aLinkIsNotFollowedAndReplacedByAFile() async throws {
        let folder = try Folder()
        let store = FileTokenStore(folder: folder.path)
        try await store.save(access(), for: Self.till)
        let path = "\(folder.path)/\(try folder.names[0])"
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/other")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/other")
        await #expect(throws: PaymentError.self) { try await store.load(Self.till) }
        let before = try Data(contentsOf: URL(filePath: folder.path + "/other"))
        try await store.save(AccessToken(Secret("new"), expiresAt: 1), for: Self.till)
        #expect(try await store.load(Self.till) == AccessToken(Secret("new"), expiresAt: 1))
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/other")) == before)
    }

    @Test(arguments: ["", "{", "[]", "{\"token\": 1}", "{\"token\": \"t\", \"expires\": 1, \"provider\": [\"x\"]}"])
    func aFileThatIsNotOursIsAnErrorAndNotNothing(_ text: String) async throws {
        let folder = try Folder()
        let store = FileTokenStore(folder: folder.path)
        try await store.save(access(), for: Self.till)
        try folder.write(try folder.names[0], text)
        let error = await #expect(throws: PaymentError.self) { try await store.load(Self.till) }
        #expect(error?.detail.contains("can't be understood") == true)
    }

    @Test func manyWritersLeaveOneWholeFile() async throws {
        let folder = try Folder()
        let store = FileTokenStore(folder: folder.path)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                group.addTask {
                    try? await store.save(
                        AccessToken(Secret("token-\(number)"), expiresAt: Int64(number)), for: Self.till)
                }
            }
        }
        let kept = try #require(try await store.load(Self.till))
        #expect(kept.value == Secret("token-\(kept.expiresAt)"))
        #expect(try folder.names.count == 1)
    }

    @Test func aNameThatIsTooLongIsRefused() async throws {
        let folder = try Folder()
        let long = ProviderIdentity(
            "till", adapter: "memory", environment: "sandbox", merchant: String(repeating: "m", count: 201))
        await #expect(throws: PaymentError.self) {
            try await FileTokenStore(folder: folder.path).save(access(), for: long)
        }
    }
}

@Suite struct FileInstallationStoreTests {
    private let installation = Installation(id: "i-1", device: "d-\"1\"")

    @Test func whatIsKeptComesBack() async throws {
        let folder = try Folder()
        let path = folder.path + "/installation.json"
        let store = FileInstallationStore(path: path)
        #expect(try await store.load() == nil)
        try await store.save(installation)
        #expect(try await FileInstallationStore(path: path).load() == installation)
        #expect(try folder.mode(path) == 0o600)
        #expect(try folder.names == ["installation.json"])
    }

    @Test func aFileThatOthersMayReadIsRefused() async throws {
        let folder = try Folder()
        let path = folder.path + "/installation.json"
        let store = FileInstallationStore(path: path)
        try await store.save(installation)
        try folder.setMode(0o644, path)
        let error = await #expect(throws: PaymentError.self) { try await store.load() }
        #expect(error?.detail.contains("mode 644 lets others read or change it. Run chmod go=") == true)
    }

    @Test(arguments: [
        "", "{}", "{\"id\": \"\", \"device\": \"d\"}", "{\"id\": \"i\"}", "{\"id\": 1, \"device\": \"d\"}",
    ])
    func aBrokenFileIsNeverReplacedByNewNames(_ text: String) async throws {
        let folder = try Folder()
        let path = try folder.write("installation.json", text)
        let error = await #expect(throws: PaymentError.self) { try await FileInstallationStore(path: path).load() }
        #expect(error?.code == .configuration)
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        let folder = try Folder()
        let path = try folder.write("installation.json", String(repeating: " ", count: 4_097))
        let error = await #expect(throws: PaymentError.self) { try await FileInstallationStore(path: path).load() }
        #expect(error?.detail.contains("more than 4096 bytes") == true)
    }

    @Test func aMissingFolderIsNamed() async throws {
        let folder = try Folder()
        let error = await #expect(throws: PaymentError.self) {
            try await FileInstallationStore(path: folder.path + "/no/installation.json").save(installation)
        }
        #expect(error?.detail.contains("there is no such file. Make the folder") == true)
        #expect(try folder.names == [])
    }
}

/// Files that decide something are this user's own, and no other user can put another in their place.
@Suite struct TrustedFileTests {
    /// Only the administrator can give a file away.
    static let canGive = geteuid() == 0
    private static let other: uid_t = 65_534

    private static let configuration = """
        { "active": "till", "journal": { "kind": "memory" }, "providers": { "till": {
          "adapter": "memory", "environment": "sandbox", "merchant": "m-1", "credentials": {} } } }
        """

    private func give(_ path: String) throws {
        guard unsafe lchown(path, Self.other, Self.other) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func load(_ path: String) throws(PaymentError) {
        _ = try PaymentConfiguration.load(path, registry: .builtin)
    }

    @Test func aConfigurationInAFolderThatOthersMayWriteIsRefused() throws {
        let folder = try Folder()
        let path = try folder.write("providers.json", Self.configuration)
        try load(path)
        for mode in [0o777, 0o707] {
            try folder.setMode(mode, folder.path)
            let error = #expect(throws: PaymentError.self) { try load(path) }
            #expect(error?.detail.contains("others may put something else in its place") == true)
            #expect(error?.detail.contains("chmod go-w \(folder.path)") == true)
        }
        // Sticky as /tmp: what isn't one's own can't be taken away.
        try folder.setMode(0o1777, folder.path)
        try load(path)
    }

    @Test func aFolderFurtherUpCountsToo() throws {
        let folder = try Folder()
        let inner = folder.path + "/inner"
        try FileManager.default.createDirectory(
            atPath: inner, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let path = try folder.write("inner/providers.json", Self.configuration)
        try folder.setMode(0o777, folder.path)
        #expect(throws: PaymentError.self) { try load(path) }
        // A link elsewhere leads the same way.
        let outer = try Folder()
        try FileManager.default.createSymbolicLink(
            atPath: outer.path + "/providers.json", withDestinationPath: path)
        #expect(throws: PaymentError.self) { try load(outer.path + "/providers.json") }
        try folder.setMode(0o700, folder.path)
        try load(outer.path + "/providers.json")
    }

    @Test(.enabled(if: canGive)) func fileOfAnotherUser_isRefused() async throws {
        let folder = try Folder()
        let path = try folder.write("providers.json", Self.configuration)
        let secret = try folder.write("key", "made-up-secret")
        #expect(try await SystemSecretResolver().file(secret) == Secret("made-up-secret"))
        try give(path)
        try give(secret)
        let error = #expect(throws: PaymentError.self) { try load(path) }
        #expect(error?.detail.contains("belongs to another user (65534)") == true)
        let failure = await #expect(throws: SecretResolutionError.self) {
            try await SystemSecretResolver().file(secret)
        }
        #expect(failure?.problem.contains("belongs to another user") == true)
        #expect(failure?.problem.contains("made-up-secret") == false)
        let store = FileInstallationStore(path: folder.path + "/installation.json")
        try await store.save(Installation(id: "i", device: "d"))
        try give(folder.path + "/installation.json")
        await #expect(throws: PaymentError.self) { try await store.load() }
        let state = folder.path + "/state"
        try StateDirectory(state).make()
        try give(state)
        #expect(throws: PaymentError.self) { try StateDirectory(state).make() }
    }

    @Test func aProgramThatOthersMayWriteGivesNoCredential() async throws {
        let folder = try Folder()
        let path = try folder.write("key.sh", "#!/bin/sh\necho made-up-secret\n", mode: 0o700)
        let secrets = SystemSecretResolver(clock: TurnClock())
        #expect(try await secrets.command([path]) == Secret("made-up-secret"))
        try folder.setMode(0o777, path)
        await #expect(throws: SecretResolutionError.self) { try await secrets.command([path]) }
    }

    @Test func aJournalThatOthersMayWriteIsRefused() async throws {
        let folder = try Folder()
        let choice = JournalConfiguration(.sqlite, path: "journal.sqlite")
        _ = try await Journals.open(choice, folder: folder.path)
        try folder.setMode(0o666, folder.path + "/journal.sqlite")
        let error = await #expect(throws: PaymentError.self) {
            _ = try await Journals.open(choice, folder: folder.path)
        }
        #expect(error?.code == .journal && error?.detail.contains("mode 666") == true)
        try folder.setMode(0o600, folder.path + "/journal.sqlite")
        try folder.setMode(0o777, folder.path)
        await #expect(throws: PaymentError.self) { _ = try await Journals.open(choice, folder: folder.path) }
    }

    /// The last entries, how far the journal had come, and who lives are in files beside it.
    @Test(arguments: ["-wal", "-shm", ".last", ".owners"])
    func journal_besideAFileThatOthersMayWrite_isRefused(_ suffix: String) async throws {
        let folder = try Folder()
        let choice = JournalConfiguration(.sqlite, path: "journal.sqlite")
        let store = try await Journals.open(choice, folder: folder.path)
        let path = folder.path + "/journal.sqlite" + suffix
        try folder.setMode(suffix == ".owners" ? 0o777 : 0o666, path)
        let error = await #expect(throws: PaymentError.self) {
            _ = try await Journals.open(choice, folder: folder.path)
        }
        #expect(error?.code == .journal && error?.detail.contains(path) == true, "\(error?.detail ?? "none")")
        try folder.setMode(suffix == ".owners" ? 0o700 : 0o600, path)
        _ = try await Journals.open(choice, folder: folder.path)
        _ = store
    }

    @Test(arguments: [
        "state:../journal.sqlite", "state:a/../../journal.sqlite", "state:/tmp/journal.sqlite", "state:", "state:..",
        "state:a/..",
    ])
    func aStatePathStaysInItsFolder(_ path: String) throws {
        let folder = try Folder()
        let error = #expect(throws: PaymentError.self) {
            _ = try Journals.place(of: path, folder.path, StateDirectory(folder.path + "/state"))
        }
        #expect(error?.code == .configuration)
        let inside = try Journals.place(of: "state:a/b..sqlite", folder.path, StateDirectory(folder.path + "/state"))
        #expect(inside == folder.path + "/state/a/b..sqlite")
    }

    @Test(arguments: [true, false]) func aJournalThatIsGoneIsNoticed(_ isEmptied: Bool) async throws {
        let folder = try Folder()
        let state = StateDirectory(folder.path + "/state")
        let choice = JournalConfiguration(.sqlite, path: "journal.sqlite")
        let path = folder.path + "/journal.sqlite"
        for _ in 0..<2 {
            let opened = try await Journals.open(choice, folder: folder.path, state: state)
            // One that is only let go of takes the files beside it away on its own, at some moment.
            await (try #require(opened.journal as? SQLiteJournal)).close()
        }
        // The journal and everything beside it, as a careless hand removes it.
        for name in try folder.names where name.hasPrefix("journal.sqlite") {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        }
        if isEmptied { try folder.write("journal.sqlite", "") }
        let error = await #expect(throws: PaymentError.self) {
            _ = try await Journals.open(choice, folder: folder.path, state: state)
        }
        #expect(error?.code == .journal && error?.outcome == .notExecuted)
        #expect(error?.detail.contains("was used here before") == true)
        #expect(isEmptied || FileManager.default.fileExists(atPath: path) == false)
        // Another one is no loss, and neither is the same once a person has said so.
        _ = try await Journals.open(
            JournalConfiguration(.sqlite, path: "other.sqlite"), folder: folder.path, state: state)
        try FileManager.default.removeItem(atPath: state.file("journals.json"))
        _ = try await Journals.open(choice, folder: folder.path, state: state)
    }

    @Test func locksOfProcessesThatAreGoneAreSwept() async throws {
        let folder = try Folder()
        let choice = JournalConfiguration(.sqlite, path: "journal.sqlite")
        for _ in 0..<5 { _ = try await Journals.open(choice, folder: folder.path) }
        let locks = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/journal.sqlite.owners")
        #expect(locks.count <= 2, "\(locks.count) locks")
    }
}
