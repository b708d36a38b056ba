extension PixelBuffer {
    /// The largest difference of a margin pixel's channels from the margin's colour; JPEG noise on
    /// an even colour stays below it.
    package static let marginTolerance = 12

    /// The smallest rectangle, in stored pixels, with every pixel that differs from the margin. Nil
    /// if the picture has no margin, or no other pixels.
    ///
    /// The margin has the colour of the four corners if they agree, and is transparent if one
    /// corner is transparent. Colours are compared premultiplied, so that all transparent pixels
    /// are equal.
    package var contentBounds: PixelRect? { marginColor.flatMap { bounds(without: $0) } }

    /// The smallest rectangle, in stored pixels, with every visible pixel. Nil if the picture has
    /// no transparent margin, or no visible pixel.
    package var visibleBounds: PixelRect? { isOpaque ? nil : bounds(without: .clear) }

    private func bounds(without margin: Color) -> PixelRect? {
        let (width, height) = (self.width, self.height)
        var (low, high) = (SIMD4<UInt8>(), SIMD4<UInt8>())
        for (index, level) in [margin.red, margin.green, margin.blue, margin.alpha].enumerated() {
            low[index] = UInt8(max(0, Int(level) - Self.marginTolerance))
            high[index] = UInt8(min(255, Int(level) + Self.marginTolerance))
        }
        let lows = SIMD16(
            lowHalf: SIMD8(lowHalf: low, highHalf: low),
            highHalf: .init(lowHalf: low, highHalf: low))
        let highs = SIMD16(
            lowHalf: SIMD8(lowHalf: high, highHalf: high),
            highHalf: .init(lowHalf: high, highHalf: high))
        var (left, right, top, bottom) = (width, -1, height, -1)
        unsafe withUnsafePixels { pixels in
            func isMargin(_ pixel: UnsafePointer<UInt8>) -> Bool {
                let levels = unsafe UnsafeRawPointer(pixel).loadUnaligned(as: SIMD4<UInt8>.self)
                return !any((levels .< low) .| (levels .> high))
            }
            func areMargin(_ four: UnsafePointer<UInt8>) -> Bool {
                let levels = unsafe UnsafeRawPointer(four).loadUnaligned(as: SIMD16<UInt8>.self)
                return !any((levels .< lows) .| (levels .> highs))
            }
            func firstContent(_ y: Int, before end: Int) -> Int {
                let row = unsafe pixels + y * width * 4
                var x = 0
                while x + 4 <= end, unsafe areMargin(row + x * 4) { x += 4 }
                while x < end, unsafe isMargin(row + x * 4) { x += 1 }
                return x
            }
            func lastContent(_ y: Int, after start: Int) -> Int {
                let row = unsafe pixels + y * width * 4
                var x = width - 1
                while x - 3 > start, unsafe areMargin(row + (x - 3) * 4) { x -= 4 }
                while x > start, unsafe isMargin(row + x * 4) { x -= 1 }
                return x
            }
            func hasContent(_ y: Int) -> Bool { firstContent(y, before: width) < width }
            guard let first = (0..<height).first(where: hasContent),
                let last = (first..<height).last(where: hasContent)
            else { return }
            (top, bottom) = (first, last)
            // Only columns beyond those with known content are searched.
            for y in first...last {
                left = firstContent(y, before: left)
                right = lastContent(y, after: right)
            }
        }
        guard bottom >= 0 else { return nil }
        let bounds = PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
        return bounds == PixelRect(size) ? nil : bounds
    }

    /// The colour that all pixels of the outermost rows and columns share within `tolerance`; nil
    /// if they differ or a pixel is not opaque.
    package func frameColor(tolerance: Int) -> Color? {
        let (pixels, width, height) = (self.pixels, self.width, self.height)
        let first = Color(red: pixels[0], green: pixels[1], blue: pixels[2], alpha: pixels[3])
        func isFrame(_ x: Int, _ y: Int) -> Bool {
            let offset = (y * width + x) * 4
            return pixels[offset + 3] == 255
                && !Self.differs(pixels, offset, from: first, tolerance: tolerance)
        }
        for x in 0..<width where !isFrame(x, 0) || !isFrame(x, height - 1) { return nil }
        for y in 0..<height where !isFrame(0, y) || !isFrame(width - 1, y) { return nil }
        return first
    }

    private var marginColor: Color? {
        let pixels = pixels
        let corners = [0, width - 1, (height - 1) * width, height * width - 1].map { $0 * 4 }
        let colors = corners.map { offset in
            Color(
                red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2],
                alpha: pixels[offset + 3])
        }
        if colors.contains(where: { Int($0.alpha) <= Self.marginTolerance }) { return .clear }
        let agree = corners.allSatisfy { !Self.differs(pixels, $0, from: colors[0]) }
        return agree ? colors[0] : nil
    }

    @inline(__always)
    private static func differs(
        _ pixels: borrowing Span<UInt8>, _ offset: Int, from color: Color,
        tolerance: Int = marginTolerance
    ) -> Bool {
        abs(Int(pixels[offset]) - Int(color.red)) > tolerance
            || abs(Int(pixels[offset + 1]) - Int(color.green)) > tolerance
            || abs(Int(pixels[offset + 2]) - Int(color.blue)) > tolerance
            || abs(Int(pixels[offset + 3]) - Int(color.alpha)) > tolerance
    }
}
