extension ReportDocument {
    /// The report as one page of HTML that needs nothing else: tables that can be filtered, light and dark, printed and
    /// used by keyboard.
    package var html: String {
        let sections = parts.enumerated().map { Self.section($1, number: $0) }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; \
            style-src 'sha256-\(Self.styleDigest)'; script-src 'sha256-\(Self.scriptDigest)'">
            <title>\(Self.escaped(title))</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <main>
            <h1>\(Self.escaped(title))</h1>
            \(verdictLines)
            <form class="filter" role="search">
            <label for="filter">Show only what has</label> <input id="filter" type="search" autocomplete="off">
            <label><input id="different" type="checkbox"> only what differs, failed or is open</label>
            <output id="count" for="filter different" aria-live="polite"></output>
            </form>
            \(contents)
            \(sections.joined(separator: "\n"))
            <p id="nothing" hidden>Nothing fits the filter.</p>
            </main>
            <script>
            \(Self.script)
            </script>
            </body>
            </html>

            """
    }

    private var verdictLines: String {
        let lines = verdict.map { "<p>\(Self.escaped($0))</p>" }.joined(separator: "\n")
        let known = facts.isEmpty ? "" : Self.html(facts)
        return "<div class=\"verdict \(mood.rawValue)\">\n\(lines)\n</div>\n\(known)"
    }

    /// What the page has, where it can't be seen at once.
    private var contents: String {
        if parts.count < 4 { return "" }
        let items = parts.enumerated().map { "<li><a href=\"#t\($0)\">\(Self.escaped($1.title))</a></li>" }
        return "<nav aria-label=\"Contents\"><details><summary>Contents: \(parts.count) parts</summary>\n<ul>"
            + items.joined(separator: "\n") + "</ul></details></nav>"
    }

    private static func section(_ part: Part, number: Int) -> String {
        let inner =
            switch part {
            case .table(let table): html(table, number)
            case .cases(_, let cases):
                cases.enumerated().map { html($1, "c\(number)-\($0)") }.joined(separator: "\n")
            }
        return """
            <section aria-labelledby="t\(number)">
            <h2 id="t\(number)" tabindex="-1">\(escaped(part.title))</h2>
            \(inner)
            </section>
            """
    }

    /// A table; its roles are said, since a browser forgets them where the rows are no rows of a table on a small screen.
    private static func html(_ table: Table, _ number: Int) -> String {
        let head = table.head.map { "<th role=\"columnheader\" scope=\"col\">\(escaped($0))</th>" }.joined()
        let rows = table.rows.map { row in
            let cells = zip(row.cells, table.head).enumerated().map { index, pair in
                let (cell, name) = pair
                if index == 0 { return "<th role=\"rowheader\" scope=\"row\">\(html(cell))</th>" }
                let mood = cell.mood == .plain ? "" : " class=\"\(cell.mood.rawValue)\""
                return "<td role=\"cell\"\(mood) data-head=\"\(escaped(name))\">\(html(cell))</td>"
            }
            return "<tr role=\"row\" class=\"\(row.mood.rawValue)\">\(cells.joined())</tr>"
        }
        let about = table.about.isEmpty ? "" : "<p>\(escaped(table.about))</p>\n"
        return """
            \(about)<div class="wide" role="region" aria-labelledby="t\(number)" tabindex="0">
            <table role="table" aria-labelledby="t\(number)"\(table.isMatrix ? " class=\"matrix\"" : "")>
            <thead role="rowgroup"><tr role="row">\(head)</tr></thead>
            <tbody role="rowgroup">
            \(rows.joined(separator: "\n"))
            </tbody></table>
            </div>
            """
    }

    private static func html(_ cell: Cell) -> String {
        let lines = cell.lines.count > 1 ? cell.lines.filter { !$0.isEmpty } : cell.lines
        let text = lines.map(escaped).joined(separator: "<br>")
        let spoken = cell.spoken.isEmpty ? "" : "<span class=\"unseen\"> \(escaped(cell.spoken))</span>"
        guard let target = cell.target else { return text + spoken }
        return "<a href=\"#\(anchor(target))\">\(text)\(spoken)</a>"
    }

    private static func html(_ facts: [(name: String, text: String)]) -> String {
        // The name of a member is broken behind its dots rather than anywhere.
        let lines = facts.map { fact in
            let parts = escaped(fact.name).split(separator: ".", omittingEmptySubsequences: false)
            return "<dt>\(parts.joined(separator: ".<wbr>"))</dt><dd>\(escaped(fact.text))</dd>"
        }
        return "<dl>\(lines.joined(separator: "\n"))</dl>"
    }

    private static func html(_ one: Case, _ id: String) -> String {
        let anchor = anchor(one.title)
        return """
            <article class="case \(one.mood.rawValue)" aria-labelledby="\(anchor)">
            <h3 id="\(anchor)" tabindex="-1">\(escaped(one.title))</h3>
            <div class="sides">
            \(html(one.facts))
            \(html(one.picture, id))
            </div>
            </article>
            """
    }

    private static func html(_ picture: ReportPicture, _ id: String) -> String {
        let title = "<figcaption>\(escaped(picture.title))</figcaption>"
        if picture.steps.isEmpty { return "<figure>\(title)<p>\(escaped(picture.otherwise))</p></figure>" }
        let steps = picture.steps.prefix(ReportPicture.stepsMax).map { step in
            let when = step.when.isEmpty ? "" : "<time>\(escaped(step.when))</time> "
            return "<li class=\"\(step.mood.rawValue)\">\(when)\(escaped(step.words))</li>"
        }
        let more = picture.steps.count - steps.count
        return """
            <figure>\(title)
            <div class="drawn">
            \(picture.lanes.isEmpty ? "" : picture.svg(id))
            <ol>\(steps.joined(separator: "\n"))</ol>
            </div>\(more > 0 ? "<p>and \(more) more</p>" : "")</figure>
            """
    }

    /// What a case is called in the address; what is no letter or digit there is written by its number.
    private static func anchor(_ title: String) -> String {
        "case-"
            + title.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                return isPlain || scalar == "-" || scalar == "." ? String(scalar) : "_\(scalar.value)"
            }.joined()
    }

    /// Text that stands in a page as it is; what is no character to be seen is left out.
    static func escaped(_ text: String) -> String {
        var kept = ""
        for scalar in seen(text).unicodeScalars {
            switch scalar {
            case "&": kept += "&amp;"
            case "<": kept += "&lt;"
            case ">": kept += "&gt;"
            case "\"": kept += "&quot;"
            case "'": kept += "&#39;"
            default: kept.unicodeScalars.append(scalar)
            }
        }
        return kept
    }

    /// Text without what is not seen, or moves or turns around what stands beside it.
    package static func seen(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { kept.append(isHidden(scalar) ? " " : scalar) }
        return String(kept)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20...0x7E).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
