internal import CXML
package import PaymentBase
package import PaymentConformance

/// The files that `--report` names: one writer for whatever a command finds out.
struct ReportFiles {
    private let files: [(name: String, format: ReportFormat)]

    static let option = AcceptedArguments.Option.values(
        "report", "FILE", "writes .html, .json, .xml (JUnit), .md or .txt; may be given again")

    init(_ given: GivenArguments) throws(UsageError) {
        var files: [(name: String, format: ReportFormat)] = []
        for name in given.all("report") {
            guard let format = ReportFormat(fileName: name) else {
                throw UsageError(message: "\(name) ends in none of .html, .json, .xml, .md, .txt")
            }
            files.append((name, format))
        }
        self.files = files
    }

    /// Writes each file and then says the same as everywhere; what is written as JSON is what is said as JSON.
    func tell(
        _ call: Invocation, _ document: @autoclosure () -> ReportDocument, _ json: JSON, _ lines: [String],
        csv: @autoclosure () -> CSVText? = nil
    ) throws(UsageError) {
        for (name, format) in files {
            let text = lines.map(call.paint.without)
            guard let bytes = format.bytes(document(), json: call.formatted(json), text: text) else {
                throw UsageError(message: "\(name) can't be written")
            }
            try CommandFile.write(bytes, name)
        }
        call.say(json, lines, csv: csv())
    }
}

/// How a report is written.
package enum ReportFormat: String, CaseIterable {
    case html, json, xml, md, txt

    /// The format of a file, by the end of its name.
    package init?(fileName: String) {
        guard let ending = fileName.split(separator: ".").last, let format = Self(rawValue: String(ending)) else {
            return nil
        }
        self = format
    }

    /// A report in this format; nil when it could not be written.
    package func bytes(_ document: ReportDocument, json: JSON, text: [String]) -> [UInt8]? {
        switch self {
        case .html: Array(document.html.utf8)
        case .json: json.bytes()
        case .xml: JUnitReport.bytes(document.suites)
        case .md: Array(document.markdown.utf8)
        case .txt: text.flatMap { PrintedText($0).bytes() }
        }
    }
}

/// A report as JUnit XML, written by libxml2 so that whatever is in a text is escaped.
enum JUnitReport {
    /// The document; nil when the library fails.
    static func bytes(_ suites: [ReportDocument.Suite]) -> [UInt8]? {
        guard let buffer = unsafe xmlBufferCreate() else { return nil }
        defer { unsafe xmlBufferFree(buffer) }
        guard let writer = unsafe xmlNewTextWriterMemory(buffer, 0) else { return nil }
        let isWritten = unsafe write(suites, writer)
        unsafe xmlFreeTextWriter(writer)
        guard isWritten, let content = unsafe xmlBufferContent(buffer) else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(buffer))))
    }

    private static func write(_ suites: [ReportDocument.Suite], _ writer: xmlTextWriterPtr) -> Bool {
        var isFine = unsafe xmlTextWriterStartDocument(writer, nil, "UTF-8", nil) >= 0
        func open(_ name: String, _ attributes: [(String, String)] = []) {
            if unsafe xmlTextWriterStartElement(writer, name) < 0 { isFine = false }
            for (key, value) in attributes {
                if unsafe xmlTextWriterWriteAttribute(writer, key, clean(value)) < 0 { isFine = false }
            }
        }
        func close() { if unsafe xmlTextWriterEndElement(writer) < 0 { isFine = false } }
        func text(_ text: String) { if unsafe xmlTextWriterWriteString(writer, clean(text)) < 0 { isFine = false } }

        let now = Timestamp(milliseconds: SystemClock().now)?.text().prefix(19) ?? "1970-01-01T00:00:00"
        open("testsuites")
        for (index, suite) in suites.enumerated() {
            open(
                "testsuite",
                [
                    ("name", suite.name), ("package", "payments"), ("id", "\(index)"), ("timestamp", String(now)),
                    ("hostname", "localhost"), ("tests", "\(suite.outcomes.count)"),
                    ("failures", "\(suite.count(.failed))"), ("errors", "0"), ("skipped", "\(suite.count(.skipped))"),
                    ("time", "0"),
                ])
            open("properties")
            close()
            for outcome in suite.outcomes {
                // How long a check took by the simulated clock says nothing about this machine.
                open("testcase", [("name", outcome.name), ("classname", outcome.className), ("time", "0")])
                switch outcome.status {
                case .passed: break
                case .failed:
                    open("failure", [("message", outcome.message), ("type", "difference")])
                    text(outcome.lines.joined(separator: "\n"))
                    close()
                case .skipped:
                    open("skipped", [("message", outcome.message)])
                    close()
                }
                close()
            }
            for stream in ["system-out", "system-err"] {
                open(stream)
                close()
            }
            close()
        }
        close()
        return unsafe xmlTextWriterEndDocument(writer) >= 0 && isFine
    }

    /// A text without what XML can't hold and what is not seen; lines stay lines.
    private static func clean(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
            .joined(separator: "\n")
    }
}
