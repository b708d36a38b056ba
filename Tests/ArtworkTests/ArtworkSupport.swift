import Artwork
import Codecs
import Raster
import Theming

let blue = Color(red: 10, green: 20, blue: 200)
let grey = Color(red: 200, green: 210, blue: 220)
let ink = Color(red: 120, green: 0, blue: 60)
let line = Color(red: 0, green: 160, blue: 0)

/// Returns a style whose colours are all different.
func style(_ height: Double = 40, radius: Double = 8, scale: Double = 1) -> EmblemStyle {
    EmblemStyle(
        heightPoints: height, radiusPoints: radius, scale: scale,
        colors: EmblemColors(background: grey, foreground: ink, border: line))
}

func solid(_ width: Int, _ height: Int, _ color: Color = blue) -> Picture {
    var pixels = PixelBuffer(size: PixelSize(width: width, height: height))
    pixels.fill(color)
    return .raster(pixels)
}

/// Returns a vector picture that one rectangle covers.
func drawn(_ width: Int, _ height: Int, paint: String = "#0a14c8") throws -> Picture {
    let text =
        "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'>"
        + "<rect width='\(width)' height='\(height)' fill='\(paint)'/></svg>"
    return .vector(try VectorPicture(svg: Array(text.utf8).span, limits: DecodeLimits()))
}

func emblem(_ picture: borrowing Picture, _ style: EmblemStyle) throws -> PixelBuffer {
    let artwork = EmblemArtwork()
    return artwork.finish(try artwork.fit(picture, style), style)
}

extension PixelBuffer {
    func rgba(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * width + x) * 4
        return (0..<4).map { pixels[start + $0] }
    }

    func bytes() -> [UInt8] {
        pixels.indices.map { pixels[$0] }
    }

    func meanDifference(from other: borrowing PixelBuffer) -> Double {
        var sum = 0
        for index in pixels.indices where index < other.pixels.count {
            sum += abs(Int(pixels[index]) - Int(other.pixels[index]))
        }
        return Double(sum) / Double(pixels.count)
    }

    /// Returns the share of channels that differ by more than `bound`.
    func shareDiffering(from other: borrowing PixelBuffer, by bound: Int) -> Double {
        var count = 0
        for index in pixels.indices where index < other.pixels.count {
            if abs(Int(pixels[index]) - Int(other.pixels[index])) > bound { count += 1 }
        }
        return Double(count) / Double(pixels.count)
    }

    /// Returns the smallest rectangle around all pixels with an alpha of at least half.
    func inkBounds() -> PixelRect? {
        var (left, top, right, bottom) = (width, height, -1, -1)
        for y in 0..<height {
            for x in 0..<width where rgba(x, y)[3] >= 128 {
                left = min(left, x)
                right = max(right, x)
                top = min(top, y)
                bottom = max(bottom, y)
            }
        }
        guard right >= 0 else { return nil }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}

extension Color {
    var pixel: [UInt8] { [red, green, blue, alpha] }
}
