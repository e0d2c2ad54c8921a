internal import PaymentSystem

/// The words of this process's command line, as bytes: Swift makes two words that are no text into the same one.
enum RawArguments {
    /// A word that is no text; its place is counted from 1 behind the program's name.
    struct NoText: Error { let place: Int }

    /// Every word behind the program's name.
    static func read() throws(NoText) -> [String] {
        let argv = unsafe CommandLine.unsafeArgv
        var words: [String] = []
        var place = 1
        while place < CommandLine.argc, let word = unsafe argv[place] {
            guard let text = unsafe String(validatingCString: word) else { throw NoText(place: place) }
            words.append(text)
            place += 1
        }
        return words
    }
}
