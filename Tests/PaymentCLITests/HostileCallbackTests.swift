import Foundation
import PaymentTestPrograms
import PaymentTestTill
import Testing

/// Callbacks that anyone may send: how much memory the program takes before it refuses their signature.
@Suite(.serialized) struct HostileCallbackTests {
    /// How much the program may take at most, in kibibytes.
    private static let kibibytesMax = 100 * 1_024

    @Test(arguments: HostileMessage.allCases, [48 * 1_024, 1_000_000])
    func callback_unsignedAndHostile_takesLittleMemory(shape: HostileMessage, bytes: Int) throws {
        let key = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(
            FileManager.default.createFile(
                atPath: key.path, contents: Data("made-up".utf8), attributes: [.posixPermissions: 0o600]))
        defer { try? FileManager.default.removeItem(at: key) }
        let program = try TestProgram(
            try SandboxProcess.program().path,
            ["webhook", "ecommpay", "--key", "file:\(key.path)", "--merchant", "1234", "-"])
        #expect(program.write(shape.body(bytes, signature: HostileMessage.wellFormedSignature)))
        program.closeInput()
        // The mark never sinks, and the process ends some time after it has printed its answer.
        var peak = 0
        while program.isRunning { peak = max(peak, Self.highWaterMark(of: program.processIdentifier) ?? 0) }
        let run = program.finish()
        #expect(run.code == 1 && run.output.hasPrefix("not verified"), "\(run)")
        #expect((1...Self.kibibytesMax).contains(peak), "\(peak) KiB")
    }

    /// The most memory that a process had so far, in kibibytes; nil when it has ended.
    private static func highWaterMark(of process: Int32) -> Int? {
        let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
