internal import PaymentBase
internal import PaymentConformance

/// How a report is written.
enum ReportFormat: String, CaseIterable {
    case html, json, xml, md, txt

    /// The format of a file, by the end of its name.
    init?(fileName: String) {
        guard let ending = fileName.split(separator: ".").last, let format = Self(rawValue: String(ending)) else {
            return nil
        }
        self = format
    }

    /// A report in this format; nil when it could not be written.
    func bytes(_ report: Report) -> [UInt8]? {
        switch self {
        case .html: Array(report.html.utf8)
        case .json: report.json.bytes()
        case .xml: JUnitReport.bytes(report)
        case .md: Array(report.markdown.utf8)
        case .txt: Array((report.text + "\n").utf8)
        }
    }
}
