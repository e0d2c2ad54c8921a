internal import Glibc

/// How a program ended.
public enum ProgramEnd: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)

    /// Takes away a program that has ended, as its number says.
    init(takingAway number: pid_t) {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }
}
