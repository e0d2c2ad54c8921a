import PaymentLinux
import Testing

@Suite struct PrivateMemoryTests {
    @Test func onceBegunNoDumpCanBeWritten() {
        let memory = PrivateMemory()
        #expect(memory.activate() && memory.isActive)
    }
}
