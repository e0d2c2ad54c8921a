import PaymentBase

@testable import PaymentApple

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
