import Foundation

/// The repository that this test stands in.
enum Repository {
    /// Where it lies.
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    /// The same as text, without a closing slash.
    static let rootPath = root.path.hasSuffix("/") ? String(root.path.dropLast()) : root.path

    /// The folders that are read whole.
    static let folders = ["Sources", "Tests", "Scripts", "Benchmarks", "Examples", "docs", ".ci"]
    /// The files at the root that are read.
    static let suffixes = [".swift", ".md", ".json", ".swift-format", ".gitignore"]

    /// Every text file that the rules look at, in the order of the paths.
    static let files: [SourceFile] = {
        var paths = folders.flatMap { folder -> [String] in
            let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            return (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
        }
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        paths += top.filter { name in suffixes.contains { name.hasSuffix($0) } }
        return paths.filter { !$0.contains("/.build") }.sorted().compactMap { path in
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map { SourceFile(path, $0) }
        }
    }()

    /// The names of the functions that our protocols ask for, where their comments stand.
    static let requirements = Set(files.filter(\.isSource).flatMap { Block.requirements(in: $0.tokens) })

    /// The text of the manifest.
    static let manifest = files.first { $0.path == "Package.swift" }?.text ?? ""
}
