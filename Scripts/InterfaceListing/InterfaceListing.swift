import Foundation
import PaymentBase

/// Writes one file per module with every public declaration, sorted; reads the graphs that `swift package
/// dump-symbol-graph` writes: `interface-listing FOLDER GRAPH…`
@main struct InterfaceListing {
    /// Larger than any of our graphs.
    private static let bytesMax = 256 * 1_024 * 1_024

    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let folder = paths.first, paths.count > 1 else {
            print("usage: interface-listing FOLDER GRAPH…")
            exit(2)
        }
        var modules: [String: ModuleInterface] = [:]
        for path in paths.dropFirst() {
            var options = JSONReadOptions()
            options.bytesMax = bytesMax
            let graph = try JSONReader(options: options).read([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
            guard let name = graph["module"]?["name"]?.string else {
                print("\(path) is no symbol graph")
                exit(1)
            }
            modules[name, default: ModuleInterface(name)].add(graph)
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, module) in modules {
            try Data(module.text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).txt"))
        }
    }
}
