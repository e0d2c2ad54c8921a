import Foundation
import PaymentAbstraction
import PaymentBase
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
