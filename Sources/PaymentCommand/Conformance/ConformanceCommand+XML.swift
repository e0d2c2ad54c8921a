internal import CXML
internal import PaymentConformance

/// A report as JUnit XML, written by libxml2 so that whatever stands in a text is escaped.
enum JUnitReport {
    /// The document; nil when the library fails.
    static func bytes(_ report: Report) -> [UInt8]? {
        guard let buffer = unsafe xmlBufferCreate() else { return nil }
        defer { unsafe xmlBufferFree(buffer) }
        guard let writer = unsafe xmlNewTextWriterMemory(buffer, 0) else { return nil }
        let isWritten = unsafe write(report, writer)
        unsafe xmlFreeTextWriter(writer)
        guard isWritten, let content = unsafe xmlBufferContent(buffer) else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(buffer))))
    }

    private static func write(_ report: Report, _ writer: xmlTextWriterPtr) -> Bool {
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
        for provider in report.providers {
            let faults = provider.faults?.problems ?? []
            let failures = provider.count(.failed) + (faults.isEmpty ? 0 : 1)
            let tests = provider.results.count + (provider.faults == nil ? 0 : 1)
            let skipped = provider.count(.notApplicable) + provider.count(.waived)
            open(
                "testsuite",
                [
                    ("name", provider.id), ("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "0"),
                    ("skipped", "\(skipped)"),
                ])
            for result in provider.results {
                open(
                    "testcase", [("name", result.id), ("classname", "\(provider.id).\(result.check.family.rawValue)")])
                switch result.status {
                case .passed: break
                case .failed:
                    open("failure", [("message", result.detail)])
                    text(result.exchanges.joined(separator: "\n"))
                    close()
                case .notApplicable, .waived:
                    open("skipped", [("message", result.detail)])
                    close()
                }
                close()
            }
            if provider.faults != nil {
                open("testcase", [("name", "fault.walk"), ("classname", "\(provider.id).fault")])
                if !faults.isEmpty {
                    open("failure", [("message", "\(faults.count) cases")])
                    text(faults.joined(separator: "\n"))
                    close()
                }
                close()
            }
            close()
        }
        close()
        return unsafe xmlTextWriterEndDocument(writer) >= 0 && isFine
    }

    /// A text without what XML can't hold.
    private static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { scalar in
                    scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                        || "\t\n\r".unicodeScalars.contains(scalar)
                }))
    }
}
