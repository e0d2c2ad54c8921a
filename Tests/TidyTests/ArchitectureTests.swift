import Testing

/// What docs/architecture.md says is so: the files that it names are there.
@Suite struct ArchitectureTests {
    private static let path = "docs/architecture.md"

    @Test func theFilesThatItNamesAreThere() {
        let names = Set(Repository.files.filter(\.isSource).map { String($0.name) })
        let lines = Repository.files.first { $0.path == Self.path }?.lines ?? []
        var count = 0
        for (offset, line) in lines.enumerated() {
            for piece in line.split(separator: "`") where piece.hasSuffix(".swift") && piece != "Package.swift" {
                count += 1
                let isThere = names.contains(String(piece))
                #expect(isThere, "\(Self.path):\(offset + 1): there is no \(piece) in Sources")
            }
        }
        #expect(count > 50)
    }
}
