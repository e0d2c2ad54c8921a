import PaymentBase
import PaymentCore
import PaymentTelemetry
import PaymentTestTill
import PaymentTransport
import Testing

@Suite struct TelemetrySnippet {
    @Test func telemetry() async throws {
        let transport = FixedTransport { _ in HTTPResponse(200) }
        let exporter = OTLPExporter(to: Origin(.http, "127.0.0.1", 4318), over: transport, clock: SystemClock())
        let sending = Task { await exporter.run() }
        var dependencies = ClientOptions(journal: .memory)
        dependencies.observer = exporter
        #expect(dependencies.observer != nil)
        sending.cancel()
        await sending.value
        #expect(exporter.droppedCount == 0)
    }
}
