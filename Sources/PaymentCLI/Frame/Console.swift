package import PaymentBase
internal import PaymentSystem

/// Where a command writes: data to one place, everything else to another.
public struct Console: Sendable {
    /// Writes a line of data.
    public let out: @Sendable (String) -> Void
    /// Writes a line of anything else.
    public let error: @Sendable (String) -> Void

    /// Gives everything that comes in on standard input.
    public let input: @Sendable () -> [UInt8]
    /// Asks a person and gives the answer without its line's end; nil without a terminal.
    public let ask: (@Sendable (String) -> String?)?
    /// Whether the terminal shows colours.
    public let showsColors: Bool
    /// Whether a terminal shows progress.
    public let showsProgress: Bool
    /// How many characters a line of the terminal has; nil without a terminal.
    public let columns: Int?
    /// Why a line of data could not be written, by the system's number; nil while every one was.
    var failure: @Sendable () -> Int32? = { nil }
    /// Whether it is that of this process, which signals may end.
    var isOfProcess = false
    /// What the limits of commands are measured by.
    package var clock: any PaymentClock = SystemClock()

    /// The most that is read from standard input, in bytes.
    public static let inputBytesMax = 16 * 1_024 * 1_024

    /// Makes a console of functions, which get one line at a time; what is no character to be seen comes written out.
    public init(
        out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
        input: @escaping @Sendable () -> [UInt8] = { [] }, ask: (@Sendable (String) -> String?)? = nil,
        showsColors: Bool = false, showsProgress: Bool = false, columns: Int? = nil
    ) {
        self.init(
            lines: { out($0.text) }, notes: { error($0.text) }, input: input, ask: ask, showsColors: showsColors,
            showsProgress: showsProgress, columns: columns)
    }

    private init(
        lines out: @escaping @Sendable (PrintedText) -> Void, notes error: @escaping @Sendable (PrintedText) -> Void,
        input: @escaping @Sendable () -> [UInt8], ask: (@Sendable (String) -> String?)?, showsColors: Bool,
        showsProgress: Bool, columns: Int?
    ) {
        self.out = { out(PrintedText($0, colours: showsColors)) }
        // Errors repeat what was typed, which may have been a card number or a credential in the wrong place.
        self.error = { error(PrintedText(MaskedMessage.of($0), colours: showsColors)) }
        (self.input, self.ask, self.columns) = (input, ask, columns)
        (self.showsColors, self.showsProgress) = (showsColors, showsProgress)
    }

    /// Writes our own text of several lines.
    func page(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { out(String(line)) }
    }

    /// Standard input, standard output and standard error.
    public static let standard: Console = {
        let failure = Locked<Int32?>(nil)
        var console = Console(
            lines: { line in
                // Behind what was lost nothing is of use.
                guard failure.withLock({ $0 }) == nil else { return }
                let code = isOutClosed.withLock { $0 } ? EBADF : write(line, 1)
                if code != 0 { failure.withLock { $0 = code } }
            }, notes: { _ = write($0, 2) }, input: { read() }, ask: asker,
            showsColors: isatty(1) == 1 && !isSet("NO_COLOR"), showsProgress: isatty(2) == 1, columns: width)
        console.failure = { failure.withLock { $0 } }
        console.isOfProcess = true
        return console
    }()

    /// Whether everything was written that was to be.
    var isOutputWritten: Bool { failure() == nil }

    private static let isOutClosed = Locked(false)

    /// Makes the process's streams safe to use: one that is closed becomes nowhere, so that no other file gets its
    /// number and an answer for its bytes, and a reader that is gone is an error of writing and not the end.
    static func begin() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in [Int32(0), 1, 2] where fcntl(descriptor, F_GETFD) == -1 {
            if descriptor == 1 { isOutClosed.withLock { $0 = true } }
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// Why a line could not be written, in words.
    var failureWords: String? {
        failure().map { code in
            switch code {
            case EPIPE: "its reader has gone"
            case ENOSPC, EDQUOT: "no space is left there"
            case EBADF: "standard output is closed"
            default: "the system failed with error \(code)"
            }
        }
    }

    /// Whether the reader of the output has closed it.
    var isLeft: Bool { failure() == EPIPE }

    /// How wide the terminal is, where there is one.
    private static var width: Int? {
        var size = winsize()
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// What asks a person, where one sits at a terminal.
    private static var asker: (@Sendable (String) -> String?)? {
        guard isatty(0) == 1, isatty(2) == 1 else { return nil }
        return { question in
            _ = write(PrintedText(question), 2)
            return readLine(strippingNewline: true)
        }
    }

    private static func isSet(_ name: String) -> Bool {
        guard let value = unsafe getenv(name) else { return false }
        return unsafe value.pointee != 0
    }

    private static func read() -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= inputBytesMax {
            let count = unsafe part.withUnsafeMutableBytes { buffer in
                unsafe PaymentSystem.read(0, buffer.baseAddress, buffer.count)
            }
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return bytes
    }

    /// Writes a line whole; the system's error, or 0.
    private static func write(_ line: PrintedText, _ descriptor: Int32) -> Int32 {
        var bytes = line.bytes()[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe PaymentSystem.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wait, 1, -1)
                continue
            }
            guard count > 0 else { return count < 0 ? errno : EIO }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}

/// How data is written on standard output.
enum OutputFormat: String, Sendable, CaseIterable {
    case text, json, csv
}
