internal import PaymentBase
internal import PaymentHTTPServer
internal import PaymentModel

/// The console: one page of static files over the public API, without a build step and without anything from elsewhere.
enum ConsoleFiles {
    /// A file by its name; nil if there is none.
    static func response(_ name: String) -> ServerResponse? {
        let (type, text): (String, String)
        switch name {
        case "": (type, text) = ("text/html; charset=utf-8", page)
        case "console.js": (type, text) = ("text/javascript; charset=utf-8", script)
        case "console.css": (type, text) = ("text/css; charset=utf-8", style)
        default: return nil
        }
        let fields = [
            HTTPField("Content-Type", type),
            HTTPField(
                "Content-Security-Policy",
                "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
            HTTPField("Referrer-Policy", "no-referrer"), HTTPField("X-Content-Type-Options", "nosniff"),
        ]
        return ServerResponse(200, fields, .bytes(Array(text.utf8)))
    }

    private static let page = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Payments</title>
        <link rel="stylesheet" href="console.css">
        <script src="console.js" defer></script>
        </head>
        <body>
        <header>
        <h1>Payments</h1>
        <nav aria-label="Screens">
        <a href="#decide">To decide</a>
        <a href="#payments">Payments</a>
        <a href="#till">Virtual till</a>
        <a href="#devices">Readers and providers</a>
        <button type="button" id="leave">Forget the key</button>
        </nav>
        </header>
        <p id="said" role="status"></p>
        <main id="place"></main>
        </body>
        </html>

        """

    private static let style = """
        :root { color-scheme: light dark; --line: light-dark(#8a8f98, #777d87); --link: light-dark(#0b57a4, #8fc1ff);
          --warn: light-dark(#9a1c1c, #ff9d9d); }
        body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 0 1rem 3rem; }
        header { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: baseline; }
        nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: baseline; padding-bottom: 0.5rem; }
        h1 { font-size: 1.25rem; margin: 0.5rem 0; }
        a { color: var(--link); }
        a[aria-current] { font-weight: bold; text-decoration: none; }
        button, input, select { font: inherit; padding: 0.35rem 0.75rem; min-height: 2.5rem; box-sizing: border-box; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .field { display: grid; gap: 0.15rem; margin: 0.5rem 0; max-width: 24rem; }
        .row { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: end; }
        .row button { margin: 0.5rem 0; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; }
        caption { text-align: left; font-weight: bold; padding: 0.75rem 0 0.25rem; }
        th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; }
        dd { margin: 0; }
        .attention { color: var(--warn); font-weight: bold; }
        #said { min-height: 1.5rem; font-weight: bold; }
        code { overflow-wrap: anywhere; }
        @media (max-width: 45rem) {
          thead { display: none; }
          table, caption, tbody, tr, td { display: block; }
          tr { border-bottom: 1px solid var(--line); padding: 0.35rem 0; }
          td { border: 0; padding: 0.1rem 0; }
          td::before { content: attr(data-head) ": "; font-weight: bold; }
        }

        """
}

extension OperationTable {
    /// The console's files; they are no part of the API's description.
    static let console: [Operation] = [
        Operation(
            id: "console", summary: "Shows the console.", method: "GET", path: "/console/", effect: .reads, role: nil,
            parameters: [], result: AnyShape(name: "Page", schema: [:]), refusals: [],
            work: .receives { _, _ in try file("") }, isDescribed: false),
        Operation(
            id: "consoleFile", summary: "Gives a file of the console.", method: "GET", path: "/console/{file}",
            effect: .reads, role: nil, parameters: Takes().needs(.file).parameters,
            result: AnyShape(name: "Page", schema: [:]), refusals: [],
            work: .receives { call, _ in try file(try call.input.need(.file)) }, isDescribed: false),
    ]

    private static func file(_ name: String) throws(Problem) -> ServerResponse {
        guard let response = ConsoleFiles.response(name) else { throw .notFound("file") }
        return response
    }
}

extension Parameter where Value == String {
    fileprivate static let file = Parameter("file", .token, "The file's name.", example: "console.js")
}
