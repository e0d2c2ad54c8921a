import AllProviders
import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSQLite
import Payments
import Testing

/// Files that decide something are this user's own, and nobody else can put another in their place.
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

    @Test(.enabled(if: canGive)) func whatBelongsToSomebodyElseIsRefused() async throws {
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
        #expect(try await SystemSecretResolver().command([path]) == Secret("made-up-secret"))
        try folder.setMode(0o777, path)
        await #expect(throws: SecretResolutionError.self) { try await SystemSecretResolver().command([path]) }
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
            // One that is only let go of takes the files beside it away by itself, at some moment.
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
        // Another one is nobody's loss, and neither is the same once a person has said so.
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
