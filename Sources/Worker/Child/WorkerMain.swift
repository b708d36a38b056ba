import Artwork
import CSandbox
import Codecs
import Glibc
import Render
import Theming

/// The main function of a worker process.
package enum WorkerMain {
    /// The first argument that turns the program into a worker.
    package static let word = "__worker"

    /// The memory beyond the grant of an image, for parsed drawings and encoder buffers.
    static let slackBytes = 160 << 20

    /// The memory of the whole process beyond the memory for decoding, as a hard limit: large
    /// canvases do not count as decoding.
    private static let capBytes = 1 << 30

    /// The exit status if the program was not started by a keeper, for example if a person typed
    /// `word`.
    private static let notAWorker: Int32 = 64

    /// Closures that run before the worker reports that it is ready, and before each image.
    package struct TestHooks {
        package var start: () -> Void
        package var picture: (Span<UInt8>) -> Void

        /// - Parameter picture: receives the bytes of each image first, so that tests can crash the
        ///   worker.
        package init(
            start: @escaping () -> Void = {}, picture: @escaping (Span<UInt8>) -> Void = { _ in }
        ) {
            self.start = start
            self.picture = picture
        }
    }

    /// Runs the worker and never returns. Must be the first call of the program.
    ///
    /// - Parameter isForked: the process was forked in advance. It has the drawing libraries, but
    ///   not the libraries of rare formats. Images that need them go to a worker that was started
    ///   as a program.
    package static func main(
        _ hooks: TestHooks = TestHooks(), isForked: Bool = false
    ) -> Never {
        let settled = emb_worker_drop_privileges()
        guard settled != -2 else { _exit(Int32(EMB_WORKER_NO_PDEATHSIG)) }
        guard settled >= 0 else { _exit(notAWorker) }
        if !isForked { CodecLibrary.prepare() }
        do throws(WireDamage) {
            guard
                case .begin(let mapped, let themeBytes, let memoryBytes) = try WorkerRequest(
                    WorkerSocket.receive())
            else { throw WireDamage() }
            let region = try SharedRegion(owning: Int32(EMB_WORKER_MEMFD), count: mapped)
            var wire = WireReader(try region.read(themeBytes, at: 0))
            let theme = try wire.theme()
            hooks.start()
            var (filter, rules): (Int32, Int32) = (0, 0)
            let confined = unsafe emb_worker_confine(readable, &filter, &rules)
            emb_worker_install_crash_handler(slackBytes / 2)
            let (most, overflow) = memoryBytes.addingReportingOverflow(capBytes)
            _ = emb_worker_cap_memory(overflow ? .max : most)
            WorkerSocket.send(
                .ready(
                    Confinement(
                        flags: settled | confined, filterRefusal: filter, rulesRefusal: rules)))
            var server = WorkerServer(
                region: region, renderer: Renderer(theme: theme, artwork: EmblemArtwork()),
                memoryBytes: memoryBytes, hasLibrary: !isForked, hooks: hooks)
            while true { try server.serve() }
        } catch {
            _exit(notAWorker)
        }
    }

    /// The paths that Landlock permits a worker to read, one a line.
    private static var readable: String {
        FontFile.all.map(\.path).joined(separator: "\n")
    }
}

/// The address space that a worker may use, enforced with a resource limit.
struct WorkerAllowance {
    /// Grants are rounded up to this step, so that a series of small images needs no further system
    /// calls.
    private static let step = 16 << 20

    private var granted = -1

    /// Grants `bytes`, rounded up, plus `WorkerMain.slackBytes`.
    mutating func grant(_ bytes: Int) {
        let (sum, overflow) = max(bytes, 1).addingReportingOverflow(Self.step - 1)
        let rounded = overflow ? Int.max : sum / Self.step * Self.step
        guard rounded != granted else { return }
        granted = rounded
        let (whole, isTooMuch) = rounded.addingReportingOverflow(WorkerMain.slackBytes)
        _ = emb_worker_grant_memory(isTooMuch ? .max : whole)
    }
}
