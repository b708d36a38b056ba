import CShims
import Glibc

/// A worker process, as its keeper holds it.
final class Cell: Sendable {
    /// Tells cells apart; the numbers of processes are used again.
    let serial: Int
    let process: pid_t
    let region: SharedRegion
    private let line: Int32

    /// Starts a process; it dies with the calling thread.
    init(serial: Int, settings: CellSettings, theme: [UInt8]) throws(CellFault) {
        var ends: [Int32] = [-1, -1]
        guard
            unsafe ends.withUnsafeMutableBufferPointer({ unsafe emb_cell_line($0.baseAddress) })
                == 0
        else { throw CellFault("socketpair") }
        let (ours, theirs) = (ends[0], ends[1])
        defer { close(theirs) }
        let count = SharedRegion.keptBytes
        let memory = emb_cell_region(count)
        guard memory >= 0 else {
            close(ours)
            throw CellFault("memfd_create")
        }
        do throws(WireDamage) {
            region = try SharedRegion(owning: memory, count: count)
            try region.reserve(theme.count)
            try region.write(theme.span, at: 0)
        } catch {
            close(ours)
            throw CellFault("mmap")
        }
        var process: pid_t = 0
        let libraries = unsafe getenv("LD_LIBRARY_PATH")
        let started = unsafe emb_cell_spawn(
            settings.program, CellWorker.word, libraries, theirs, memory, &process)
        guard started == 0 else {
            close(ours)
            throw CellFault("posix_spawn of \(settings.program)")
        }
        self.serial = serial
        self.process = process
        line = ours
        _ = send(
            .begin(
                mapped: region.count, themeBytes: theme.count, memoryBytes: settings.memoryBytes))
    }

    deinit { close(line) }

    /// What the thread waits on.
    var descriptor: Int32 { line }

    /// Never waits: a cell that does not take its messages is at fault.
    func send(_ letter: Letter) -> Bool {
        let bytes = letter.bytes
        return unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(line, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                == buffer.count
        }
    }

    /// What came over the line.
    enum Arrival {
        case report(CellReport)
        case nothing
        /// The other end is closed, or breaks the rules.
        case end
    }

    func receive() -> Arrival {
        var bytes = [UInt8](repeating: 0, count: CellReport.bytesLimit + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(line, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        guard count > 0 else {
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
        }
        guard count <= CellReport.bytesLimit else { return .end }
        bytes.removeLast(bytes.count - count)
        do throws(WireDamage) {
            return .report(try CellReport(bytes))
        } catch {
            return .end
        }
    }
}

/// Why no process could be started.
struct CellFault: Error {
    let text: String

    init(_ call: String) {
        let code = errno
        text = unsafe "\(call): \(String(cString: strerror(code)))"
    }
}
