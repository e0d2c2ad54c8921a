import Foundation
import PaymentTestPostgres
import PaymentTestPrograms

/// A PostgreSQL that is reached over TCP with TLS alone, with a certificate that it signed itself.
struct CertifiedServer {
    let server: PostgresServer
    let port: Int
    /// The file with its certificate, for those who shall trust it.
    let roots: String

    private let folder: String

    struct NoCertificate: Error { let words: String }

    init(_ address: String) throws {
        // Where nobody listened a moment ago.
        let impostor = try PostgresImpostor()
        port = impostor.port
        impostor.stop()
        folder = "/tmp/pay-tls-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        roots = "\(folder)/certificate.pem"
        let made = try TestProgram.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=test", "-addext", "subjectAltName=IP:\(address)", "-keyout", "\(folder)/key.pem",
                "-out", roots,
            ])
        guard made.code == 0 else { throw NoCertificate(words: made.errors) }
        try "local all all trust\nhostssl all all 127.0.0.0/8 trust\n".write(
            toFile: "\(folder)/hba.conf", atomically: true, encoding: .utf8)
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        for name in ["key.pem", "certificate.pem", "hba.conf"] {
            let mode = name == "key.pem" ? 0o600 : 0o644
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
            // The server has no rights of ours, and reads a key that is its own alone.
            if getuid() == 0 {
                try files.setAttributes([.ownerAccountName: "nobody"], ofItemAtPath: "\(folder)/\(name)")
            }
        }
        server = try PostgresServer([
            "fsync=off", "listen_addresses=\(address)", "port=\(port)", "ssl=on", "ssl_key_file=\(folder)/key.pem",
            "ssl_cert_file=\(roots)", "hba_file=\(folder)/hba.conf",
        ])
    }

    /// Stops it and removes its files.
    func end() {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
