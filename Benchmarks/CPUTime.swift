import Foundation

/// How much CPU time the process has used, on all of its threads.
enum CPUTime {
    static var microseconds: Int64 {
        let usage = usage
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return (Int64(user.tv_sec) + Int64(system.tv_sec)) * 1_000_000 + Int64(user.tv_usec) + Int64(system.tv_usec)
    }

    /// How often a thread of the process has given its core away, to wait or because it had to.
    static var switches: Int64 {
        let usage = usage
        return Int64(usage.ru_nvcsw) + Int64(usage.ru_nivcsw)
    }

    private static var usage: rusage {
        var usage = rusage()
        let code = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        precondition(code == 0, "the system counts no time")
        return usage
    }
}
