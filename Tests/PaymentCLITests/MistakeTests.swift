import Foundation
import PaymentTestServers
import PaymentTransport
import Testing

@testable import PaymentCLI

/// What people get wrong: each with its message and exit status, word for word; `RECORD_SNAPSHOTS=1` records it again.
@Suite struct MistakeTests {
    /// Ids and amounts are put aside while a message is masked; U+F8FF is the apple of some keyboards.
    @Test(arguments: ["\u{F8FF}", "\u{F8FF}\u{F8FE}"])
    func message_withALetterOfNoLanguage_keepsIdsAndAmountsInTheirPlaces(_ letter: String) {
        let id = "0193a7e2-5b1c-7c55-9d0a-3f2e1d0c9b8a"
        let message = "Order \(letter) of 4111111111111111 (attempt \(id), 12.50 EUR) \(letter)"
        #expect(MaskedMessage.of(message) == message.replacing("4111111111111111", with: "************1111"))
    }

    /// Command lines that don't do what was meant, after what stands in the journal by then.
    private static let mistakes: [[String]] = [
        // What is typed
        ["salle", "5", "EUR"], ["sale"], ["sale", "5", "EUR"],
        ["sale", "5", "EUR", "--unreferenced", "--reference", "order-9"], ["sale", "5", "EUR", "--part", "1 of 2"],
        ["sale", "5", "EUR", "--reference", "order-9", "--holds-for", "5"], ["sale", "--unreferenced", "5"],
        ["sale", "--unreferenced", "5", "EUR", "now"], ["sale", "--unreferenced", "5", "EURO"],
        ["sale", "--unreferenced", "5.001", "EUR"], ["sale", "--unreferenced", "-5", "EUR"],
        ["sale", "--unreferenced", "0", "EUR"], ["sale", "five", "EUR"],
        ["sale", "--unreferenced", "5,00", "EUR"], ["sale", "--unreferenced", "5", "EUR", "--cart", "visa"],
        ["sale", "--unreferenced", "5", "EUR", "--card", "visas"],
        ["sale", "--unreferenced", "5", "EUR", "--card", "4111111111111111"],
        ["sale", "--unreferenced", "5", "EUR", "--source", "cash"],
        ["sale", "--unreferenced", "5", "EUR", "--within", "soon"],
        ["sale", "--unreferenced", "5", "EUR", "--attempt", "a b"],
        ["sale", "--unreferenced", "5", "EUR", "--provider", "ayden"],
        ["sale", "--unreferenced", "5", "EUR", "--format", "yaml"],
        ["refund", "9.80"], ["refund", "m-1", "5", "USD"], ["capture"], ["adjust", "m-1"], ["resolve", "m-1"],
        ["resolve", "m-1", "--not-executed"], ["status"], ["status", "--attempt", "--format", "json"],
        ["day", "--date", "yesterday"],
        ["day", "--time-zone", "Mars/Olympus"], ["show", "m-1", "--format", "csv"],
        ["list", "--follow", "--format", "csv"],
        ["resolve", "m-1", "--executed", "x", "--amount", "5 USD", "--because", "y"], ["list", "--status", "refnded"],
        ["list", "--limit", "0"],
        ["switch", "plan", "memory"], ["switch", "plan", "memory", "memory"], ["switch", "plan", "memory", "ayden"],
        ["journal", "chek"], ["journal", "prune", "--before", "yesterday"], ["explain", "hallo", "118"],
        ["compare", "arise"], ["completions", "csh"], ["sandbox", "fault", "reply.last"],
        ["sandbox", "clock", "--advance", "tomorrow"], ["sandbox", "decide", "adyen", "m-1", "wins"],
        // What is configured
        ["doctor", "--config", "FOLDER/none.json"],
        ["sale", "--unreferenced", "5", "EUR", "--config", "FOLDER/torn.json"],
        ["sale", "--unreferenced", "5", "EUR", "--config", "FOLDER/unfilled.json"],
        ["init", "--config", "FOLDER/torn.json"],
        ["init", "--config", "FOLDER/torn.json", "--provider", "adyen=nowhere", "--force"],
        ["sale", "--unreferenced", "5", "EUR", "--config", "FOLDER/nowhere.json"],
        // What doesn't go
        ["sale", "--unreferenced", "5", "EUR", "--provider", "arise"],
        ["authorize", "--unreferenced", "5", "ZAR", "--provider", "halo"],
        ["verify", "ZAR", "--provider", "halo"], ["refund", "m-1", "21"], ["refund", "nobody-1"], ["capture", "m-1"],
        ["void", "m-2"], ["sale", "20", "EUR", "--reference", "order-1"],
        ["sale", "5", "EUR", "--reference", "order-1", "--part", "1 of 2"], ["refund", "m-2"],
        ["sale", "21", "EUR", "--attempt", "m-1", "--reference", "order-1"],
        ["sale", "5", "EUR", "--card", "declined", "--attempt", "m-4", "--reference", "order-4"],
        ["status", "--attempt", "nobody-1"], ["resolve", "m-1", "--not-executed", "--because", "the statement"],
    ]

    @Test func everyMistakeHasItsMessageAndItsStatus() async throws {
        let shop = try CommandShop()
        let gone = try TestSocket.closedPort()
        try Self.write("{", shop, "torn.json")
        try Self.write(Self.adyen(#""REPLACE-ME""#, "https://127.0.0.1:1"), shop, "unfilled.json")
        try Self.write(Self.adyen(#""V400m-1""#, "https://127.0.0.1:\(gone)"), shop, "nowhere.json")
        _ = try await shop.sold("20", "EUR", "--attempt", "m-1", "--reference", "order-1")
        _ = try await shop.sold("20", "EUR", "--attempt", "m-2", "--reference", "order-2")
        _ = try await shop.json("refund", "m-2", "20", "--attempt", "m-3")
        #expect(Self.mistakes.count >= 40)
        var text = ""
        for words in Self.mistakes {
            let real = words.map { $0.replacingOccurrences(of: "FOLDER", with: shop.folder) }
            let isPlaced = !words.contains("--config")
            let place = ["explain", "compare", "completions", "sandbox"].contains(words[0]) ? [] : shop.place
            let state = words.contains("--config") && words[0] == "sale" ? ["--state", "\(shop.folder)/state"] : []
            let run = await CommandRun.of(real + (isPlaced ? place : state))
            text += "$ payctl \(words.joined(separator: " "))\n"
            for line in run.out + run.errors {
                let plain = Self.plain(line, shop).replacingOccurrences(of: ":\(gone)", with: ":PORT")
                text += "  \(plain)\n"
            }
            text += "  exit status \(run.status)\n\n"
            #expect(run.status != 0, "\(words)")
            #expect(run.out.count + run.errors.count >= 2, "\(words) says too little")
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Mistakes.txt")
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" { try Data(text.utf8).write(to: file) }
        let kept = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let changes = text.split(separator: "\n", omittingEmptySubsequences: false).difference(from: kept)
        #expect(changes.isEmpty, "\(changes.map { "\($0)" }.joined(separator: "\n"))")
    }

    /// A line without what is another at each run.
    private static func plain(_ line: String, _ shop: CommandShop) -> String {
        line.replacingOccurrences(of: "--config \(shop.path) --state \(shop.folder)/state", with: "…")
            .replacingOccurrences(of: shop.folder, with: "FOLDER")
            .replacing(#/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/#, with: "ID")
    }

    private static func write(_ text: String, _ shop: CommandShop, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(shop.folder)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(shop.folder)/\(name)")
    }

    private static func adyen(_ terminal: String, _ endpoint: String) -> String {
        """
        {"active": "till", "journal": {"kind": "memory"}, "providers": {"till": {
          "adapter": "adyen", "environment": "test", "merchant": "M", "endpoint": "\(endpoint)",
          "settings": {"terminal": \(terminal)}, "credentials": {"apiKey": "env:PATH"}}}}
        """
    }
}
