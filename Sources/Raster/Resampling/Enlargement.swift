/// Sharp enlargement of small flat-coloured pictures.
///
/// The cubic kernel widens an edge by the factor of the enlargement. `sharpened` moves each channel
/// of a pixel towards the darkest or lightest value around it, so that an edge is again about one
/// pixel wide. No value leaves the range of its neighbours, so there is no ringing.
package enum Enlargement {
    /// The lengths of the longer side at which pictures are enlarged sharply, in pixels.
    package static let sides = 48...100
    /// The least longer side that may be enlarged without a limit, in pixels. Smaller pictures are
    /// enlarged to `tinyFactor` times their size, or a little more if they are then less than half as
    /// high as the emblem.
    package static let tinySide = 48.0
    package static let tinyFactor = 2.0

    /// The number of colours, out of 4,096, that together must cover `flatShare` of a flat picture.
    private static let colorLimit = 16
    private static let flatShare = 0.8
    /// The least difference within a neighbourhood that is an edge; less is a gradient.
    private static let leastStep = 24
    /// The largest gain of `sharpened`, in thousandths.
    private static let largestFactor = 2500

    /// Returns whether few colours cover most of the picture, as in a drawn logo.
    package static func isFlat(_ picture: borrowing PixelBuffer) -> Bool {
        guard sides.contains(max(picture.width, picture.height)) else { return false }
        let pixels = picture.pixels
        var counts = [Int](repeating: 0, count: 4096)
        var visible = 0
        for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] >= 16 {
            visible += 1
            counts[
                Int(pixels[index] >> 4) << 8 | Int(pixels[index + 1] >> 4) << 4
                    | Int(pixels[index + 2] >> 4)] += 1
        }
        let most = counts.filter { $0 > 0 }.sorted(by: >).prefix(colorLimit).reduce(0, +)
        return visible > 0 && Double(most) >= flatShare * Double(visible)
    }

    /// Narrows the edges of a picture that was enlarged to `thousandths` of its former size, such as
    /// 2000 for twice the size.
    package static func sharpened(
        _ picture: consuming PixelBuffer, by thousandths: Int
    ) -> PixelBuffer {
        let gain = min(thousandths, largestFactor)
        guard gain > 1000 else { return picture }
        let reach = thousandths > 1500 ? 2 : 1
        let (width, height) = (picture.width, picture.height)
        let range = NeighbourRange(picture, reach: reach)
        do {
            var pixels = picture.mutablePixels
            for index in 0..<width * height {
                // Alpha comes first, since it limits the other channels.
                for step in 0..<4 {
                    let channel = (step + 3) % 4
                    let place = index * 4 + channel
                    let (low, high) = (Int(range.low[place]), Int(range.high[place]))
                    var value = Int(pixels[place])
                    if high - low >= leastStep {
                        let middle = (low + high) / 2
                        value = min(max(middle + (value - middle) * gain / 1000, low), high)
                    }
                    // The pixels are premultiplied, so no channel may exceed alpha.
                    if channel < 3 { value = min(value, Int(pixels[index * 4 + 3])) }
                    pixels[place] = UInt8(value)
                }
            }
        }
        return picture
    }
}

/// The smallest and the largest value of each channel within `reach` pixels of each pixel.
private struct NeighbourRange {
    private(set) var low: [UInt8]
    private(set) var high: [UInt8]

    /// The bytes that are combined at once. Every buffer has as many spare bytes at its end.
    private static let group = 16

    init(_ picture: borrowing PixelBuffer, reach: Int) {
        let (height, stride) = (picture.height, picture.bytesPerRow)
        func buffer(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count + Self.group) }
        var (across, line) = (buffer(stride * height), buffer(stride + 8 * reach))
        (low, high) = (across, across)
        func range(_ row: Int) -> ClosedRange<Int> {
            max(0, row - reach)...min(height - 1, row + reach)
        }
        unsafe picture.withUnsafePixels { pixels in
            for isHigh in [false, true] {
                for row in 0..<height {
                    // The first and the last pixel are repeated beyond the ends of a row.
                    for index in 0..<stride + 8 * reach {
                        let place = index - 4 * reach
                        let inside = place < 0 ? index & 3 : min(place, stride - 4 + place & 3)
                        line[index] = unsafe pixels[row * stride + inside]
                    }
                    Self.combine(
                        line, at: (0...2 * reach).map { $0 * 4 }, isHigh, count: stride,
                        into: &across, row * stride)
                }
                for row in 0..<height {
                    let rows = range(row).map { $0 * stride }
                    if isHigh {
                        Self.combine(
                            across, at: rows, true, count: stride, into: &high, row * stride)
                    } else {
                        Self.combine(
                            across, at: rows, false, count: stride, into: &low, row * stride)
                    }
                }
            }
        }
    }

    /// Stores, for each of `count` bytes, the smallest or largest of the source bytes at that
    /// offset from `starts`.
    private static func combine(
        _ source: [UInt8], at starts: [Int], _ isHigh: Bool, count: Int, into result: inout [UInt8],
        _ offset: Int
    ) {
        unsafe source.withUnsafeBytes { source in
            unsafe result.withUnsafeMutableBytes { result in
                for index in stride(from: 0, to: count, by: group) {
                    var value = unsafe source.loadUnaligned(
                        fromByteOffset: starts[0] + index, as: SIMD16<UInt8>.self)
                    for start in starts.dropFirst() {
                        let other = unsafe source.loadUnaligned(
                            fromByteOffset: start + index, as: SIMD16<UInt8>.self)
                        value = isHigh ? pointwiseMax(value, other) : pointwiseMin(value, other)
                    }
                    unsafe result.storeBytes(
                        of: value, toByteOffset: offset + index, as: SIMD16<UInt8>.self)
                }
            }
        }
    }
}
