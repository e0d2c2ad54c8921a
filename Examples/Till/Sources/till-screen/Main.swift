import AllProviders
import PaymentSimulator
import Payments
import PhoneTill
import TillDisplay

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The till's screen in a terminal. Each new screen takes the place of the one before; without a terminal they follow each other.
@main struct Main {
    static func main() async throws {
        let provider = MemoryBackend(clock: SystemClock())
        let reader = SimulatedReader(clock: SystemClock(), card: nil)
        let payments = try await PaymentClient.open(configuration: "providers.json") {
            $0.transport = InProcessTransport(to: provider)
            $0.reader = reader
            $0.journal = .memory
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let console = TillConsole(Till(payments), reader) { lines in
            print(isTerminal ? "\u{1B}[2J\u{1B}[H" : "", terminator: "")
            for line in lines { print(line) }
            if isTerminal { print(TillConsole.help) }
            fflush(nil)
        }
        await console.start()
        // The keyboard waits on a thread of its own.
        let (lines, typed) = AsyncStream.makeStream(of: String.self)
        _ = Task.detached {
            while let line = readLine() { typed.yield(line) }
            typed.finish()
        }
        for await line in lines where await !console.obey(line) { break }
    }
}
