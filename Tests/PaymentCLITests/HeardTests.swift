import Foundation
import PaymentTestPrograms
import Testing

/// What a program says when its own line, its answer or its time is cut off, as a shell sees it.
@Suite struct HeardTests {
    /// A shell in a folder of its own, where `P` is the program and every call has a state of its own there.
    private func shell(_ line: String) throws -> (code: Int32, output: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try TestProgram.run(
            "/bin/bash", ["-c", "P() { \"$PAYCTL\" \"$@\" --state s; }\n" + line], in: folder.path,
            environment: ProcessInfo.processInfo.environment.merging(["PAYCTL": try SandboxProcess.program().path]) {
                $1
            })
        return (run.code, run.output, run.errors)
    }

    @Test func whatIsNoTextIsRefusedBeforeAnythingElse() throws {
        let run = try shell(#"P sale 1 EUR --reference $'order-\xe9'"#)
        #expect(run.code == 2 && run.errors.contains("argument 5 is no UTF-8"), "\(run)")
        let two = try shell(
            #"P sale 1 EUR --reference $'order-\xc3\xa9' && P list --format json | grep -c order-"#)
        #expect(two.code == 0 && two.output.hasSuffix("1\n"), "\(two)")
    }

    @Test(arguments: [">/dev/full", ">&-", "> >(exec true)"])
    func anAnswerThatNobodyReadIsNotHeard(_ place: String) throws {
        let line = "P sale 10 EUR --reference r1 --attempt a1 --format json"
        let wait = place.contains("true") ? "; sleep 0.2" : ""
        let run = try shell(
            "P list >/dev/null; exec 9>&1; { \(line) \(place.isEmpty ? "" : place); }; echo $? >&9\(wait)")
        // A pipe's reader may still be there for the first line.
        if place.contains("true"), run.output == "0\n" { return }
        #expect(run.output == "3\n", "\(run)")
        #expect(run.errors.contains("the answer could not be written"), "\(run)")
        #expect(run.errors.contains("status --attempt a1"), "\(run)")
    }

    @Test func theSameLineIsRefusedAfterAnAnswerThatNobodyRead() throws {
        let run = try shell(
            """
            P sale 10 EUR --reference r1 >/dev/full 2>/dev/null; echo $?
            P sale 10 EUR --reference r1; echo $?
            P refund r1 1 >/dev/full 2>/dev/null; echo $?
            P refund r1 1; echo $?
            P list --format json | grep -o '"refunded":{"minorUnits":[0-9]*' || P show r1
            """)
        #expect(run.output.hasPrefix("3\n5\n3\n5\n"), "\(run)")
        #expect(
            run.errors.contains("Nothing was charged now") && run.errors.contains("Nothing was refunded now"), "\(run)")
    }

    @Test func whatMovesNothingAndIsNotReadIsStatusTwo() throws {
        let run = try shell(
            """
            P sale 10 EUR --card declined --reference r1 >/dev/full; echo $?
            P list >/dev/full; echo $?
            P journal export >/dev/full; echo $?
            "$PAYCTL" --help >/dev/full; echo $?
            P list | head -0; echo ${PIPESTATUS[0]} | grep -v 13[0-9]
            """)
        #expect(run.output.hasPrefix("2\n2\n2\n2\n"), "\(run)")
        #expect(run.errors.contains("no space is left there"), "\(run)")
    }

    @Test func whoIsToldToStopSaysHowFarItCame() throws {
        let open = try shell(
            """
            P sale 1 EUR --reference r0 >/dev/null 2>&1
            P sandbox fault reply.never --provider memory --times 50 --path /payments >/dev/null
            "$PAYCTL" sale 10 EUR --attempt the-attempt --reference r1 --state s & p=$!
            # Told only when the simulated provider has it, however busy the machine is.
            for i in $(seq 600); do sleep 0.1; grep -q the-attempt s/companies.json && break; done
            kill -TERM $p; wait $p; echo $?
            """)
        #expect(open.output == "3\n" && open.errors.contains("status --attempt the-attempt"), "\(open)")
        #expect(open.errors.contains("payctl recover"), "\(open)")
        let before = try shell(
            """
            P list >/dev/null 2>&1; mkdir -p s; exec 9>s/companies.lock; flock 9
            "$PAYCTL" sale 10 EUR --attempt a1 --reference r1 --state s 9>&- & p=$!
            sleep 1; kill -INT $p; kill -TERM $p; wait $p; echo $?
            """)
        #expect(["4\n", "143\n"].contains(before.output), "\(before)")
    }

    @Test func theTimeThatIsGivenCoversTheWaitForTheState() throws {
        let run = try shell(
            """
            mkdir -p s; exec 9>s/companies.lock; flock 9
            P sale 10 EUR --within 1 --reference r1 9>&-; echo $?
            """)
        #expect(run.output == "4\n" && run.errors.contains("timedOut"), "\(run)")
    }
}
