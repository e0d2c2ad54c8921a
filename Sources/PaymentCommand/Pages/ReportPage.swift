/// A report as one page of HTML that needs nothing else: tables that can be filtered, light and dark, printed and used by
/// keyboard. Whatever stands in it is text; nothing of it is taken for markup.
struct ReportPage {
    /// How a row is meant.
    enum Mood: String { case plain, good, bad, doubt }

    struct Row {
        let cells: [[String]]
        let mood: Mood
    }

    struct Table {
        let title: String
        var about = ""
        let head: [String]
        let rows: [Row]
    }

    let title: String
    /// What matters most, one sentence each.
    var verdict: [String] = []
    var isFine = true
    var tables: [Table] = []

    var html: String {
        let sections = tables.enumerated().map { Self.section($1, number: $0) }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'">
            <title>\(Self.escaped(title))</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <main>
            <h1>\(Self.escaped(title))</h1>
            \(verdict.map { "<p class=\"\(isFine ? "good" : "bad")\">\(Self.escaped($0))</p>" }.joined(separator: "\n"))
            <form class="filter" role="search">
            <label for="filter">Show only rows with</label> <input id="filter" type="search" autocomplete="off">
            <label><input id="different" type="checkbox"> only what differs or failed</label>
            <output id="count" for="filter different" aria-live="polite"></output>
            </form>
            \(sections.joined(separator: "\n"))
            </main>
            <script>
            \(Self.script)
            </script>
            </body>
            </html>

            """
    }

    private static func section(_ table: Table, number: Int) -> String {
        let head = table.head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
        let rows = table.rows.map { row in
            let cells = row.cells.enumerated().map { index, lines in
                let text = lines.map(escaped).joined(separator: "<br>")
                return index == 0 ? "<th scope=\"row\">\(text)</th>" : "<td>\(text)</td>"
            }
            return "<tr class=\"\(row.mood.rawValue)\">\(cells.joined())</tr>"
        }
        let about = table.about.isEmpty ? "" : "<p>\(escaped(table.about))</p>\n"
        return """
            <section aria-labelledby="t\(number)">
            <h2 id="t\(number)">\(escaped(table.title))</h2>
            \(about)<div class="wide" role="region" aria-labelledby="t\(number)" tabindex="0">
            <table><thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table>
            </div>
            </section>
            """
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --line: #b9b9c3; --good: #14602a;
          --bad: #9c1218; --doubt: #7a4a00; --tint: #f3f3f7; --focus: #0b57d0; }
        @media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --paper: #17171b; --line: #55555f;
          --good: #7fd99a; --bad: #ff9a94; --doubt: #f0c070; --tint: #222228; --focus: #8ab4f8; } }
        body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--paper); }
        main { max-width: 80rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
        .wide { overflow-x: auto; } :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
        table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
        th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
        thead th { background: var(--tint); } tbody th { font-weight: 600; }
        p.good, tr.good th { color: var(--good); } p.bad, tr.bad th { color: var(--bad); } tr.doubt th { color: var(--doubt); }
        tr.bad th::before { content: "✗ "; } tr.good th::before { content: "✓ "; } tr.doubt th::before { content: "? "; }
        .filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; }
        input[type=search] { font: inherit; min-width: 10rem; max-width: 100%; }
        @media print { .filter { display: none; } .wide { overflow: visible; } tr { break-inside: avoid; } }
        """

    private static let script = """
        const filter = document.getElementById('filter'), different = document.getElementById('different');
        const rows = [...document.querySelectorAll('tbody tr')], count = document.getElementById('count');
        function show() {
          const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
          let shown = 0;
          for (const row of rows) {
            const text = row.textContent.toLowerCase();
            const fits = words.every(word => text.includes(word))
              && (!different.checked || row.classList.contains('bad') || row.classList.contains('doubt'));
            row.hidden = !fits;
            if (fits) shown += 1;
          }
          count.textContent = shown + ' of ' + rows.length + ' rows';
        }
        filter.addEventListener('input', show);
        different.addEventListener('change', show);
        filter.form.addEventListener('submit', event => event.preventDefault());
        show();
        """

    /// Text that stands in a page as it is; what is no character to be seen is left out.
    static func escaped(_ text: String) -> String {
        var kept = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": kept += "&amp;"
            case "<": kept += "&lt;"
            case ">": kept += "&gt;"
            case "\"": kept += "&quot;"
            case "'": kept += "&#39;"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": kept += " "
            default: kept.unicodeScalars.append(scalar)
            }
        }
        return kept
    }
}
