internal import PaymentProviderKit

extension Command {
    /// A package with an adapter to start from.
    static let newProvider = Command(
        name: "new-provider",
        summary: "writes a package with an adapter, a simulated provider and a harness that reach level core",
        example: "payctl new-provider north-pay ../north-pay",
        takes: AcceptedArguments(
            operands: ["NAME", "FOLDER"],
            options: [
                .value(
                    "payments", "PATH",
                    "the folder of the payments package; by default the one that this program was built from")
            ])
    ) { call in
        let name = try call.operand(0, "NAME")
        let folder = try call.operand(1, "FOLDER").trimmingSlashes
        let template = try ProviderTemplate(
            name, payments: try PackageFolder.payments(call.given["payments"], seenFrom: folder),
            adapters: call.registry.providers.adapters)
        if CommandFile.isThere(folder) {
            throw UsageError(message: "\(folder) is there already; name a folder that isn't")
        }
        for file in template.files {
            let path = "\(folder)/\(file.path)"
            let pieces = path.split(separator: "/", omittingEmptySubsequences: false)
            try CommandFile.makeFolder(pieces.dropLast().joined(separator: "/"))
            try CommandFile.write(Array(file.text.utf8), path)
        }
        call.say(
            ["written": .array(template.files.map { .string("\(folder)/\($0.path)") })],
            [
                "\(folder) is written: \(template.files.count) files. Next:", "  cd \(folder)", "  swift test",
                "  swift run \(name)-payctl conformance \(name) --level core",
            ])
        return .fine
    }
}

/// Folders of packages, and the way from one to another.
enum PackageFolder {
    /// Where the payments package lies, for the manifest of a package in a folder: a relative path that was given is
    /// written as seen from there, an absolute one and the default as they are.
    static func payments(_ given: String?, seenFrom folder: String) throws(UsageError) -> String {
        guard let given else {
            // A program that was built in the package lies somewhere below it.
            var pieces = (CommandFile.ownProgram() ?? "").split(separator: "/").dropLast()
            while !isPayments("/" + pieces.joined(separator: "/")) {
                guard pieces.popLast() != nil else {
                    throw UsageError(message: "this program doesn't lie in the payments package; name it by --payments")
                }
            }
            return "/" + pieces.joined(separator: "/")
        }
        guard isPayments(given) else { throw UsageError(message: "\(given) is no folder of the payments package") }
        guard !given.hasPrefix("/") else { return given.trimmingSlashes }
        guard let here = CommandFile.currentFolder() else {
            throw UsageError(message: "the current folder is gone; give --payments as an absolute path")
        }
        return way(from: pieces(folder, in: here), to: pieces(given, in: here))
    }

    private static func isPayments(_ folder: String) -> Bool {
        CommandFile.isThere("\(folder)/Package.swift") && CommandFile.isThere("\(folder)/Sources/PaymentProviderKit")
    }

    /// The steps of a path from the root, without `.` and `..`.
    private static func pieces(_ path: String, in here: String) -> [String] {
        var pieces: [String] = []
        for piece in (path.hasPrefix("/") ? path : "\(here)/\(path)").split(separator: "/") {
            switch piece {
            case ".": break
            case "..": _ = pieces.popLast()
            case let piece: pieces.append(String(piece))
            }
        }
        return pieces
    }

    private static func way(from: [String], to: [String]) -> String {
        let shared = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)
        return steps.isEmpty ? "." : steps.joined(separator: "/")
    }
}

extension String {
    /// The path of a folder without slashes at its end; the root stays.
    fileprivate var trimmingSlashes: String {
        var path = self[...]
        while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}
