internal import PaymentBase
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentTransport

// What a client gets of the machine that it is opened on, when the application gives nothing of its own: one form for Linux,
// and one for Apple's systems.
#if os(Linux) && !APPLE_CHECK
internal import PaymentLinux

/// Linux: libcurl, OpenSSL, memory that no dump has.
enum HostDefaults {
    /// Makes what carries requests.
    static func transport() -> any HTTPTransport { CurlTransport() }
    /// Makes what opens WebSockets.
    static func webSockets() -> (any WebSocketTransport)? { CurlWebSocketTransport() }
    /// The cryptography.
    static func crypto() -> any Crypto { OpenSSLCrypto() }
    /// Tokens and names stay in memory unless the application names a store.
    static func keepTokens(_ options: inout ClientOptions) {}
    /// Says where secrets lie that are kept as long as the process lives.
    static func protectSecrets() { Secret.setDefaultMemory(PrivateSecretMemory.shared) }
    /// Marks a folder as one that no backup takes; here backups are the operator's.
    static func leaveOutOfBackups(_ folder: String) -> Bool { true }
}
#else
internal import PaymentApple
internal import PaymentURLSession

/// Apple's systems: URLSession, CryptoKit with Security, the Keychain.
enum HostDefaults {
    /// Makes what carries requests.
    static func transport() -> any HTTPTransport { URLSessionTransport() }
    /// Nothing opens WebSockets, so that adapters ask again and again.
    static func webSockets() -> (any WebSocketTransport)? { nil }
    /// The cryptography.
    static func crypto() -> any Crypto { AppleCrypto() }
    /// Tokens and names are kept in the Keychain.
    static func keepTokens(_ options: inout ClientOptions) {
        (options.tokens, options.installations) = (KeychainTokenStore(), KeychainInstallationStore())
    }
    /// Secrets lie in ordinary memory, which is overwritten when no value refers to it any more.
    static func protectSecrets() {}
    /// Marks a folder as one that no backup takes.
    static func leaveOutOfBackups(_ folder: String) -> Bool { BackupExclusion.mark(folder) }
}
#endif
