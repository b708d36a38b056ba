import Codecs
import Notation
import Raster
import Support
import Testing

/// Limits of librsvg and of this module; other limits need a worker process.
@Suite("SVG bombs")
struct SVGBombTests {
    @Test(
        "an SVG costs no more than its target for any declared size",
        arguments: [
            "width='1e9' height='1e9'", "width='nan' height='NaN'", "width='0' height='0'",
            "width='-5' height='-5'", "width='1e9%' height='3%'", "width='1e999' height='9'",
            "viewBox='0 0 1e30 1e30'", "viewBox='0 0 1e-30 1e-30'", "viewBox='1e30 1e30 9 9'",
            "width='51500' height='51500'", "",
        ])
    func sizes(attributes: String) {
        let bytes = svg(attributes, "<rect width='100%' height='100%' fill='#f00'/>")
        let cost = processorSeconds { #expect([nil, .corrupt].contains(kind(of: bytes))) }
        #expect(cost < 1)
    }

    /// Returns the class of the error, without its text.
    private func kind(of bytes: [UInt8]) -> Kind? {
        switch refusal(bytes) {
        case nil: nil
        case .limitDecode: .limit
        case .corrupt: .corrupt
        default: .other
        }
    }

    private enum Kind { case limit, corrupt, other }

    @Test("an SVG nested many times in itself is drawn or refused")
    func nested() {
        var bytes = svg("viewBox='0 0 9 9'", "<path d='M0 0h9v9'/>")
        for _ in 0..<12 {
            let packed = Base64.encode(bytes.span)
            bytes = svg(
                "viewBox='0 0 9 9'",
                "<image width='9' height='9' href='data:image/svg+xml;base64,\(packed)'/>")
        }
        let whole = bytes
        let cost = processorSeconds { #expect([nil, .limit].contains(kind(of: whole))) }
        #expect(cost < 5)
    }

    @Test("an SVG that inflates to half a gigabyte is refused at the limit")
    func packed() {
        let stream = PNGFile.bomb(runs: 2_000_000)
        let bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + stream[2...] + le32(0)
        let cost = processorSeconds {
            #expect(Outcome(bytes).name == "unsupported")
            #expect(kind(of: bytes) == .other)
        }
        #expect(cost < 1)
    }

    @Test(
        "an SVG with large numbers or long paths ends in time",
        arguments: HostileDrawing.all.filter { $0.ending == .soon })
    func soon(drawing: HostileDrawing) {
        let bytes = drawing.bytes()
        let cost = processorSeconds {
            #expect([nil, .limit, .corrupt].contains(kind(of: bytes)), "\(drawing.name)")
        }
        #expect(cost < 8, "\(drawing.name)")
    }
}
