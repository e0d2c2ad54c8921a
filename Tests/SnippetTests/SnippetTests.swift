import Testing

@Suite struct SnippetTests {
    @Test func everySnippetIsCompiledHere() throws {
        let compiled = try Documents.compiled()
        var count = 0
        for path in try Documents.all() {
            for snippet in try Documents.snippets(path) {
                count += 1
                let isThere = compiled.contains { source in contains(source, snippet) }
                #expect(isThere, "\(path): the snippet that begins with «\(snippet.first ?? "")» is compiled nowhere")
            }
        }
        #expect(count >= 4)
    }

    /// Whether the lines stand together in a source, in order.
    private func contains(_ source: [String], _ snippet: [String]) -> Bool {
        guard let first = snippet.first, snippet.count <= source.count else { return false }
        return source.indices.contains { start in
            source[start] == first && source.count - start >= snippet.count
                && Array(source[start..<(start + snippet.count)]) == snippet
        }
    }

    @Test func aChangedLineIsNoticed() {
        #expect(contains(["a", "b", "c"], ["b", "c"]))
        #expect(!contains(["a", "b", "c"], ["b", "d"]))
        #expect(!contains(["a", "b", "c"], ["c", "d"]))
    }
}
