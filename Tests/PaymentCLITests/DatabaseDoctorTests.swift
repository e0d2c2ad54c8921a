import Foundation
import PaymentTestPostgres
import Testing

/// What the doctor says of a journal in a database.
@Suite(.serialized, .enabled(if: PostgresServer.programs != nil, "no PostgreSQL 15 is installed"))
struct DatabaseDoctorTests {
    /// 1: it was restored; 2: it was moved.
    @Test(arguments: [1, 2]) func databaseThatBeginsNothing_isWrong(_ closed: Int) async throws {
        let server = try #require(PostgresServer.shared)
        let (shop, schema) = (try CommandShop(), server.freshSchema())
        func write(_ text: String, _ path: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
        try write(server.connection(), "\(shop.folder)/database")
        let text = try String(contentsOfFile: shop.path, encoding: .utf8).replacing(
            #"{ "kind": "sqlite", "path": "state:simulation.sqlite" }"#,
            with: #"{ "kind": "postgres", "connection": "file:\#(shop.folder)/database", "#
                + #""schema": "\#(schema)", "durability": "local" }"#)
        #expect(text.contains(schema))
        try write(text, shop.path)
        #expect(await shop.run("journal", "init").status == 0)
        let before = await shop.run("doctor")
        #expect(before.text.contains("the database can be used"), "\(before.text)")
        try server.sql("UPDATE \(schema).counter SET value = \(closed) WHERE name = 'closed'")
        let doctor = await shop.run("doctor")
        #expect(doctor.status == 1 && doctor.text.contains("begins nothing"), "\(doctor.text)")
        #expect(!doctor.text.contains("the database can be used"), "\(doctor.text)")
    }
}
