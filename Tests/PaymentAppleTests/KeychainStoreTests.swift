import PaymentAbstraction
import PaymentBase
import Testing

@testable import PaymentApple

@Suite struct KeychainStoreTests {
    private let keychain = KeptKeychain()
    private let identity = ProviderIdentity(
        "till", adapter: "halo", environment: "test", merchant: "shop/1, north")

    private var access: AccessToken {
        var access = AccessToken(Secret("token-1"), expiresAt: 1_800_000_000_000, refreshToken: Secret("refresh-1"))
        access.additional = ["reader": Secret("reader-1")]
        return access
    }

    private var tokens: KeychainTokenStore { KeychainTokenStore(keychain, service: "till") }

    private func asked() -> [String] { keychain.state.withLock { $0.asked.map(\.call) } }

    @Test func whatIsKeptIsThereAgain() async throws {
        #expect(try await tokens.load(identity) == nil)
        try await tokens.save(access, for: identity)
        #expect(try await tokens.load(identity) == access)
        try await tokens.save(AccessToken(Secret("token-2"), expiresAt: 2), for: identity)
        #expect(try await tokens.load(identity)?.expiresAt == 2)
        #expect(keychain.state.withLock { $0.items.count } == 1)
        try await tokens.save(nil, for: identity)
        try await tokens.save(nil, for: identity)
        #expect(try await tokens.load(identity) == nil)
    }

    @Test func anItemStaysOnThisDeviceAndIsFoundByItsAccount() async throws {
        try await tokens.save(access, for: identity)
        let queries = keychain.state.withLock { $0.asked }
        #expect(queries.map(\.call) == ["update", "add"])
        let found: KeychainQuery = [
            .kSecClass: .genericPassword, .kSecAttrService: .text("till"),
            .kSecAttrAccount: .text("till,halo,test,shop%2F1%2C%20north"), .kSecAttrSynchronizable: .flag(false),
            .kSecUseDataProtectionKeychain: .flag(true),
        ]
        #expect(queries[0].query == found)
        var made = found
        made[.kSecAttrAccessible] = .afterFirstUnlockThisDeviceOnly
        made[.kSecValueData] = .data(access.kept(for: identity))
        #expect(queries[1].query == made)
        let shared = KeychainItem(service: "till", account: "a", accessGroup: "TEAM.tills").found
        #expect(shared[.kSecAttrAccessGroup] == .text("TEAM.tills"))
        let read = KeychainItem(service: "till", account: "a").asked
        #expect(read[.kSecReturnData] == .flag(true) && read[.kSecMatchLimit] == .one)
        #expect(read[.kSecAttrAccessible] == nil && read[.kSecValueData] == nil)
    }

    @Test func anItemThatAnotherMadeMeanwhileIsChanged() async throws {
        // Not there, then there: another process was faster.
        keychain.state.withLock { $0.answers = [-25300, -25299, 0] }
        try await tokens.save(access, for: identity)
        #expect(asked() == ["update", "add", "update"])
    }

    @Test func aLockedPhoneIsTold() async throws {
        keychain.state.withLock { $0.answers = [-25308] }
        await #expect(throws: PaymentError.notExecuted(.providerUnavailable, "")) { try await tokens.load(identity) }
        keychain.state.withLock { $0.answers = [-25308] }
        await #expect(throws: PaymentError.notExecuted(.providerUnavailable, "")) {
            try await tokens.save(access, for: identity)
        }
        // Nothing is made beside an item that could not be looked at.
        #expect(asked() == ["copyMatching", "update"])
        keychain.state.withLock { $0.answers = [-25293] }
        await #expect(throws: PaymentError.notExecuted(.authentication, "")) {
            try await tokens.save(nil, for: identity)
        }
    }

    @Test func whatBelongsToAnotherAccountIsNotTaken() async throws {
        var other = identity
        other = ProviderIdentity(other.id, adapter: other.adapter, environment: "live", merchant: other.merchant)
        try await tokens.save(access, for: identity)
        let bytes = access.kept(for: identity)
        keychain.state.withLock { state in
            for key in state.items.keys { state.items[key] = nil }
            var key = KeychainItem(service: "till", account: other.storageName).found
            key = key.filter { KeptKeychain.keys.contains($0.key) }
            state.items[key] = bytes
        }
        await #expect(throws: PaymentError.notExecuted(.configuration, "")) { try await tokens.load(other) }
    }

    @Test func theInstallationsNamesAreKeptApart() async throws {
        let store = KeychainInstallationStore(keychain, service: "till")
        #expect(try await store.load() == nil)
        let names = Installation(id: "0198", device: "0199")
        try await store.save(names)
        try await tokens.save(access, for: identity)
        try await tokens.save(nil, for: identity)
        #expect(try await store.load() == names)
        // New names in place of old ones would have to be activated again.
        keychain.state.withLock { $0.answers = [-25308] }
        await #expect(throws: PaymentError.notExecuted(.providerUnavailable, "")) { try await store.load() }
    }

    @Test func anItemHasAnEnd() async throws {
        let long = AccessToken(Secret(String(repeating: "x", count: KeychainDrawer.bytesMax)), expiresAt: 1)
        await #expect(throws: PaymentError.notExecuted(.invalidRequest, "")) {
            try await tokens.save(long, for: identity)
        }
        let named = KeychainTokenStore(keychain, service: String(repeating: "s", count: KeychainDrawer.nameBytesMax))
        await #expect(throws: PaymentError.notExecuted(.configuration, "")) { try await named.load(identity) }
        let unnamed = KeychainTokenStore(keychain, service: "")
        await #expect(throws: PaymentError.notExecuted(.configuration, "")) { try await unnamed.load(identity) }
        #expect(asked() == [])
    }

    @Test func whatIsKeptIsPrintedNowhere() async throws {
        try await tokens.save(access, for: identity)
        var printed = ""
        dump(keychain.state.withLock { $0.asked.map(\.query) }, to: &printed)
        #expect(!printed.contains("token-1") && !printed.contains("refresh-1") && !printed.contains("reader-1"))
    }
}
