import Glibc
import Notation

/// The machine a run was measured on; without these a number says nothing.
package struct MachineFacts: Hashable, Sendable {
    /// The name its maker gave the processor; empty where the kernel does not tell.
    package var cpu: String
    /// Cores this process may use, which can be fewer than the machine has.
    package var cores: Int
    /// All memory of the machine, used or not.
    package var memoryBytes: Int
    /// Name and release, such as `Linux 6.1.0`.
    package var kernel: String
    /// Such as `x86_64` or `aarch64`.
    package var architecture: String

    /// Asks the kernel; costs three small reads.
    package static func current() -> MachineFacts {
        let (kernel, architecture) = kernelNames()
        return MachineFacts(
            cpuInfo: ProcFile.text("/proc/cpuinfo") ?? "",
            memoryInfo: ProcFile.text("/proc/meminfo") ?? "",
            cores: availableCores, kernel: kernel, architecture: architecture)
    }

    /// The facts from the texts of the kernel's own files; what they lack is empty or zero.
    package init(
        cpuInfo: String, memoryInfo: String, cores: Int, kernel: String, architecture: String
    ) {
        cpu =
            ProcFile.field("model name", in: cpuInfo)
            ?? ProcFile.field("Hardware", in: cpuInfo) ?? ""
        self.cores = cores
        memoryBytes = ProcFile.kilobytes("MemTotal", in: memoryInfo) ?? 0
        self.kernel = kernel
        self.architecture = architecture
    }

    /// All memory of the machine; nil where the system does not say.
    package static var physicalMemory: Int? {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (bytes, overflow) = pages.multipliedReportingOverflow(by: size)
        return pages > 0 && size > 0 && !overflow ? bytes : nil
    }

    /// The mean number of processes that ran or waited to run in the last minute; 0 where the kernel
    /// does not tell.
    package static var load: Double {
        ProcFile.text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } ?? 0
    }

    /// The processors in the affinity mask of this process; at least one.
    package static var availableCores: Int {
        ProcFile.text("/proc/self/status").flatMap(allowedCores)
            ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// The bits that are set in the mask of a process's status text; nil where it has none.
    package static func allowedCores(_ status: String) -> Int? {
        guard let mask = ProcFile.field("Cpus_allowed", in: status) else { return nil }
        let count = mask.utf8.reduce(0) { count, byte in
            count + (Hexadecimal.value(of: byte)?.nonzeroBitCount ?? 0)
        }
        return count > 0 ? count : nil
    }

    /// One object with all facts.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("cpu", cpu)
        writer.member("cores", cores)
        writer.member("memory_bytes", memoryBytes)
        writer.member("kernel", kernel)
        writer.member("architecture", architecture)
        writer.endObject()
    }

    private static func kernelNames() -> (kernel: String, architecture: String) {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return ("", "") }
        let system = unsafe withUnsafeBytes(of: &names.sysname) { unsafe text($0) }
        let release = unsafe withUnsafeBytes(of: &names.release) { unsafe text($0) }
        let machine = unsafe withUnsafeBytes(of: &names.machine) { unsafe text($0) }
        return ("\(system) \(release)", machine)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
