import Foundation

/// How much CPU time the process has used, on all of its threads.
enum CPUTime {
    static var microseconds: Int64 {
        var usage = rusage()
        let code = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        precondition(code == 0, "the system counts no time")
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return (Int64(user.tv_sec) + Int64(system.tv_sec)) * 1_000_000 + Int64(user.tv_usec) + Int64(system.tv_usec)
    }
}
