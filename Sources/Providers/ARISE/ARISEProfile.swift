internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// What a merchant's access may do and how the merchant is set up; read now and then, never guessed.
struct ARISEProfile: Sendable {
    /// Nil where the access may not read them.
    let settings: ARISESettings?
    /// Nil where the access may not read them.
    let permissions: Set<Int64>?

    /// Says a missing permission before the call that needs it.
    func require(_ permission: ARISEPermission) throws(PaymentError) {
        guard let permissions, !permissions.contains(permission.rawValue) else { return }
        throw PaymentError.notExecuted(
            .permission, "the API token lacks the permission \(permission); enable it in the ARISE portal")
    }
}

/// The last profile that was read, shared by copies of a driver.
final class ARISEProfiles: Sendable {
    /// How long a profile is used, in milliseconds.
    static let lifeMilliseconds: Int64 = 10 * 60_000

    private let kept = Locked<(profile: ARISEProfile, until: Int64)?>(nil)

    func current(_ now: Int64) -> ARISEProfile? {
        kept.withLock { kept in kept.flatMap { $0.until > now ? $0.profile : nil } }
    }

    func keep(_ profile: ARISEProfile, _ now: Int64) {
        kept.withLock { $0 = (profile, now + Self.lifeMilliseconds) }
    }
}

extension ARISEDriver {
    /// One exchange that only reads, through whichever door.
    typealias Reading = ((Transmission) async throws -> JSONReply) async throws(PaymentError) -> JSONReply

    /// The merchant's settings and permissions.
    func profile(_ now: Int64, _ read: Reading) async throws(PaymentError) -> ARISEProfile {
        if let known = profiles.current(now) { return known }
        let permissions = try await allowed(ARISEPath.permissions, read)?["permissions"]?.array
        let settings = try await allowed(ARISEPath.settings, read)
        let profile = ARISEProfile(
            settings: settings.map { ARISESettings($0) }, permissions: permissions.flatMap { Self.numbers($0) })
        profiles.keep(profile, now)
        return profile
    }

    /// The header with the version that the description names.
    private static let versionHeader = "x-api-version"
    private static let apiVersion = "1.0"

    /// Permissions by number, as text, by name or as objects; nil where one can't be read, since the access then may
    /// have what seems to be missing.
    private static func numbers(_ items: [JSON]) -> Set<Int64>? {
        let names = Dictionary(
            uniqueKeysWithValues: ARISEPermission.allCases.map { ("\($0)".lowercased(), $0.rawValue) })
        var found: Set<Int64> = []
        for item in items {
            let said = item["id"] ?? item
            let number = said.int64 ?? said.string.flatMap { Int64($0) ?? names[$0.lowercased()] }
            guard let number else { return nil }
            if item["enabled"]?.bool != false { found.insert(number) }
        }
        return found
    }

    /// A body, or nil where the access may not read it.
    private func allowed(_ path: String, _ read: Reading) async throws(PaymentError) -> JSON? {
        do {
            return try await read {
                try await wire.send("GET", path, bearer: $0.access.value, more: [Self.versionHeader: Self.apiVersion])
            }.body
        } catch {
            // What the access may do is a hint: the call itself says what it may not. Only a lost connection or access
            // stops here.
            if [.permission, .invalidRequest, .notFound].contains(error.code) { return nil }
            throw error
        }
    }

    func profile(_ context: PaymentContext) async throws(PaymentError) -> ARISEProfile {
        try await profile(context.now) { send throws(PaymentError) in try await context.exchange(.readOnly, send) }
    }

    func profile(_ context: LookupContext) async throws(PaymentError) -> ARISEProfile {
        try await profile(context.now) { send throws(PaymentError) in try await context.exchange(send) }
    }
}
