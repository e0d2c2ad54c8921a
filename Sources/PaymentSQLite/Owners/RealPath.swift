internal import PaymentSystem

/// What a path leads to, and what lies in a folder.
enum RealPath {
    /// The path without links and detours; the given one where there is nothing yet.
    static func of(_ path: String) -> String {
        if let real = resolved(path) { return real }
        // Before the file is there, its folder is.
        guard let slash = path.lastIndex(of: "/") else { return resolved(".").map { "\($0)/\(path)" } ?? path }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return resolved(folder).map { $0 == "/" ? "/" + path[slash...].dropFirst() : $0 + path[slash...] } ?? path
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// The names in a folder; none where there is none.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
