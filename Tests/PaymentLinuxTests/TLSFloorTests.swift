import COpenSSL
import Testing

@testable import PaymentLinux

@Suite struct TLSFloorTests {
    @Test func noConfigurationOfTheMachineGoesBelow() throws {
        let context = unsafe try #require(SSL_CTX_new(TLS_client_method()))
        defer { unsafe SSL_CTX_free(context) }
        // What a lax openssl.cnf does.
        unsafe SSL_CTX_set_security_level(context, 0)
        #expect(unsafe SSL_CTX_set_cipher_list(context, "ALL:eNULL") == 1)
        #expect(unsafe pay_ssl_ctx_set_min_version(context, TLS1_VERSION) == 1)
        unsafe SSL_CTX_set_keylog_callback(context) { _, _ in }
        #expect(unsafe TLSFloor.hold(context))
        #expect(unsafe SSL_CTX_get_security_level(context) == 2)
        #expect(unsafe SSL_CTX_get_keylog_callback(context) == nil)
        let ssl = unsafe try #require(SSL_new(context))
        defer { unsafe SSL_free(ssl) }
        var names: [String] = []
        while let name = unsafe SSL_get_cipher_list(ssl, Int32(names.count)) {
            names.append(unsafe String(cString: name))
        }
        #expect(names.count > 4)
        let isFloor = names.allSatisfy { name in
            name.hasPrefix("TLS_") || name.contains("DHE-") && (name.contains("GCM") || name.contains("CHACHA20"))
        }
        #expect(isFloor, "\(names)")
    }
}
