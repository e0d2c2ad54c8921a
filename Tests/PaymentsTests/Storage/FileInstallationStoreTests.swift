import Foundation
import PaymentAbstraction
import Payments
import Testing

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

    @Test func aMissingFolderIsTold() async throws {
        let folder = try Folder()
        let error = await #expect(throws: PaymentError.self) {
            try await FileInstallationStore(path: folder.path + "/no/installation.json").save(installation)
        }
        #expect(error?.detail.contains("there is no such file. Make the folder") == true)
        #expect(try folder.names == [])
    }
}
