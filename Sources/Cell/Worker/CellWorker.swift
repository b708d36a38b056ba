import Artwork
import CSandbox
import Codecs
import Glibc
import Render
import Theming

/// The life of a cell, from the first line of its program to its end.
package enum CellWorker {
    /// The first argument of a program that shall be a cell.
    package static let word = "__cell"

    /// What may be taken beyond what a picture was granted: trees of drawings, buffers of encoders.
    static let slackBytes = 160 << 20

    /// The same for all that may ever be taken: large canvases are no part of decoding.
    private static let capBytes = 1 << 30

    /// The exit status of a program that was given the word by hand.
    private static let notACell: Int32 = 64

    /// Is called before the process says that it is ready, and before each picture is looked at.
    package struct TestHooks {
        package var start: () -> Void
        package var picture: (Span<UInt8>) -> Void

        /// - Parameter picture: sees the bytes of each picture first; for tests of what a cell
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
    /// - Parameter isDivided: the process was made in advance. Then it has what draws, and does
    ///   without the libraries of formats that few runs meet and without tables of encodings: such
    ///   pictures it leaves to a program.
    package static func main(
        _ hooks: TestHooks = TestHooks(), isDivided: Bool = false
    ) -> Never {
        let settled = emb_cell_settle()
        guard settled != -2 else { _exit(Int32(EMB_CELL_NOT_TIED)) }
        guard settled >= 0 else { _exit(notACell) }
        if !isDivided {
            CodecLibrary.prepare()
            XMLEncoding.prepare()
        }
        do throws(WireDamage) {
            guard
                case .begin(let mapped, let themeBytes, let memoryBytes) = try CellRequest(
                    CellLine.receive())
            else { throw WireDamage() }
            let region = try SharedRegion(owning: Int32(EMB_CELL_REGION), count: mapped)
            var wire = WireReader(try region.read(themeBytes, at: 0))
            let theme = try wire.theme()
            hooks.start()
            var (filter, rules): (Int32, Int32) = (0, 0)
            let confined = unsafe emb_cell_confine(readable, &filter, &rules)
            emb_cell_tell_crashes(slackBytes / 2)
            let (most, overflow) = memoryBytes.addingReportingOverflow(capBytes)
            _ = emb_cell_cap_memory(overflow ? .max : most)
            CellLine.send(
                .ready(
                    Confinement(
                        flags: settled | confined, filterRefusal: filter, rulesRefusal: rules)))
            var desk = CellServer(
                region: region, renderer: Renderer(theme: theme, artwork: EmblemArtwork()),
                memoryBytes: memoryBytes, hasLibrary: !isDivided, hooks: hooks)
            while true { try desk.serve() }
        } catch {
            _exit(notACell)
        }
    }

    /// The fonts, and nothing else.
    private static var readable: String {
        FontFile.all.map(\.path).joined(separator: "\n")
    }
}
