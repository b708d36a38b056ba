import Glibc
import Raster
import Support
import System

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

    private static func weights(_ source: Int, _ target: Int) -> [[(Int, Double)]] {
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

    private static func lanczos(_ x: Double) -> Double {
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

extension Sample {
    /// Returns smooth noise of many sizes with shapes on it, whose fine detail fades as in
    /// photographs.
    static func photograph(_ width: Int, _ height: Int, seed: UInt64) -> PixelBuffer {
        var dice = SeededRandom(seed: seed)
        var values = [Double](repeating: 0, count: width * height * 3)
        var cell = 256
        while cell >= 2 {
            let (columns, rows) = (width / cell + 2, height / cell + 2)
            let grid = (0..<columns * rows * 3).map { _ in
                Double(dice.below(1000)) / 1000 - 0.5
            }
            let strength = 2.2 * Double(cell).squareRoot() * (cell > 32 ? 1.6 : 1)
            for y in 0..<height {
                let down = smooth(Double(y % cell) / Double(cell))
                for x in 0..<width {
                    let right = smooth(Double(x % cell) / Double(cell))
                    let corner = ((y / cell) * columns + x / cell) * 3
                    for channel in 0..<3 {
                        let offset = corner + channel
                        let top = grid[offset] * (1 - right) + grid[offset + 3] * right
                        let under =
                            grid[offset + columns * 3] * (1 - right)
                            + grid[offset + columns * 3 + 3] * right
                        values[(y * width + x) * 3 + channel] +=
                            strength * (top * (1 - down) + under * down)
                    }
                }
            }
            cell /= 2
        }
        for _ in 0..<12 { shade(&values, width, height, &dice) }
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        var pixels = buffer.mutablePixels
        for index in 0..<width * height {
            for channel in 0..<3 {
                let value = 118 + values[index * 3 + channel]
                pixels[index * 4 + channel] = UInt8(min(max(value.rounded(), 0), 255))
            }
            pixels[index * 4 + 3] = 255
        }
        buffer.isOpaque = true
        return buffer
    }

    private static func smooth(_ x: Double) -> Double { x * x * (3 - 2 * x) }

    /// Draws a disc that is lighter or darker than its surroundings, with an edge of two pixels.
    private static func shade(
        _ values: inout [Double], _ width: Int, _ height: Int, _ dice: inout SeededRandom
    ) {
        let radius = Double(8 + dice.below(max(9, min(width, height) / 5)))
        let (x, y) = (dice.below(width), dice.below(height))
        let step = Double(dice.below(120) - 60)
        for line in 0..<height {
            for column in 0..<width {
                let (dx, dy) = (Double(column - x), Double(line - y))
                let inside = radius - (dx * dx + dy * dy).squareRoot()
                guard inside > -1 else { continue }
                for channel in 0..<3 {
                    values[(line * width + column) * 3 + channel] += step * min(1, (inside + 1) / 2)
                }
            }
        }
    }
}
