internal import COpenSSL
internal import PaymentBase
public import PaymentTransport

/// Simulated providers on real sockets: each has a port of its own on the loopback, chosen by the system.
///
/// ```swift
/// let server = try SimulatorServer()
/// let origin = try await server.listen(provider)        // http://127.0.0.1:PORT
/// …
/// await server.stop()                                  // open requests are finished
/// ```
///
/// One port per provider rather than one path per provider: paths are then those of the provider's documents, and two
/// providers are two origins, so that a redirect or a credential that goes to the wrong one is seen.
///
/// All of them share one thread with an epoll loop. It speaks HTTP/1.1 with kept-alive connections, chunked request
/// bodies, `Expect: 100-continue` and WebSockets. Pipelined requests are answered one after the other.
/// A client that ends its side of the connection while it waits for an answer is taken to have gone away.
public final class SimulatorServer: Sendable {
    /// What it shows in TLS handshakes; nil for a server without TLS.
    public let identity: SimulatorCertificate?
    private let core: ServerCore

    /// Starts the thread; nothing is listened to yet. With an identity, every port speaks TLS.
    public init(identity: SimulatorCertificate? = nil, limits: Limits = Limits()) throws(SimulatorServerError) {
        guard let loop = EventLoop() else { throw .noLoop }
        self.identity = identity
        core = ServerCore(loop, identity, limits)
        guard core.start() else { throw .noLoop }
    }

    deinit { end() }

    /// Opens a port for a provider, or for whatever else answers requests.
    ///
    /// - Throws: ``SimulatorServerError`` when the port is taken or the server was stopped.
    public func listen(_ service: any SimulatorService, port: Int = 0) async throws(SimulatorServerError) -> Origin {
        try await core.listen(service, port: port)
    }

    /// The same without waiting: connections are taken from now on, and served as soon as the server's thread gets to
    /// it.
    ///
    /// - Throws: ``SimulatorServerError`` when the port is taken.
    public func begin(_ service: any SimulatorService, port: Int = 0) throws(SimulatorServerError) -> Origin {
        try core.begin(service, port: port)
    }

    /// Accepts nothing more, finishes open requests, and returns when every connection is closed; what is still open
    /// after ``Limits/stopMilliseconds`` is reset.
    public func stop() async { await core.stop() }

    /// The same without waiting for it.
    package func end() { Task(executorPreference: core.loop) { [core] in await core.stop() } }
}

extension SimulatorServer {
    /// What a server puts up with; every limit has a default that suits a loopback.
    public struct Limits: Hashable, Sendable {
        /// How many bytes the first line and the header fields may have together; more is answered with 431.
        public var headBytesMax = 32 * 1_024
        /// How many bytes the target may have; more is answered with 414.
        public var targetBytesMax = 8 * 1_024
        /// How many header fields there may be; more is answered with 431.
        public var fieldsMax = 100
        /// How many bytes a body may have; more is answered with 413.
        public var bodyBytesMax = 1_024 * 1_024
        /// How many connections may be open at one port; further ones are closed at once. A ``SimulatedProviders``
        /// allows fewer where the process may not have so many descriptors for each of its ports.
        public var connectionsMax = 2_048
        /// How long a connection may be idle between two requests.
        public var idleMilliseconds: Int64 = 60_000
        /// How long a request may take from its first byte to its last; longer is answered with 408.
        public var requestMilliseconds: Int64 = 30_000
        /// How long a client may take none of an answer.
        public var writeMilliseconds: Int64 = 30_000
        /// How many bytes of further requests are kept while one is being answered, and how many of answers may wait
        /// before no further request is begun.
        public var pipelinedBytesMax = 64 * 1_024
        /// How many bytes a message on a WebSocket may have.
        public var messageBytesMax = 1_024 * 1_024
        /// How many bytes may wait to go out on a WebSocket.
        public var outgoingBytesMax = 4 * 1_024 * 1_024
        /// How long stopping waits for open requests.
        public var stopMilliseconds: Int64 = 10_000

        /// Makes the defaults.
        public init() {}
    }
}

/// Why a server could not be started.
public enum SimulatorServerError: Error, Hashable, Sendable {
    /// The system gave no thread or no descriptor for the loop.
    case noLoop
    /// The system gave no socket; its error number.
    case noSocket(code: Int32)
    /// Another program listens at the port already.
    case portTaken(Int)
    /// OpenSSL made no key or certificate.
    case noIdentity
    /// The server has been stopped.
    case stopped
}

/// Answers as another service does, with the time of the sandbox's clock in the head.
struct DatedService: SimulatorService {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private let inner: any SimulatorService
    private let clock: SimulatorClock

    init(_ inner: any SimulatorService, _ clock: SimulatorClock) { (self.inner, self.clock) = (inner, clock) }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let answer = await inner.answer(request)
        guard case .reply(var response) = answer, response.headers["Date"] == nil else { return answer }
        response.headers["Date"] = Self.date(clock.now)
        return .reply(response)
    }

    /// A moment as heads have it: `Sat, 21 Nov 2026 20:08:58 GMT`.
    static func date(_ milliseconds: Int64) -> String? {
        guard let text = Timestamp(milliseconds: milliseconds)?.text() else { return nil }
        let parts = text.split(whereSeparator: { "-T:.Z".contains($0) }).map(String.init)
        guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else { return nil }
        // The first day of 1970 was a Thursday.
        let day = days[Int((milliseconds / 86_400_000 + 4) % 7)]
        return "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}

/// A server's key (EC P-256) with a certificate that it signed itself, made at the start and kept nowhere.
@safe public final class SimulatorCertificate: Sendable {
    /// How many days the certificate is good for.
    public static let validDays = 7
    /// For whom the certificate is.
    public static let names = "DNS:localhost,IP:127.0.0.1"

    /// The certificate in PEM form, for clients that shall trust it.
    public let certificatePEM: String
    private let address: UInt

    /// The server side of TLS with this identity; OpenSSL counts its users and locks on its own.
    var context: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    /// Makes a key and a certificate.
    public init() throws(SimulatorServerError) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw .noIdentity }
        guard let key = unsafe Self.makeKey() else {
            unsafe SSL_CTX_free(context)
            throw .noIdentity
        }
        defer { unsafe EVP_PKEY_free(key) }
        guard let certificate = unsafe Self.makeCertificate(key) else {
            unsafe SSL_CTX_free(context)
            throw .noIdentity
        }
        defer { unsafe X509_free(certificate) }
        let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        _ = unsafe pay_ssl_ctx_set_mode(context, Int(mode))
        guard unsafe pay_ssl_ctx_set_min_version(context, TLS1_2_VERSION) == 1,
            unsafe SSL_CTX_use_certificate(context, certificate) == 1,
            unsafe SSL_CTX_use_PrivateKey(context, key) == 1, let pem = unsafe Self.pem(certificate)
        else {
            unsafe SSL_CTX_free(context)
            throw .noIdentity
        }
        certificatePEM = pem
        address = UInt(bitPattern: context)
    }

    deinit { unsafe SSL_CTX_free(context) }

    private static func makeKey() -> OpaquePointer? {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1
        else { return nil }
        return unsafe key
    }

    private static func makeCertificate(_ key: OpaquePointer) -> OpaquePointer? {
        guard let certificate = unsafe X509_new() else { return nil }
        let daySeconds = 86_400
        let name = unsafe X509_get_subject_name(certificate)
        let common = Array("payment sandbox".utf8)
        // MBSTRING_ASC, a macro with a cast.
        let ascii: Int32 = 0x1001
        let codes = unsafe [
            X509_set_version(certificate, 2),
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1),
            X509_gmtime_adj(X509_getm_notBefore(certificate), -daySeconds) == nil ? 0 : 1,
            X509_gmtime_adj(X509_getm_notAfter(certificate), validDays * daySeconds) == nil ? 0 : 1,
            X509_NAME_add_entry_by_txt(name, "CN", ascii, common, Int32(common.count), -1, 0),
            X509_set_issuer_name(certificate, name),
            X509_set_pubkey(certificate, key),
        ]
        let isNamed = unsafe names.withCString { text -> Bool in
            guard let value = unsafe X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, text) else { return false }
            defer { unsafe X509_EXTENSION_free(value) }
            return unsafe X509_add_ext(certificate, value, -1) == 1
        }
        guard codes.allSatisfy({ $0 == 1 }), isNamed, unsafe X509_sign(certificate, key, EVP_sha256()) > 0 else {
            unsafe X509_free(certificate)
            return nil
        }
        return unsafe certificate
    }

    private static func pem(_ certificate: OpaquePointer) -> String? {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(bio) }
        guard unsafe PEM_write_bio_X509(bio, certificate) == 1 else { return nil }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe pay_bio_bytes(bio, &bytes)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
