import PaymentBase
import Testing

@testable import PaymentCLI

/// Text from outside can't forge a line, wherever it is printed.
@Suite struct PrintedTextTests {
    private static let nasty = "a\u{1B}[2K\u{7}\r\nmoney: moved\u{202E}\u{85}\u{200B}z"

    private func printed(_ text: String, colors: Bool = false) -> [String] {
        let lines = Locked([String]())
        let console = Console(
            out: { line in lines.withLock { $0.append(line) } }, error: { _ in }, showsColors: colors)
        console.out(text)
        return lines.withLock { $0 }
    }

    @Test func nothingIsLeftThatDoesSomething() {
        let shown = printed(Self.nasty)
        #expect(shown == [#"a\u001B[2K\u0007\u000D\u000Amoney: moved\u202E\u0085\u200Bz"#])
        #expect(printed("Zoë €5 日本 😀") == ["Zoë €5 日本 😀"])
        #expect(printed("\u{E0041}") == [#"\uDB40\uDC41"#])
    }

    @Test func ownColoursStayAndOthersDont() {
        let good = Paint(isOn: true).good("good")
        #expect(printed(good, colors: true) == ["\u{1B}[32mgood\u{1B}[0m"])
        #expect(printed("\u{1B}[32mgood", colors: false) == [#"\u001B[32mgood"#])
        // A text from outside can't be in our colours, beside ours either.
        let foreign = #"\u001B[32mgood\u001B[0m"#
        #expect(printed("\u{1B}[32mgood\u{1B}[0m", colors: true) == [foreign])
        let beside = "\(good): \u{1B}[32mgood\u{1B}[0m"
        #expect(printed(beside, colors: true) == ["\u{1B}[32mgood\u{1B}[0m: \(foreign)"])
        #expect(Paint(isOn: true).without(good) == "good")
        #expect(printed("\u{1B}[8mhidden\u{1B}[38;5;1m", colors: true) == [#"\u001B[8mhidden\u001B[38;5;1m"#])
    }

    @Test func jsonSaysTheSameAfterwards() throws {
        let line = String(decoding: JSON.object(["detail": .string(Self.nasty)]).bytes(), as: UTF8.self)
        let shown = try #require(printed(line).first)
        #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(try JSONReader().read(Array(shown.utf8))["detail"]?.string == Self.nasty)
    }

    @Test func aProvidersTextIsShownWrittenOut() async throws {
        let body = #"{"id":"p\u001b[2K\r\u202e1","event":"paymentApproved\u001b[1A","at":1,"state":"approved"}"#
        for format in ["text", "json"] {
            let run = await CommandRun.of(["inspect", "memory", "-", "--format", format], input: body)
            let hidden = run.text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E }
            #expect(hidden.isEmpty && run.text.contains(#"\u001"#), "\(run.text)")
        }
        let reference = await CommandShop.refusedReference("order\u{1B}[31m\u{202E}1")
        #expect(!reference.unicodeScalars.contains { $0 == "\u{1B}" || $0.value == 0x202E })
    }
}

extension CommandShop {
    /// Everything that is printed about a sale under a reference.
    fileprivate static func refusedReference(_ reference: String) async -> String {
        guard let shop = try? CommandShop() else { return "\u{1B}" }
        let sale = await shop.run("sale", "5", "EUR", "--reference", reference)
        let list = await shop.run("list", columns: 80)
        return (sale.out + sale.errors + list.out + list.errors).joined(separator: "\n")
    }
}
