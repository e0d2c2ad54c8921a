import Foundation
import PaymentBase
import PaymentTestTill
import Testing

/// The journal of simulated payments, as former software has left it.
@Suite struct SimulationJournalTests {
    /// Every command of that folder says what helps, and another folder works.
    @Test(arguments: [["sale", "9.00", "EUR", "--reference", "order-1"], ["list"], ["recover"], ["mcp"]])
    func journal_ofAFormerFormat_isRefusedWithWhatHelps(words: [String]) async throws {
        try await ServeProcess.inFolder { folder in
            let former = OutputSchemas.root.appending(path: "Tests/Fixtures/Journal/version-7.sqlite")
            let file = "\(folder)/simulation.sqlite"
            try FileManager.default.copyItem(atPath: former.path, toPath: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let run = await CommandRun.of(words + ["--state", folder])
            #expect(run.status != 0)
            let said = run.errors.joined(separator: " ")
            #expect(said.contains("of format 7") && said.contains("remove the file"), "\(said)")
            // The digits of a folder's name can look like a card's number.
            #expect(said.contains(Masking.cardNumbers(in: file)) && said.contains("--state"), "\(said)")
            let other = await CommandRun.of(
                ["sale", "9.00", "EUR", "--reference", "order-1", "--state", "\(folder)/another"])
            #expect(other.status == 0, "\(other.errors)")
        }
    }
}
