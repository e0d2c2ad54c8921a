internal import PaymentBase

extension ReportDocument {
    /// The report as one page of HTML that needs nothing else: tables that can be filtered, light and dark, printed and
    /// used by keyboard.
    package var html: String { page.html }

    private var page: Markup {
        let sections = parts.enumerated().map { Self.section($1, number: $0) }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; \
            style-src 'sha256-\(Self.styleDigest)'; script-src 'sha256-\(Self.scriptDigest)'">
            <title>\(title)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(verdictLines)
            <form class="filter" role="search">
            <label for="filter">Show only what has</label> <input id="filter" type="search" autocomplete="off">
            <label><input id="different" type="checkbox"> only what differs, failed or is open</label>
            <output id="count" for="filter different" aria-live="polite"></output>
            </form>
            \(contents)
            \(sections, lines: true)
            <p id="nothing" hidden>Nothing fits the filter.</p>
            </main>
            <script>
            \(Self.script)
            </script>
            </body>
            </html>

            """
    }

    private var verdictLines: Markup {
        let lines = verdict.map { "<p>\($0)</p>" as Markup }
        let known = facts.isEmpty ? "" : Self.list(facts)
        return "<div class=\"verdict \(mood.rawValue)\">\n\(lines, lines: true)\n</div>\n\(known)"
    }

    /// What the page has, where it can't be seen at once.
    private var contents: Markup {
        if parts.count < 4 { return "" }
        let items = parts.enumerated().map { "<li><a href=\"#t\($0)\">\($1.title)</a></li>" as Markup }
        return """
            <nav aria-label="Contents"><details><summary>Contents: \(parts.count) parts</summary>
            <ul>\(items, lines: true)</ul></details></nav>
            """
    }

    private static func section(_ part: Part, number: Int) -> Markup {
        // The region of a table has the name already, and two landmarks with one name can't be distinguished.
        let (inner, name): (Markup, Markup) =
            switch part {
            case .table(let table): (piece(table, number), "")
            case .cases(_, let cases):
                (
                    "\(cases.enumerated().map { piece($1, "c\(number)-\($0)") }, lines: true)",
                    " aria-labelledby=\"t\(number)\""
                )
            }
        return """
            <section\(name)>
            <h2 id="t\(number)" tabindex="-1">\(part.title)</h2>
            \(inner)
            </section>
            """
    }

    /// A table; its roles are said, since a browser forgets them where the rows are no rows of a table on a small screen.
    private static func piece(_ table: Table, _ number: Int) -> Markup {
        let head = table.head.map { "<th role=\"columnheader\" scope=\"col\">\($0)</th>" as Markup }
        let rows = table.rows.map { row -> Markup in
            let cells = zip(row.cells, table.head).enumerated().map { index, pair -> Markup in
                let (cell, name) = pair
                if index == 0 { return "<th role=\"rowheader\" scope=\"row\">\(piece(cell))</th>" }
                let mood: Markup = cell.mood == .plain ? "" : " class=\"\(cell.mood.rawValue)\""
                return "<td role=\"cell\"\(mood) data-head=\"\(name)\">\(piece(cell))</td>"
            }
            return "<tr role=\"row\" class=\"\(row.mood.rawValue)\">\(cells)</tr>"
        }
        let about: Markup = table.about.isEmpty ? "" : "<p>\(table.about)</p>\n"
        let kind: Markup = table.isMatrix ? " class=\"matrix\"" : ""
        return """
            \(about)<div class="wide" role="region" aria-labelledby="t\(number)" tabindex="0">
            <table role="table" aria-labelledby="t\(number)"\(kind)>
            <thead role="rowgroup"><tr role="row">\(head)</tr></thead>
            <tbody role="rowgroup">
            \(rows, lines: true)
            </tbody></table>
            </div>
            """
    }

    private static func piece(_ cell: Cell) -> Markup {
        let lines = cell.lines.count > 1 ? cell.lines.filter { !$0.isEmpty } : cell.lines
        let text = lines.enumerated().map { $0 == 0 ? "\($1)" : "<br>\($1)" as Markup }
        let spoken: Markup = cell.spoken.isEmpty ? "" : "<span class=\"unseen\"> \(cell.spoken)</span>"
        guard let target = cell.target else { return "\(text)\(spoken)" }
        return "<a href=\"#\(anchor(target))\">\(text)\(spoken)</a>"
    }

    private static func list(_ facts: [(name: String, text: String)]) -> Markup {
        // The name of a member is broken behind its dots rather than anywhere.
        let lines = facts.map { fact -> Markup in
            let parts = fact.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let name = parts.enumerated().map { $0 == 0 ? "\($1)" : ".<wbr>\($1)" as Markup }
            return "<dt>\(name)</dt><dd>\(fact.text)</dd>"
        }
        return "<dl>\(lines, lines: true)</dl>"
    }

    private static func piece(_ one: Case, _ id: String) -> Markup {
        let anchor = anchor(one.title)
        return """
            <article class="case \(one.mood.rawValue)" aria-labelledby="\(anchor)">
            <h3 id="\(anchor)" tabindex="-1">\(one.title)</h3>
            <div class="sides">
            \(list(one.facts))
            \(piece(one.picture, id))
            </div>
            </article>
            """
    }

    private static func piece(_ picture: ReportPicture, _ id: String) -> Markup {
        if picture.steps.isEmpty {
            return "<figure><figcaption>\(picture.title)</figcaption><p>\(picture.otherwise)</p></figure>"
        }
        let steps = picture.steps.prefix(ReportPicture.stepsMax).map { step -> Markup in
            let when: Markup = step.when.isEmpty ? "" : "<time>\(step.when)</time> "
            return "<li class=\"\(step.mood.rawValue)\">\(when)\(step.words)</li>"
        }
        let count = picture.steps.count - steps.count
        let more: Markup = count > 0 ? "<p>and \(count) more</p>" : ""
        return """
            <figure><figcaption>\(picture.title)</figcaption>
            <div class="drawn">
            \(picture.lanes.isEmpty ? "" : picture.svg(id))
            <ol>\(steps, lines: true)</ol>
            </div>\(more)</figure>
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
}

extension ReportDocument {
    /// The SHA-256 of what is between the tags of style and script, by which a page's policy knows its own. A test says
    /// what they are when one of the two changes.
    static let styleDigest = "Aa61IyHBEstKbgCtclpyew5SNE1Nyc0q4DyhIg3OhnU="
    static let scriptDigest = "NNjELp64fMnJeIQNgDoVzA1o59YO9TMS3Uc4M26rqZ8="

    /// How every page looks.
    static let style: Markup = """
        :root { color-scheme: light dark; --ink: #1b1b1f; --soft: #55555f; --paper: #ffffff; --line: #c6c6d0;
          --good: #14602a; --bad: #9c1218; --doubt: #7a4a00; --tint: #f3f3f7; --link: #0b4fbd; --badtint: #fdeeee;
          --goodtint: #edf7ef; }
        @media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --soft: #b4b4be; --paper: #17171b; --line: #4a4a55;
          --good: #7fd99a; --bad: #ff9a94; --doubt: #f0c070; --tint: #222228; --link: #9dc0ff; --badtint: #331d20;
          --goodtint: #182a1e; } }
        * { box-sizing: border-box; } [hidden] { display: none !important; }
        body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; margin: 0; color: var(--ink);
          background: var(--paper); }
        main { max-width: 80rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
        h3 { font-size: 1.05rem; margin: 0 0 .6rem; } a { color: var(--link); }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid var(--line); padding: .35rem .7rem; text-align: left; vertical-align: top; }
        table { overflow-wrap: break-word; } thead th { white-space: nowrap; } tbody th { min-width: 7rem; }
        thead th { background: var(--tint); } tbody th { font-weight: 600; } tbody tr:hover { background: var(--tint); }
        .matrix tbody th { font: 600 .9rem/1.67 ui-monospace, "DejaVu Sans Mono", monospace; }
        .verdict { padding: .5rem .8rem; border-left: .3rem solid; margin: .5rem 0; } .verdict p { margin: .2rem 0; }
        .verdict p:first-child { font-weight: 600; } .verdict + dl { margin: 1rem 0; }
        .verdict.good { background: var(--goodtint); border-color: var(--good); }
        .verdict.bad { background: var(--badtint); border-color: var(--bad); }
        .verdict.doubt { background: var(--tint); border-color: var(--doubt); }
        .good > th, td.good, td.good a, .good > p:first-child, li.good { color: var(--good); }
        .bad > th, td.bad, td.bad a, .bad > p:first-child, li.bad { color: var(--bad); }
        .doubt > th, td.doubt, td.doubt a, .doubt > p:first-child, li.doubt { color: var(--doubt); }
        tr.bad > th::before { content: "✗ "; } tr.good > th::before { content: "✓ "; }
        tr.doubt > th::before { content: "? "; }
        .filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; padding: .7rem .8rem;
          background: var(--tint); border-radius: .4rem; }
        input[type=search] { font: inherit; flex: 1 1 10rem; min-width: 0; max-width: 24rem; padding: .25rem .5rem; }
        input[type=checkbox] { width: 1.1rem; height: 1.1rem; vertical-align: -.15rem; } output { color: var(--soft); }
        nav ul { columns: 18rem; padding-left: 1.2rem; } summary { cursor: pointer; }
        .case { border: 1px solid var(--line); border-left: .3rem solid var(--soft); border-radius: .4rem; padding: .8rem 1rem;
          margin: 1rem 0; }
        .case.bad { border-left-color: var(--bad); } .case.good { border-left-color: var(--good); }
        .case.doubt { border-left-color: var(--doubt); }
        .sides { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 1rem 2rem; }
        dl { margin: 0; display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .2rem 1rem;
          align-content: start; align-items: baseline; } dt { color: var(--soft); font-size: .9rem; } dd { margin: 0; }
        figure { margin: 0; } figcaption { color: var(--soft); font-size: .9rem; margin-bottom: .3rem; }
        .drawn { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: flex-start; }
        .drawn ol { flex: 1 1 14rem; min-width: 0; margin: 0; padding-left: 2.2rem; } .drawn time { color: var(--soft); }
        .ladder { flex: none; max-width: 100%; height: auto; font: 12px system-ui, "DejaVu Sans", sans-serif; }
        .ladder text { text-anchor: middle; fill: var(--ink); } .ladder .lane { font-weight: 600; }
        .ladder line, .ladder path { stroke: currentColor; fill: none; stroke-width: 1.5; }
        .ladder .life { stroke: var(--line); stroke-dasharray: 3 3; } .ladder circle { fill: currentColor; }
        .ladder .inside { fill: var(--paper); } .ladder .hole { fill: var(--paper); stroke: currentColor; }
        .ladder .plain { color: var(--soft); } .ladder .good { color: var(--good); }
        .ladder .bad { color: var(--bad); } .ladder .doubt { color: var(--doubt); }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        @media (max-width: 42rem) {
          .sides { grid-template-columns: minmax(0, 1fr); } .sides dl { display: block; } .sides dd { margin-bottom: .4rem; }
          .wide { overflow-x: visible; }
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          table { overflow-wrap: anywhere; } table, tbody, tr, th, td { display: block; } tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
          th, td { border: 0; padding: .15rem 0; }
          td::before { content: attr(data-head) ": "; color: var(--soft); font-size: .9rem; }
          td:has(br)::before { display: block; } td:empty { display: none; } .matrix tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
          .matrix tbody th { flex: 1 0 100%; }
        }
        @media print { .filter, nav { display: none; } .wide { overflow: visible; }
          tr, .case { break-inside: avoid; } h2, h3 { break-after: avoid; } }
        """

    /// What the filter does; without it everything is shown.
    static let script: Markup = """
        const filter = document.getElementById('filter'), different = document.getElementById('different');
        const rows = [...document.querySelectorAll('tbody tr, .case')], count = document.getElementById('count');
        const texts = rows.map(row => row.textContent.toLowerCase());
        const wanted = rows.map(row => row.classList.contains('bad') || row.classList.contains('doubt'));
        const sections = [...document.querySelectorAll('section')];
        function show() {
          const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
          let shown = 0;
          rows.forEach((row, index) => {
            const fits = words.every(word => texts[index].includes(word)) && (!different.checked || wanted[index]);
            row.hidden = !fits;
            if (fits) shown += 1;
          });
          for (const section of sections) {
            section.hidden = !section.querySelector('tbody tr:not([hidden]), .case:not([hidden])');
          }
          count.textContent = shown + ' of ' + rows.length + ' rows';
          document.getElementById('nothing').hidden = shown > 0;
        }
        filter.addEventListener('input', show);
        different.addEventListener('change', show);
        filter.form.addEventListener('submit', event => event.preventDefault());
        document.addEventListener('keydown', event => {
          if (event.key !== '/' || event.target.matches('input')) return;
          event.preventDefault();
          filter.focus();
        });
        show();
        """
}
