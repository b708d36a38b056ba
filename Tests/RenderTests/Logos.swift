import Artwork
import Codecs
import Raster
import Render
import Testing
import Theming

/// Small logos, and functions that render and measure them.
enum Logos {
    static let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
    static let blue = Color(red: 10, green: 20, blue: 200)
    /// A colour that is visible on the light and on the dark background.
    static let bright = Color(red: 60, green: 110, blue: 230)

    static func variants(
        _ layouts: [EmblemLayout] = [.small], _ scales: [Double] = [1],
        _ schemes: [ColorScheme] = [.light]
    ) -> [Variant] {
        layouts.flatMap { layout in
            schemes.flatMap { scheme in
                scales.map { Variant(layout: layout, scale: $0, scheme: scheme) }
            }
        }
    }

    /// Returns a canvas with a mark on it.
    static func picture(
        _ width: Int, _ height: Int, ground: Color = .clear, mark: PixelRect? = nil,
        _ color: Color = blue, radius: Double = 0
    ) -> PixelBuffer {
        let mark = mark ?? PixelRect(x: 0, y: 0, width: width, height: height)
        var canvas = PixelBuffer(size: PixelSize(width: width, height: height))
        canvas.fill(ground)
        var ink = PixelBuffer(size: mark.size)
        ink.fill(color)
        if radius > 0 {
            ink.mask(by: CornerMask(size: ink.size, radius: radius, style: .circular))
        }
        canvas.draw(ink, x: mark.x, y: mark.y)
        return canvas
    }

    static func encoded(
        _ picture: borrowing PixelBuffer, _ format: OutputFormat = .png
    ) throws -> [UInt8] {
        try ImageEncoder.encode(picture, EncodeSettings(format: format))
    }

    static func render(_ bytes: [UInt8], _ recipe: Recipe) throws -> Rendering {
        let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
        let request = renderer.request(for: header, recipe: recipe, workingBytes: 64 << 20)
        return try renderer.render(
            bytes.span, header: header, request: request, recipe: recipe
        ) { _ in }
    }

    static func pixels(_ image: RenderedImage?) throws -> PixelBuffer {
        let bytes = try #require(image).bytes
        let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
        switch try ImageDecoder.decode(bytes.span, header: header, request: DecodeRequest()) {
        case .raster(let pixels): return pixels
        case .vector: throw DecodeError.notImage
        }
    }

    /// Returns the bounds of the pixels that differ from the background.
    static func ink(
        _ emblem: borrowing PixelBuffer, over background: Color
    ) -> PixelRect? {
        var (left, top, right, bottom) = (emblem.width, emblem.height, -1, -1)
        let pixels = emblem.pixels
        for y in 0..<emblem.height {
            for x in 0..<emblem.width {
                let offset = (y * emblem.width + x) * 4
                guard pixels[offset + 3] == 255 else { continue }
                let red = abs(Int(pixels[offset]) - Int(background.red))
                let green = abs(Int(pixels[offset + 1]) - Int(background.green))
                let blue = abs(Int(pixels[offset + 2]) - Int(background.blue))
                guard max(red, green, blue) > 60 else { continue }
                (left, right) = (min(left, x), max(right, x))
                (top, bottom) = (min(top, y), max(bottom, y))
            }
        }
        guard right >= 0 else { return nil }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    static let brand = Theme.builtIn.emblemColors(.brand, .light).background
}
