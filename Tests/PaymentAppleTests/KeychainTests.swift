import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentMobileSDKs
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

    @Test func item_thatAnotherProcessMadeFirst_isChanged() async throws {
        // Not there, then there: another process was faster.
        keychain.state.withLock { $0.answers = [-25300, -25299, 0] }
        try await tokens.save(access, for: identity)
        #expect(asked() == ["update", "add", "update"])
    }

    @Test func aLockedPhoneIsReported() async throws {
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

@Suite struct KeychainStatusTests {
    private func listed() throws -> [[String]] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let place = root.appending(path: "Fixtures/Apple/security-results.tsv")
        let text = try String(contentsOf: place, encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            $0.split(separator: "\t").map(String.init)
        }
    }

    @Test func everyListedResultHasARowAndNoOther() throws {
        let rows = KeychainStatus.rows
        #expect(rows.map { "\($0.status) \($0.rule.code)" } == (try listed().map { "\($0[0]) \($0[1])" }))
        #expect(rows.count == 46 && Set(rows.map(\.status)).count == 46)
    }

    @Test func noResultOfTheKeychainSpeaksOfMoney() {
        for row in KeychainStatus.rows {
            for call in KeychainStatus.Call.allCases {
                let error = KeychainStatus.error(row.status, in: call)
                #expect(error.outcome == .notExecuted)
                #expect(error.provider?.code == row.rule.code)
                #expect(error.code.rawValue == row.rule.cause.rawValue)
                #expect(row.rule.advice != nil && !row.rule.why.isEmpty)
            }
        }
    }

    @Test func unlistedNumber_isReportedAsTheNumber() {
        let error = KeychainStatus.error(-1, in: .add)
        #expect(error.outcome == .notExecuted && error.code == .providerUnavailable)
        #expect(error.provider?.code == "OSStatus -1")
    }

    @Test func aLockedPhoneIsNoReasonToGiveUp() {
        for status: Int32 in [-25308, -25315, -25316, -25320] {
            #expect(KeychainStatus.error(status, in: .copyMatching).code == .providerUnavailable)
        }
        #expect(KeychainStatus.error(-34018, in: .copyMatching).retry == .never)
    }
}

/// A keychain in memory, which finds items as Security does, by class, service, account and group, and fails when told to.
final class KeptKeychain: Keychain {
    struct State {
        var items: [KeychainQuery: Secret] = [:]
        /// What the next calls answer, in turn, before they look at anything.
        var answers: [Int32?] = []
        /// What was asked, by call.
        var asked: [(call: String, query: KeychainQuery)] = []
    }

    static let keys: Set<KeychainAttribute> = [.kSecClass, .kSecAttrService, .kSecAttrAccount, .kSecAttrAccessGroup]

    let state = Locked(State())

    private func call<Value>(_ name: String, _ query: KeychainQuery, _ work: (inout State, KeychainQuery) -> Value)
        -> (told: Int32?, value: Value?)
    {
        state.withLock { state in
            state.asked.append((name, query))
            if !state.answers.isEmpty, let told = state.answers.removeFirst() { return (told, nil) }
            return (nil, work(&state, query.filter { Self.keys.contains($0.key) }))
        }
    }

    func copyMatching(_ query: KeychainQuery) -> (status: Int32, data: Secret?) {
        let (told, found) = call("copyMatching", query) { $0.items[$1] }
        if let told { return (told, nil) }
        guard let data = found.flatMap({ $0 }) else { return (-25300, nil) }
        return (0, data)
    }

    func add(_ attributes: KeychainQuery) -> Int32 {
        let (told, status) = call("add", attributes) { state, key -> Int32 in
            guard state.items[key] == nil else { return -25299 }
            guard case .data(let data)? = attributes[.kSecValueData] else { return -50 }
            state.items[key] = data
            return 0
        }
        return told ?? status ?? -50
    }

    func update(_ query: KeychainQuery, to attributes: KeychainQuery) -> Int32 {
        let (told, status) = call("update", query) { state, key -> Int32 in
            guard state.items[key] != nil else { return -25300 }
            guard case .data(let data)? = attributes[.kSecValueData] else { return -50 }
            state.items[key] = data
            return 0
        }
        return told ?? status ?? -50
    }

    func delete(_ query: KeychainQuery) -> Int32 {
        let (told, status) = call("delete", query) { state, key -> Int32 in
            state.items.removeValue(forKey: key) == nil ? -25300 : 0
        }
        return told ?? status ?? -50
    }
}
