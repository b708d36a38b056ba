import Glibc
import Notation

/// The resources used so far by the process and by the children it waited for.
package struct ProcessUsage: Hashable, Sendable {
    /// The CPU time in user mode, over all cores.
    package var userSeconds: Double
    package var systemSeconds: Double
    /// The peak memory in bytes, of this process or of its largest child.
    package var peakResidentBytes: Int
    /// Page faults without disk access.
    package var minorFaults: Int
    /// Page faults with disk access.
    package var majorFaults: Int

    package var cpuSeconds: Double { userSeconds + systemSeconds }

    /// Returns the usage of this process and its terminated children.
    package static func current() -> ProcessUsage {
        var usage = of(RUSAGE_SELF.rawValue)
        let children = of(RUSAGE_CHILDREN.rawValue)
        usage.userSeconds += children.userSeconds
        usage.systemSeconds += children.systemSeconds
        usage.peakResidentBytes = max(usage.peakResidentBytes, children.peakResidentBytes)
        usage.minorFaults += children.minorFaults
        usage.majorFaults += children.majorFaults
        return usage
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("cpu_seconds", (cpuSeconds * 1e6).rounded() / 1e6)
        writer.member("user_seconds", (userSeconds * 1e6).rounded() / 1e6)
        writer.member("system_seconds", (systemSeconds * 1e6).rounded() / 1e6)
        writer.member("peak_resident_bytes", peakResidentBytes)
        writer.member("minor_faults", minorFaults)
        writer.member("major_faults", majorFaults)
        writer.endObject()
    }

    private static func of(_ whom: Int32) -> ProcessUsage {
        var usage = rusage()
        _ = unsafe getrusage(whom, &usage)
        return ProcessUsage(
            userSeconds: seconds(usage.ru_utime), systemSeconds: seconds(usage.ru_stime),
            peakResidentBytes: usage.ru_maxrss &* 1024, minorFaults: usage.ru_minflt,
            majorFaults: usage.ru_majflt)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
