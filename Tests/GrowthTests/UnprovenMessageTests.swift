import Foundation
import PaymentTestPrograms
import Testing

/// What a message costs before anything proves that the provider sent it.
@Suite struct UnprovenMessageTests {
    private static let bytes = 96 * 1_024
    private static let memoryBytesMax = 1_024 * 1_024

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func unsignedMessage_of96KB_takesLessThanOneMegabyte(_ provider: String) throws {
        let run = try TestProgram.run(Self.program, ["memory", provider, "\(Self.bytes)"])
        #expect(run.code == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.count >= 14)
        for line in lines {
            let bytes = try #require(line.last.flatMap { Int($0) })
            #expect(bytes < Self.memoryBytesMax, "\(line.joined(separator: " ")) bytes")
        }
    }

    /// The program that lies beside the one that runs.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "growth").path
}
