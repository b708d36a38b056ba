import Glibc
import Notation

/// The machine of a measured run; figures of different machines are not comparable.
package struct MachineFacts: Hashable, Sendable {
    /// The model name of the processor; empty if the kernel does not report it.
    package var cpu: String
    /// The cores that this process may use, possibly fewer than the machine has.
    package var cores: Int
    package var memoryBytes: Int
    /// The kernel's name and release, such as `Linux 6.1.0`.
    package var kernel: String
    /// The architecture, such as `x86_64` or `aarch64`.
    package var architecture: String

    /// Queries the kernel, with three small reads.
    package static func current() -> MachineFacts {
        let (kernel, architecture) = kernelNames()
        return MachineFacts(
            cpuInfo: ProcFile.text("/proc/cpuinfo") ?? "",
            memoryInfo: ProcFile.text("/proc/meminfo") ?? "",
            cores: availableCores, kernel: kernel, architecture: architecture)
    }

    /// Parses the texts of the kernel's files; missing facts are empty or zero.
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

    /// The number of processors in this process's affinity mask; at least one.
    package static var availableCores: Int {
        ProcFile.text("/proc/self/status").flatMap(allowedCores)
            ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// Returns the number of bits in the affinity mask of a process's status text, or nil.
    package static func allowedCores(_ status: String) -> Int? {
        guard let mask = ProcFile.field("Cpus_allowed", in: status) else { return nil }
        let count = mask.utf8.reduce(0) { count, byte in
            count + (Hexadecimal.value(of: byte)?.nonzeroBitCount ?? 0)
        }
        return count > 0 ? count : nil
    }

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
