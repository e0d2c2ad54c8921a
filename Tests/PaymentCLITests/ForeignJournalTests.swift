import Foundation
import PaymentBase
import Testing

/// A journal that other users may write: no command changes it.
@Suite struct ForeignJournalTests {
    @Test func journalThatOthersMayWrite_isChangedByNoCommand() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR")
        let files = FileManager.default.subpaths(atPath: shop.folder) ?? []
        let file = try #require(files.first { $0.hasSuffix(".sqlite") }, "\(files)")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: "\(shop.folder)/\(file)")
        for words in [["prune", "--before", "2024-01-01"], ["accept-restored"], ["import", "-"]] {
            let run = await CommandRun.of(["journal"] + words + shop.place)
            #expect(run.status == 2 && run.errors.joined().contains("mode 666"), "\(words): \(run.text) \(run.errors)")
        }
        // What only reads says that the file can't be trusted.
        let checked = await shop.run("journal", "check")
        #expect(
            checked.status == 0 && checked.errors.joined().contains("mode 666"), "\(checked.text) \(checked.errors)")
    }
}
