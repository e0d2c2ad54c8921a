package import PaymentConformance

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
    package func bytes(_ document: ReportDocument, json: [UInt8], text: String) -> [UInt8]? {
        switch self {
        case .html: Array(document.html.utf8)
        case .json: json
        case .xml: JUnitReport.bytes(document.suites)
        case .md: Array(document.markdown.utf8)
        case .txt: Array(text.utf8)
        }
    }
}
