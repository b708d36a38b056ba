import Codecs
import Raster

enum SheetCommand {
    static func run(_ arguments: [String]) throws {
        var folder = ""
        var manifest = ""
        var output = ""
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--help" || option == "-h" {
                print(help)
                return
            }
            guard let value = rest.popFirst() else {
                throw UsageError(text: "\(option) wants a value")
            }
            switch option {
            case "--from": folder = value
            case "--manifest": manifest = value
            case "--output", "-o": output = value
            default: throw UsageError(text: "unknown option \(option)")
            }
        }
        if folder.isEmpty { throw UsageError(text: "--from is missing") }
        if output.isEmpty { throw UsageError(text: "--output is missing") }
        if manifest.isEmpty { manifest = "\(folder)/manifest.ndjson" }
        try make(folder: folder, manifest: manifest, output: output)
    }

    private static let help = """
        Usage: emblem-dataset sheet --from OUT [--manifest OUT/manifest.ndjson] -o sheet.png

        Lays pictures of a run on one page 1,600 pixels wide: a grid of logos, photographs, the
        four layouts side by side, templates, and what could not be loaded. The run wants all four
        layouts, --scale 2 to fill the page, and a list whose column `group` tells the rows apart,
        as that of the sample does.
        """

    private static func make(folder: String, manifest: String, output: String) throws {
        guard let bytes = OutputTree.read(file: manifest) else {
            throw DatasetError(description: "Cannot read \(manifest).")
        }
        let page = SheetPage(try SheetItem.read(bytes))
        if page.places.isEmpty {
            throw DatasetError(description: "\(manifest) names no pictures.")
        }
        var sheet = paper(page)
        for place in page.places {
            let picture = try pixels("\(folder)/\(place.path)")
            sheet.draw(picture, x: place.x, y: place.y)
        }
        sheet.refreshOpacity()
        let file = try ImageEncoder.encode(sheet, EncodeSettings(format: .png))
        let cut = output.lastIndex(of: "/").map { output.index(after: $0) } ?? output.startIndex
        let parent = cut == output.startIndex ? "." : String(output[..<cut])
        try OutputTree(root: parent).write(file, to: String(output[cut...]))
        print(
            "\(output): \(page.places.count) pictures, \(SheetPage.width)x\(page.height),"
                + " \(file.count / 1024) KB")
    }

    /// Returns the page as pixels; it is opaque, so straight and premultiplied colours are equal.
    private static func paper(_ page: SheetPage) -> PixelBuffer {
        let drawn = VectorCanvas.draw(page.svg, width: SheetPage.width, height: page.height)
        var sheet = PixelBuffer(size: PixelSize(width: drawn.width, height: drawn.height))
        var pixels = sheet.mutablePixels
        for index in pixels.indices { pixels[index] = drawn.bytes[index] }
        return sheet
    }

    private static func pixels(_ path: String) throws -> PixelBuffer {
        guard let bytes = OutputTree.read(file: path) else {
            throw DatasetError(description: "Cannot read \(path).")
        }
        let header = try ImageDecoder.header(of: bytes.span)
        switch try ImageDecoder.decode(bytes.span, header: header, request: DecodeRequest()) {
        case .raster(let pixels): return pixels
        case .vector: throw DatasetError(description: "\(path) is no raster picture.")
        }
    }
}
