internal import PaymentBase
internal import PaymentConformance

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
        _ call: Invocation, _ document: @autoclosure () -> ReportDocument, _ json: JSON, _ lines: [String]
    ) throws(UsageError) {
        for (name, format) in files {
            let text = lines.map { PrintedText.line(call.paint.without($0)) + "\n" }.joined()
            guard let bytes = format.bytes(document(), json: call.versioned(json).bytes(), text: text) else {
                throw UsageError(message: "\(name) can't be written")
            }
            try CommandFile.write(bytes, name)
        }
        call.say(json, lines)
    }
}
