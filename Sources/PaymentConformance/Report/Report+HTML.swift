extension Report {
    /// The report as one HTML page that needs nothing else.
    public var html: String {
        let parts = providers.map(section)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Conformance</title>
            <style>
            body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
            table { border-collapse: collapse; }
            td, th { border-bottom: 1px solid #ccc; padding: .2em .8em; text-align: left; vertical-align: top; }
            .passed { color: #176b2c; } .failed { color: #a3161b; font-weight: bold; }
            .waived { color: #8a5a00; font-weight: bold; } .notApplicable { color: #666; }
            </style>
            </head>
            <body>
            <h1>Conformance</h1>
            <p class="\(isFine ? "passed" : "failed")">\(Self.escaped(verdict))</p>
            \(parts.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private func section(_ provider: ProviderReport) -> String {
        let counts = CheckResult.Status.allCases.map { "\(provider.count($0)) \($0.rawValue)" }
        var lines = [
            "<h2>\(Self.escaped(provider.id)): level \(provider.level?.rawValue ?? "none")</h2>",
            "<p>\(counts.joined(separator: ", "))</p>",
        ]
        if let faults = provider.faults {
            lines.append("<p>Faults: \(Self.escaped(faults.summary))</p>")
            if !faults.problems.isEmpty {
                let items = faults.problems.map { "<li class=\"failed\">\(Self.escaped("\($0)"))</li>" }
                lines.append("<ul>\(items.joined())</ul>")
            }
        }
        lines.append("<table>\n<tr><th>check</th><th>status</th><th></th></tr>")
        for result in provider.results {
            let words = ([result.detail] + result.exchanges).filter { !$0.isEmpty }.map(Self.escaped)
            lines.append(
                "<tr><td>\(Self.escaped(result.id))</td><td class=\"\(result.status.rawValue)\">"
                    + "\(result.status.rawValue)</td><td>\(words.joined(separator: "<br>"))</td></tr>")
        }
        return (lines + ["</table>"]).joined(separator: "\n")
    }

    /// Text that stands in a page as it is.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
