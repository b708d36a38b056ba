/// One bit for each pixel of a picture: whether it is visible.
package struct AlphaMask {
    package let width: Int
    package let height: Int
    /// The number of words in a row; the first column is the lowest bit of the first word.
    package let wordsPerRow: Int
    private var words: [UInt64]

    /// - Parameter leastAlpha: the least alpha of a visible pixel.
    package init(_ picture: borrowing PixelBuffer, leastAlpha: UInt8) {
        (width, height) = (picture.width, picture.height)
        wordsPerRow = (width + 63) / 64
        words = []
        words.reserveCapacity(wordsPerRow * height)
        let least = UInt32(leastAlpha) << 24
        let leasts = SIMD16(repeating: least)
        unsafe picture.withUnsafeWords { pixels in
            for y in 0..<height {
                for first in stride(from: 0, to: width, by: 64) {
                    let start = unsafe pixels + y * width + first
                    let count = min(64, width - first)
                    var (word, done): (UInt64, Int) = (0, 0)
                    while done + 16 <= count {
                        let group = unsafe UnsafeRawPointer(start + done)
                            .loadUnaligned(as: SIMD16<UInt32>.self)
                        let bits = SIMD16.zero.replacing(
                            with: Self.bits, where: group .>= leasts)
                        word |= UInt64(bits.wrappedSum()) &<< UInt64(done)
                        done += 16
                    }
                    while done < count {
                        if unsafe UInt32(littleEndian: start[done]) >= least {
                            word |= 1 &<< UInt64(done)
                        }
                        done += 1
                    }
                    words.append(word)
                }
            }
        }
    }

    /// The pixels that differ from `ground` by more than `tolerance` in one channel when the picture
    /// is drawn on it.
    package init(_ picture: borrowing PixelBuffer, unlike ground: Color, tolerance: Int) {
        (width, height) = (picture.width, picture.height)
        wordsPerRow = (width + 63) / 64
        words = [UInt64](repeating: 0, count: wordsPerRow * height)
        let levels = [ground.red, ground.green, ground.blue].map { Int($0) }
        let pixels = picture.pixels
        for y in 0..<height {
            for x in 0..<width {
                let offset = (y * width + x) * 4
                let alpha = Int(pixels[offset + 3])
                func differs(_ channel: Int) -> Bool {
                    let ground = levels[channel]
                    let seen = alpha == 255 ? ground : ground - ground * (255 - alpha) / 255
                    return abs(Int(pixels[offset + channel]) - seen) > tolerance
                }
                if differs(0) || differs(1) || differs(2) {
                    words[y * wordsPerRow + x >> 6] |= 1 &<< UInt64(x & 63)
                }
            }
        }
    }

    private static let bits = SIMD16<UInt32>(
        1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)

    /// Returns 64 pixels of a row; pixels outside the picture are not visible.
    package func word(_ index: Int, row: Int) -> UInt64 {
        guard index >= 0, index < wordsPerRow, row >= 0, row < height else { return 0 }
        return words[row * wordsPerRow + index]
    }

    /// Returns whether a pixel is visible; a pixel outside the picture is not.
    package func isVisible(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && word(x >> 6, row: y) >> UInt64(x & 63) & 1 == 1
    }

    /// Returns the number of pixels of a row that are visible outside `columns` or not visible inside.
    package func difference(fromColumns columns: Range<Int>, row: Int) -> Int {
        var count = 0
        for index in 0..<wordsPerRow {
            func mask(_ column: Int) -> UInt64 {
                ~(UInt64.max << UInt64(max(0, min(64, column - index * 64))))
            }
            let wanted = mask(columns.upperBound) & ~mask(columns.lowerBound)
            count += (words[row * wordsPerRow + index] ^ wanted).nonzeroBitCount
        }
        return count
    }

    /// The smallest rectangle with all visible pixels; nil if there are none.
    package var bounds: PixelRect? {
        var columns = [UInt64](repeating: 0, count: wordsPerRow)
        var rows: ClosedRange<Int>?
        for index in words.indices where words[index] != 0 {
            columns[index % wordsPerRow] |= words[index]
            let row = index / wordsPerRow
            rows = (rows?.lowerBound ?? row)...row
        }
        guard let rows, let first = columns.firstIndex(where: { $0 != 0 }),
            let last = columns.lastIndex(where: { $0 != 0 })
        else { return nil }
        let left = first * 64 + columns[first].trailingZeroBitCount
        let right = last * 64 + 63 - columns[last].leadingZeroBitCount
        return PixelRect(
            x: left, y: rows.lowerBound, width: right - left + 1, height: rows.count)
    }

    /// The number of visible pixels.
    package var area: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Returns the first and the last visible column of a row; nil if there is none.
    package func columns(ofRow y: Int) -> ClosedRange<Int>? {
        let row = words[y * wordsPerRow..<(y + 1) * wordsPerRow]
        guard let first = row.firstIndex(where: { $0 != 0 }),
            let last = row.lastIndex(where: { $0 != 0 })
        else { return nil }
        let left = (first - row.startIndex) * 64 + words[first].trailingZeroBitCount
        return left...(last - row.startIndex) * 64 + 63 - words[last].leadingZeroBitCount
    }

    /// Returns the first and the last visible row of a column; nil if there is none.
    package func rows(ofColumn x: Int) -> ClosedRange<Int>? {
        guard let first = (0..<height).first(where: { isVisible(x, $0) }),
            let last = (first..<height).last(where: { isVisible(x, $0) })
        else { return nil }
        return first...last
    }

    /// The centre of gravity of the visible pixels; nil if there are none.
    package var centroid: (x: Double, y: Double)? {
        var (count, sumX, sumY) = (0, 0, 0)
        for index in words.indices where words[index] != 0 {
            let visible = words[index].nonzeroBitCount
            count += visible
            sumX += index % wordsPerRow * 64 * visible
            for (power, columns) in Self.columnBits.enumerated() {
                sumX += (words[index] & columns).nonzeroBitCount << power
            }
            sumY += index / wordsPerRow * visible
        }
        guard count > 0 else { return nil }
        return (
            Double(2 * sumX + count) / Double(2 * count),
            Double(2 * sumY + count) / Double(2 * count)
        )
    }

    /// The columns of a word whose number has the bit 0, 1, … 5.
    private static let columnBits: [UInt64] = [
        0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00, 0xFFFF_0000_FFFF_0000, 0xFFFF_FFFF_0000_0000,
    ]

    /// The visible pixels that are more than `depth` pixels away from every other pixel and from the
    /// outside of the picture, also diagonally.
    package func eroded(by depth: Int) -> AlphaMask {
        var result = self
        for _ in 0..<depth {
            let before = result
            for y in 0..<height {
                func column(_ index: Int) -> UInt64 {
                    before.word(index, row: y - 1) & before.word(index, row: y)
                        & before.word(index, row: y + 1)
                }
                for index in 0..<wordsPerRow {
                    let word = column(index)
                    result.words[y * wordsPerRow + index] =
                        word & (word << 1 | column(index - 1) >> 63)
                        & (word >> 1 | column(index + 1) << 63)
                }
            }
        }
        return result
    }

    /// Removes the pixels that are not in `other`, a mask of the same size.
    package mutating func formIntersection(_ other: AlphaMask) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// The mask plus every pixel that lies between visible pixels both in its row and in its
    /// column. A drawing of thin lines becomes the area that the lines enclose.
    package var silhouette: AlphaMask {
        var result = self
        // The columns with a visible pixel in this row or below.
        var below = words
        for index in (0..<max(0, below.count - wordsPerRow)).reversed() {
            below[index] |= below[index + wordsPerRow]
        }
        var above = [UInt64](repeating: 0, count: wordsPerRow)
        for y in 0..<height {
            let start = y * wordsPerRow
            let row = words[start..<start + wordsPerRow]
            guard let first = row.firstIndex(where: { $0 != 0 }),
                let last = row.lastIndex(where: { $0 != 0 })
            else { continue }
            for index in first...last {
                above[index - start] |= words[index]
                var inside = above[index - start] & below[index]
                if index == first { inside &= .max << UInt64(words[index].trailingZeroBitCount) }
                if index == last { inside &= .max >> UInt64(words[index].leadingZeroBitCount) }
                result.words[index] = inside
            }
        }
        return result
    }
}

extension PixelBuffer {
    /// Clears the pixels that `mask`, a mask of the same size, does not show.
    package mutating func clear(outside mask: AlphaMask) {
        let (width, height) = (self.width, self.height)
        var pixels = mutablePixels
        for y in 0..<height {
            for x in 0..<width where !mask.isVisible(x, y) {
                for channel in 0..<4 { pixels[(y * width + x) * 4 + channel] = 0 }
            }
        }
        isOpaque = false
    }

    /// Puts a colour behind the transparent pixels that visible pixels enclose.
    ///
    /// - Parameter leastAlpha: the least alpha of a visible pixel.
    package mutating func fillHoles(with color: Color, leastAlpha: UInt8) {
        let inside = AlphaMask(self, leastAlpha: leastAlpha).silhouette
        let levels = [color.red, color.green, color.blue, 255].map { UInt32($0) }
        let (width, height) = (self.width, self.height)
        var pixels = mutablePixels
        for y in 0..<height {
            for x in 0..<width {
                let offset = (y * width + x) * 4
                let rest = 255 - UInt32(pixels[offset + 3])
                // The partly transparent pixels of the outline are unchanged.
                guard rest > 0, inside.isVisible(x - 1, y), inside.isVisible(x + 1, y),
                    inside.isVisible(x, y - 1), inside.isVisible(x, y + 1)
                else { continue }
                for channel in 0..<4 {
                    let sum =
                        UInt32(pixels[offset + channel]) + (levels[channel] * rest + 127) / 255
                    pixels[offset + channel] = UInt8(min(255, sum))
                }
            }
        }
    }
}
