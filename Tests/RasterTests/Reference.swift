import Glibc
import Raster

/// Resampling in double precision by the definitions: premultiplied sRGB values, weights normalised
/// at edges, rounded to eight bits once at the end. An axis that shrinks uses Lanczos-3, widened by
/// the scale; one that grows uses the cubic kernel with B = C = 1/3.
enum Reference {
    static func resample(
        _ source: borrowing PixelBuffer, to size: PixelSize, visible: PixelRect? = nil
    ) -> [UInt8] {
        let window = visible ?? PixelRect(size)
        let columns = weights(source.width, size.width, window.x..<(window.x + window.width))
        let rows = weights(source.height, size.height, window.y..<(window.y + window.height))
        let pixels = source.pixels
        var mixed = [Double](repeating: 0, count: window.width * source.height * 4)
        for y in 0..<source.height {
            for (x, run) in columns.enumerated() {
                for (tap, weight) in run.weights.enumerated() {
                    let from = (y * source.width + run.start + tap) * 4
                    for channel in 0..<4 {
                        mixed[(y * window.width + x) * 4 + channel] +=
                            weight * Double(pixels[from + channel])
                    }
                }
            }
        }
        var result: [UInt8] = []
        result.reserveCapacity(window.size.byteCount)
        for run in rows {
            for index in 0..<(window.width * 4) {
                var sum = 0.0
                for (tap, weight) in run.weights.enumerated() {
                    sum += weight * mixed[(run.start + tap) * window.width * 4 + index]
                }
                result.append(UInt8(min(255, max(0, sum.rounded()))))
            }
        }
        return result
    }

    private static func weights(
        _ source: Int, _ target: Int, _ window: Range<Int>
    ) -> [(start: Int, weights: [Double])] {
        let scale = Double(source) / Double(target)
        let stretch = max(1, scale)
        let kernel = scale < 1 ? cubic : lanczos
        return window.map { output in
            let centre = (Double(output) + 0.5) * scale
            let first = max(0, Int((centre - 3 * stretch).rounded(.down)))
            let last = min(source - 1, Int((centre + 3 * stretch).rounded(.up)))
            let raw = (first...last).map { kernel((Double($0) + 0.5 - centre) / stretch) }
            let sum = raw.reduce(0, +)
            return (first, raw.map { $0 / sum })
        }
    }

    private static func cubic(_ x: Double) -> Double {
        let (b, c, t) = (1.0 / 3, 1.0 / 3, abs(x))
        if t >= 2 { return 0 }
        if t < 1 {
            return ((12 - 9 * b - 6 * c) * t * t * t + (-18 + 12 * b + 6 * c) * t * t + 6 - 2 * b)
                / 6
        }
        let low = (-12 * b - 48 * c) * t + 8 * b + 24 * c
        return ((-b - 6 * c) * t * t * t + (6 * b + 30 * c) * t * t + low) / 6
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= 3 { return 0 }
        let t = Double.pi * x
        return sin(t) / t * (sin(t / 3) / (t / 3))
    }

    /// Returns the peak signal-to-noise ratio of all four channels in dB; 99 for identical bytes.
    static func psnr(_ first: [UInt8], _ second: [UInt8]) -> Double {
        var sum = 0
        for (a, b) in zip(first, second) { sum += (Int(a) - Int(b)) * (Int(a) - Int(b)) }
        guard sum > 0 else { return 99 }
        return min(99, 10 * log10(255 * 255 * Double(first.count) / Double(sum)))
    }
}
