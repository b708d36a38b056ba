import Artwork
import CSandbox
import Codecs
import Glibc
import Render
import Theming

/// The life of a worker, from the first line of its program to its end.
package enum WorkerMain {
    /// The first argument of a program that shall be a worker.
    package static let word = "__worker"

    /// What may be taken beyond what a picture was granted: trees of drawings, buffers of encoders.
    static let slackBytes = 160 << 20

    /// The same for all that may ever be taken: large canvases are no part of decoding.
    private static let capBytes = 1 << 30

    /// The exit status of a program that was given the word by hand.
    private static let notAWorker: Int32 = 64

    /// Is called before the process says that it is ready, and before each picture is looked at.
    package struct TestHooks {
        package var start: () -> Void
        package var picture: (Span<UInt8>) -> Void

        /// - Parameter picture: sees the bytes of each picture first; for tests of what a worker
        ///   survives.
        package init(
            start: @escaping () -> Void = {}, picture: @escaping (Span<UInt8>) -> Void = { _ in }
        ) {
            self.start = start
            self.picture = picture
        }
    }

    /// Never comes back. Must be called before anything else of the program.
    ///
    /// - Parameter isForked: the process was made in advance. Then it has what draws, and does
    ///   without the libraries of formats that few runs meet and without tables of encodings: such
    ///   pictures it leaves to a program.
    package static func main(
        _ hooks: TestHooks = TestHooks(), isForked: Bool = false
    ) -> Never {
        let settled = emb_worker_settle()
        guard settled != -2 else { _exit(Int32(EMB_WORKER_NOT_TIED)) }
        guard settled >= 0 else { _exit(notAWorker) }
        if !isForked {
            CodecLibrary.prepare()
            XMLEncoding.prepare()
        }
        do throws(WireDamage) {
            guard
                case .begin(let mapped, let themeBytes, let memoryBytes) = try WorkerRequest(
                    WorkerSocket.receive())
            else { throw WireDamage() }
            let region = try SharedRegion(owning: Int32(EMB_WORKER_REGION), count: mapped)
            var wire = WireReader(try region.read(themeBytes, at: 0))
            let theme = try wire.theme()
            hooks.start()
            var (filter, rules): (Int32, Int32) = (0, 0)
            let confined = unsafe emb_worker_confine(readable, &filter, &rules)
            emb_worker_tell_crashes(slackBytes / 2)
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

    /// The fonts, and nothing else.
    private static var readable: String {
        FontFile.all.map(\.path).joined(separator: "\n")
    }
}
