import Testing

/// Every test that a document names for a rule or a promise is there.
@Suite struct AttemptRulesTests {
    @Test(arguments: [
        ("docs/attempts.md", 90), ("docs/threat-model.md", 40), ("docs/phones-review.md", 35),
        ("docs/adyen-ecommpay.md", 15),
    ])
    func theTestsThatItNamesAreThere(_ path: String, _ least: Int) {
        let text = Repository.files.first { $0.path == path }?.text ?? ""
        let rows = text.split(separator: "\n").filter { $0.first == "|" }
        let named = Set(rows.flatMap { row in row.split(separator: "`").map(String.init).filter(Self.isName) })
        #expect(named.count > least)
        var there: Set<String> = []
        for file in Repository.files where file.path.hasPrefix("Tests/") && file.path.hasSuffix(".swift") {
            for line in file.text.split(separator: "\n") {
                guard let start = line.firstRange(of: "func ")?.upperBound else { continue }
                there.insert(String(line[start...].prefix(while: Self.isOfName)))
            }
        }
        #expect(named.subtracting(there).isEmpty, "no such tests: \(named.subtracting(there).sorted())")
    }

    private static func isName(_ text: String) -> Bool {
        text.allSatisfy(isOfName) && text.contains(where: \.isUppercase) && text.count > 5
            && text.first?.isLowercase == true
    }

    private static func isOfName(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber || letter == "_" }
}
