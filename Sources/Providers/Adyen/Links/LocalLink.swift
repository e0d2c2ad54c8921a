internal import PaymentBase
internal import PaymentTransport

/// Straight to a terminal on the same network, encrypted.
struct LocalLink: AdyenLink {
    let post: AdyenRequestSender
    let nexo: NexoCrypto

    /// Where a terminal listens.
    static let path = "/nexo"

    func send(_ header: NexoHeader, _ message: [UInt8], _ key: Secret?) async throws -> NexoMessage? {
        let sealed: JSON
        do { sealed = try nexo.seal(message) } catch {
            throw TransportFailure.notSent(.invalidRequest)
        }
        // The terminal is proven by its encryption; the account's key never goes there.
        let answer = try await post.send(Self.path, sealed.bytes(), key: nil)
        if header.category == .abort { return nil }
        guard let json = AdyenRequestSender.read(answer) else {
            throw AdyenFailure.unreadable("the answer is no message")
        }
        let opened: JSON
        do { opened = try nexo.open(json) } catch { throw AdyenFailure.notVerified }
        do { return try AdyenRequestSender.answer(opened, to: header) } catch AdyenFailure.rejected(
            .notDelivered(let said))
        {
            // A terminal that answers was reached, whatever it says.
            throw AdyenFailure.rejected(.unknown(said))
        }
    }
}

/// Which names a terminal's certificate may have, which is not the name of its address.
enum TerminalCertificate {
    /// Trusts certificates that lead to the provider's roots and carry the name of a terminal of an environment.
    static func trust(roots: String, environment: String) -> ServerTrust {
        ServerTrust(
            roots: roots,
            CertificateNameRule("adyen-terminal-\(environment)") { isTerminal($0, environment: environment) })
    }

    /// Whether a common name is that of a terminal of an environment: `test` or `live`.
    static func isTerminal(_ name: String, environment: String) -> Bool {
        let ending = ".\(environment).terminal.adyen.com"
        guard environment == "test" || environment == "live", name.hasSuffix(ending) else { return false }
        let first = name.dropLast(ending.count)
        if first == "legacy-terminal-certificate" { return true }
        let parts = first.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(isLetterOrDigit) }) else { return false }
        return parts[0].count >= 3 && (9...15).contains(parts[1].count)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
