import Foundation
import PaymentBase

/// Names every public symbol that has no sentence of documentation; reads the graphs that `swift package
/// dump-symbol-graph` writes.
@main struct DocCoverage {
    /// Larger than any of our graphs.
    private static let bytesMax = 256 * 1_024 * 1_024

    static func main() throws {
        var (total, missing) = (0, [String]())
        for path in CommandLine.arguments.dropFirst() {
            var options = JSONReadOptions()
            options.bytesMax = bytesMax
            let graph = try JSONReader(options: options).read([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
            let module = graph["module"]?["name"]?.string ?? path
            let inherited = Set(
                (graph["relationships"]?.array ?? []).filter { $0["sourceOrigin"] != nil }
                    .compactMap { $0["source"]?.string })
            for symbol in graph["symbols"]?.array ?? [] where isOurs(symbol) {
                total += 1
                let name = symbol["identifier"]?["precise"]?.string ?? ""
                if symbol["docComment"] != nil || inherited.contains(name) { continue }
                let words = symbol["pathComponents"]?.array?.compactMap(\.string) ?? []
                missing.append("\(module): \(words.joined(separator: "."))")
            }
        }
        for name in missing { print("no documentation: \(name)") }
        print("\(total - missing.count) of \(total) public symbols are documented.")
        exit(missing.isEmpty && total > 0 ? 0 : 1)
    }

    /// Public, written by us, and neither made by the compiler nor a mere extension.
    private static func isOurs(_ symbol: JSON) -> Bool {
        let level = symbol["accessLevel"]?.string
        guard level == "public" || level == "open", symbol["kind"]?["identifier"]?.string != "swift.extension",
            symbol["location"] != nil
        else { return false }
        return symbol["identifier"]?["precise"]?.string?.contains("::SYNTHESIZED::") == false
    }
}
