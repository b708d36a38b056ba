import Glibc
import Notation

/// What the process, and the children it waited for, took from the machine so far.
package struct ProcessUsage: Hashable, Sendable {
    /// Time in our own code, over all cores.
    package var userSeconds: Double
    /// Time the kernel spent for us.
    package var systemSeconds: Double
    /// The most memory held at once, in bytes: of this process, or of the largest child.
    package var peakResidentBytes: Int
    /// Page faults that needed no disk.
    package var minorFaults: Int
    /// Page faults that did.
    package var majorFaults: Int

    /// Both together.
    package var cpuSeconds: Double { userSeconds + systemSeconds }

    /// This process together with its ended children.
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

    /// Memory held now with shared pages counted in part; nil where the kernel does not say.
    /// Costs a walk over the page tables, so not for every item.
    package static func proportionalBytes() -> Int? {
        ProcFile.text("/proc/self/smaps_rollup").flatMap { ProcFile.kilobytes("Pss", in: $0) }
    }

    /// One object with all figures.
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
