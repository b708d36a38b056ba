import Codecs
import Raster
import Testing

@Suite("Pictures embedded in an SVG")
struct HiddenPictureTests {
    private func image(_ address: String) -> String {
        "<image width='9' height='9' xlink:href='\(address)'/>"
    }

    private func document(_ subset: String, _ body: String) -> [UInt8] {
        let type = subset.isEmpty ? "" : "<!DOCTYPE svg [\(subset)]>"
        return Array(
            (type + "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'"
                + " xmlns:xlink='http://www.w3.org/1999/xlink'>\(body)</svg>").utf8)
    }

    @Test("a picture embedded in an SVG is drawn in every supported format under any media type")
    func formats() throws {
        var pixels = PixelBuffer(size: PixelSize(width: 4, height: 4))
        pixels.fill(Color(red: 255, green: 0, blue: 0))
        var pictures: [[UInt8]] = []
        for format in [OutputFormat.png, .jpeg, .webp] {
            pictures.append(
                try ImageEncoder.encode(
                    pixels, EncodeSettings(format: format, quality: .lossy(90))))
        }
        pictures.append(svg("width='4' height='4'", "<path fill='#f00' d='M0 0h9v9H0z'/>"))
        // A GIF of one red pixel.
        pictures.append([
            0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0,
            0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,
        ])
        for (index, bytes) in pictures.enumerated() {
            for kind in ["image/png", "image/jpeg", "", "image/gif", "text/plain"] {
                let address = "data:\(kind);base64,\(base64(bytes))"
                let picture = try drawing(
                    document("", image(address)), at: PixelSize(width: 9, height: 9))
                let color = picture.rgba(4, 4)
                #expect(color[0] > 250 && color[1] < 9 && color[3] == 255, "\(index) \(kind)")
            }
        }
    }

    @Test(
        "an SVG with a picture in an unsupported format is refused, and an invalid one is skipped"
    )
    func strangers() throws {
        let tiff = "data:image/tiff;base64," + base64([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0])
        guard case .unsupported = refusal(document("", image(tiff))) else {
            Issue.record("\(String(describing: refusal(document("", image(tiff)))))")
            return
        }
        for address in ["data:,", "data:image/png;base64,AAAA", "data:image/png"] {
            #expect(refusal(document("", image(address))) == nil)
        }
        // An included document, whose images would otherwise not be counted.
        let taken =
            "<x:include xmlns:x='http://www.w3.org/2001/XInclude' href='data:image/svg+xml,"
            + "%3Cg xmlns=%22http://www.w3.org/2000/svg%22%3E%3Crect width=%229%22 height=%229%22/"
            + "%3E%3C/g%3E'><x:fallback/></x:include>"
        #expect(refusal(document("", taken)) != nil)
    }

    @Test("harmless entities for spaces, letters and tags in an SVG are expanded")
    func harmless() throws {
        let bytes = Array(
            ("<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x.dtd' [\n"
                + "<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">\n<!ENTITY red '#f&#48;0'>"
                + "<!ENTITY shape \"<rect width='9' height='9' fill='&red;'/>\">"
                + "<!ATTLIST svg viewBox CDATA '0 0 9 9' xmlns:a3 CDATA #IMPLIED>]>"
                + "<svg xmlns='&ns_svg;'>&shape;</svg>").utf8)
        let picture = try drawing(bytes, at: PixelSize(width: 5, height: 5))
        #expect(picture.rgba(2, 2) == [255, 0, 0, 255])
    }

    @Test("a picture embedded in an SVG counts for memory before it is loaded")
    func memory() {
        func bytes(_ body: String) -> Int {
            VectorPicture.documentBytes(of: document("", body).span, limits: DecodeLimits())
        }
        let large = bytes(image("data:image/png;base64," + base64(pngHeader(6_000, 6_000))))
        #expect(large >= 8 * 36_000_000 && large < 20 * 36_000_000)
        #expect(bytes("<rect/>") == 0)
    }
}
