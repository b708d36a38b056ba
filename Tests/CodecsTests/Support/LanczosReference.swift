import Glibc
import Raster

/// The reference for scaled decoding: Lanczos with three lobes in double precision, its support
/// widened by the scale, rounded to eight bits at the end.
enum LanczosReference {
    static func resample(_ source: borrowing PixelBuffer, to size: PixelSize) -> [UInt8] {
        let across = weights(source.width, size.width)
        let down = weights(source.height, size.height)
        let stride = source.width * 4
        let pixels = source.pixels
        var rows = [Double](repeating: 0, count: stride * size.height)
        for y in 0..<size.height {
            for (line, weight) in down[y] {
                for x in 0..<stride {
                    rows[y * stride + x] += weight * Double(pixels[line * stride + x])
                }
            }
        }
        var result = [UInt8](repeating: 0, count: size.byteCount)
        for y in 0..<size.height {
            for x in 0..<size.width {
                for channel in 0..<4 {
                    var sum = 0.0
                    for (column, weight) in across[x] {
                        sum += weight * rows[y * stride + column * 4 + channel]
                    }
                    let value = min(max((sum + 0.5).rounded(.down), 0), 255)
                    result[(y * size.width + x) * 4 + channel] = UInt8(value)
                }
            }
        }
        return result
    }

    static func weights(_ source: Int, _ target: Int) -> [[(Int, Double)]] {
        let scale = Double(source) / Double(target)
        let stretch = max(1, scale)
        return (0..<target).map { output in
            let centre = (Double(output) + 0.5) * scale - 0.5
            let first = max(0, Int((centre - 3 * stretch).rounded(.down)))
            let last = min(source - 1, Int((centre + 3 * stretch).rounded(.up)))
            let taps = (first...last).map { ($0, lanczos((Double($0) - centre) / stretch)) }
            let sum = taps.reduce(0) { $0 + $1.1 }
            return taps.map { ($0.0, $0.1 / sum) }
        }
    }

    static func lanczos(_ x: Double) -> Double {
        if abs(x) < 1e-12 { return 1 }
        if abs(x) >= 3 { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }

    /// Returns the peak signal-to-noise ratio of the colours in decibels; 99 for equal images.
    static func decibels(_ picture: borrowing PixelBuffer, _ reference: [UInt8]) -> Double {
        let pixels = picture.pixels
        guard pixels.count == reference.count else { return 0 }
        var sum = 0
        for index in 0..<pixels.count where index & 3 != 3 {
            let step = Int(pixels[index]) - Int(reference[index])
            sum += step * step
        }
        if sum == 0 { return 99 }
        return 10 * log10(255 * 255 * Double(pixels.count / 4 * 3) / Double(sum))
    }
}
