internal import CXML
internal import PaymentConformance

/// A report as JUnit XML, written by libxml2 so that whatever stands in a text is escaped.
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

        open("testsuites")
        for suite in suites {
            open(
                "testsuite",
                [
                    ("name", suite.name), ("tests", "\(suite.outcomes.count)"), ("failures", "\(suite.count(.failed))"),
                    ("errors", "0"), ("skipped", "\(suite.count(.skipped))"),
                ])
            for outcome in suite.outcomes {
                open("testcase", [("name", outcome.name), ("classname", outcome.className)])
                switch outcome.status {
                case .passed: break
                case .failed:
                    open("failure", [("message", outcome.message)])
                    text(outcome.lines.joined(separator: "\n"))
                    close()
                case .skipped:
                    open("skipped", [("message", outcome.message)])
                    close()
                }
                close()
            }
            close()
        }
        close()
        return unsafe xmlTextWriterEndDocument(writer) >= 0 && isFine
    }

    /// A text without what XML can't hold and what is not seen; lines stay lines.
    private static func clean(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { ReportDocument.seen(String($0)) }
            .joined(separator: "\n")
    }
}
