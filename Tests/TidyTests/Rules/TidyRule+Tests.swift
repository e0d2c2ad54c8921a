extension TidyRule {
    /// A test that exists runs and counts.
    static let testHonesty = TidyRule("no test is switched off", for: \.isTest) { file in
        let rows = [[".", "disabled", "("], ["withKnownIssue"], ["XCTSkip"], ["XCTExpectFailure"]]
        return rows.flatMap { row in
            places(of: row, in: file).map { ($0, "\"\(row.joined())\" hides a failure") }
        }
    }

    /// No test waits for real time; a staged clock's `sleep` is another matter.
    static let testSleeping = TidyRule("no test sleeps", for: \.isTest) { file in
        let rows = [["Task", ".", "sleep"], ["Thread", ".", "sleep"], ["usleep", "("], ["nanosleep", "("]]
        let named = rows.flatMap { row in places(of: row, in: file).map { ($0, "\"\(row.joined())\" waits") } }
        let tokens = file.tokens
        let bare = tokens.indices.filter { index in
            let isCall = index + 1 < tokens.count && tokens[index].text == "sleep" && tokens[index + 1].text == "("
            return isCall && (index == 0 || ![".", "func"].contains(tokens[index - 1].text))
        }
        return named + bare.map { (tokens[$0].line, "\"sleep\" waits") }
    }

    /// Foundation's `Process` ends a program that has very many descriptors open; `TestProgram` says how.
    static let testPrograms = TidyRule("programs are started by TestProgram", for: \.isSwift) { file in
        places(of: ["executableURL"], in: file).map { ($0, "Foundation's Process is started") }
    }

    /// Where homes of people lie; put together so that this file doesn't name one.
    static let homes = ["home", "Users", "root", "private/var"].map { "/\($0)/" }

    /// Nothing names a place on somebody's machine.
    static let machinePaths = TidyRule("no paths of a machine", for: { _ in true }) { file in
        machinePaths(file, root: Repository.rootPath)
    }

    /// Folders that every system has, so that naming one says nothing about a machine.
    static let commonFolders: Set<String> = [
        "bin", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "run", "sbin", "srv", "sys", "tmp", "usr", "var",
    ]

    /// Says where a home, or the place where the repository lies, is named.
    static func machinePaths(_ file: SourceFile, root: String) -> [(line: Int, problem: String)] {
        let parts = root.split(separator: "/")
        let isParentCommon = parts.count < 2 || parts.count == 2 && commonFolders.contains(String(parts[0]))
        let place = isParentCommon ? parts : parts.dropLast()
        let own = place.isEmpty ? [] : ["/" + place.joined(separator: "/") + "/"]
        return file.lines.enumerated().compactMap { offset, line in
            (homes + own).first { isNamed($0, line) }.map { (offset + 1, "\"\($0)\" is a place on one machine") }
        }
    }

    /// A path begins where no letter stands before its first slash; otherwise it is a part of an address.
    private static func isNamed(_ path: String, _ line: Substring) -> Bool {
        line.ranges(of: path).contains { range in
            guard range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !before.isLetter && !before.isNumber && !".-_~}/".contains(before)
        }
    }
}
