import Foundation
import PaymentBase
import Testing

@testable import PaymentCLI

/// Commands say what they looked at, and keep real and simulated payments apart.
@Suite struct LookedAtTests {
    private static func configuration(_ providers: String) -> String {
        #"{"active": "\#(providers.contains("\"till\"") ? "till" : "memory")", "journal": {"kind": "sqlite", "#
            + #""path": "journal.sqlite"}, "providers": {\#(providers)}}"#
    }

    private static let memory = #""memory": {"adapter": "memory", "environment": "sandbox", "merchant": "m-1"}"#
    private static let adyen =
        #""till": {"adapter": "adyen", "environment": "test", "merchant": "Shop", "credentials": "#
        + #"{"apiKey": "env:NONE"}, "settings": {"terminal": "V400m-1"}}"#

    private func run(_ shop: CommandShop, _ configuration: String, _ words: String...) async throws -> CommandRun {
        let path = "\(shop.folder)/other.json"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return await CommandRun.of(words + ["--config", path, "--state", shop.state])
    }

    @Test func realAndSimulatedProviders_inOneConfiguration_areRefused() async throws {
        let shop = try CommandShop()
        let both = Self.configuration(Self.memory + ", " + Self.adyen)
        for words in ["list", "recover"] {
            let refused = try await run(shop, both, words)
            #expect(
                refused.status == 2 && refused.errors.first?.contains("never share a journal") == true, "\(refused)")
        }
        let doctor = try await run(shop, both, "doctor")
        #expect(doctor.status == 2 && doctor.text.contains("never share a journal"), "\(doctor.out)")
    }

    @Test func journalOfSimulatedPayments_openedForARealProvider_isRefused() async throws {
        let shop = try CommandShop()
        let sale = try await run(shop, Self.configuration(Self.memory), "sale", "5", "EUR", "--reference", "o-1")
        #expect(sale.status == 0, "\(sale.errors)")
        let again = try await run(shop, Self.configuration(Self.memory), "list")
        #expect(again.status == 0 && again.text.contains("all providers simulated: memory"), "\(again.out)")
        let other = try await run(shop, Self.configuration(Self.adyen), "list")
        #expect(other.status == 2 && other.errors.first?.contains("never share a journal") == true, "\(other)")
    }

    @Test func usageError_hasNoOutcome_andNoCommandThatAsksSaysOne() async throws {
        let shop = try CommandShop()
        for words in [
            ["status"], ["sale", "x", "EUR"], ["status", "--attempt", "--format"], ["list", "--limit", "0"],
        ] {
            let run = await CommandRun.of(words + shop.place + ["--format", "json"])
            #expect(run.status == 2, "\(words)")
            #expect(try run.json["error"]?["outcome"]?.isNull == true, "\(words): \(run.text)")
        }
        let broken = "\(shop.folder)/broken.json"
        try Data("{".utf8).write(to: URL(fileURLWithPath: broken))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: broken)
        let asked = await CommandRun.of(["status", "x", "--config", broken, "--format", "json"])
        #expect(try asked.json["error"]?["outcome"]?.isNull == true && !asked.errors.contains("Nothing moved."))
        let sale = await CommandRun.of(["sale", "5", "EUR", "--reference", "o", "--config", broken, "--format", "json"])
        #expect(try sale.json["error"]?["outcome"]?.string == "notExecuted")
    }

    @Test func shortIDs_areUniqueEnds_andBeginningsAreTakenToo() async throws {
        let ids = ["01890c2e-5b1a-7c3d-9e4f-001122334455", "01890c2e-5b1a-7c3d-9e4f-111122334455", "till-4-0017"]
        let short = ShortIDs(ids)
        #expect(short[ids[0]] == "…01122334455" && short[ids[1]] == "…11122334455" && short[ids[2]] == ids[2])
        let shop = try CommandShop()
        let id = try await shop.sold("5", "EUR", "--reference", "o-1")
        _ = try await shop.sold("5", "EUR", "--reference", "o-2", "--attempt", "till-4-00171")
        let shown = try await shop.json("show", String(id.prefix(30)))
        #expect(shown["payment"]?.string == id)
        let status = try await shop.json("status", String(id.prefix(30)) + "…")
        #expect(status["payment"]?.string == id)
        // An id of the application's own may be the beginning of another one, so it is no short form of that.
        _ = try await shop.json("show", "till-4-0017", status: 5)
    }

    @Test func journalBesideWhichNothingCanBeWritten_isListedShownAndExamined() async throws {
        let shop = try CommandShop(configuration: Self.configuration(Self.memory))
        let id = try SandboxProcess.plain(["sale", "5", "EUR", "--reference", "o-1", "--attempt", "s-1"] + shop.place)
        #expect(id.code == 0, "\(id)")
        // Where the folder of the locks should be is a file: no lock can be made, as on a full disk.
        let owners = "\(shop.folder)/journal.sqlite.owners"
        try FileManager.default.removeItem(atPath: owners)
        try Data().write(to: URL(fileURLWithPath: owners))
        let list = try await shop.json("list")
        #expect(list["items"]?[0]?["payment"]?.string == "s-1")
        #expect(list["lookedAt"]?["readOnly"]?.string?.contains("can't be made") == true, "\(list)")
        let text = await shop.run("list")
        #expect(text.text.contains("journal journal.sqlite (only read)"), "\(text.out)")
        #expect(text.errors.contains { $0.contains("The journal can only be read") }, "\(text.errors)")
        #expect(try await shop.json("show", "s-1")["status"]?.string == "approved")
        let doctor = await shop.run("doctor")
        #expect(doctor.text.contains("can only be read") && doctor.text.contains("1 attempt, all readable"))
        let check = await shop.run("journal", "check")
        #expect(check.status == 0, "\(check.out) \(check.errors)")
        let sale = await shop.run("sale", "5", "EUR", "--reference", "o-2")
        #expect(sale.status == 2 && sale.errors.first?.contains("its folder is not there, or is no folder") == true)
    }
}
