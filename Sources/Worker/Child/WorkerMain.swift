import Artwork
import CSandbox
import Codecs
import Glibc
import Raster
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
        do {
            let begin = try WorkerRequest(WorkerSocket.receive())
            let region = try SharedRegion(owning: Int32(EMB_WORKER_MEMFD), count: begin.mapped)
            let theme = try Theme(wire: region.read(begin.themeBytes, at: 0))
            hooks.start()
            var (filter, rules): (Int32, Int32) = (0, 0)
            let confined = unsafe emb_worker_confine(readable, &filter, &rules)
            emb_worker_install_crash_handler(slackBytes / 2)
            _ = emb_worker_cap_memory(begin.memoryBytes.saturating(plus: capBytes))
            WorkerSocket.send(
                .ready(
                    Confinement(
                        flags: settled | confined, filterRefusal: filter, rulesRefusal: rules)))
            var server = WorkerServer(
                region: region, renderer: Renderer(theme: theme, artwork: EmblemArtwork()),
                memoryBytes: begin.memoryBytes, hasLibrary: !isForked, hooks: hooks)
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
