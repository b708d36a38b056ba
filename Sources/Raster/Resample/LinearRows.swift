/// Rows of linear light (`LinearLight`), either converted from the pixels of a picture or read from
/// memory that holds linear light. Does not own its memory.
@safe
struct LinearRows {
    let size: PixelSize
    private let pixels: UnsafePointer<UInt8>?
    private let light: UnsafePointer<Int16>?

    init(pixels: UnsafePointer<UInt8>, size: PixelSize) {
        self.size = size
        unsafe self.pixels = pixels
        unsafe light = nil
    }

    init(light: UnsafePointer<Int16>, size: PixelSize) {
        self.size = size
        unsafe pixels = nil
        unsafe self.light = light
    }

    func read(_ y: Int, _ columns: Range<Int>, into target: UnsafeMutablePointer<Int16>) {
        let first = (y * size.width + columns.lowerBound) * 4
        if let light = unsafe light {
            unsafe target.update(from: light + first, count: columns.count * 4)
        } else if let pixels = unsafe pixels {
            unsafe LinearLight.read(pixels + first, into: target, count: columns.count)
        }
    }
}

/// A picture of linear light that was halved (`HalvedRow`) from a larger one.
@safe
final class LinearHalves {
    let size: PixelSize
    private let base: UnsafeMutablePointer<Int16>

    /// Halves the axes given by `step` once; the source has the shrinkage `origin`.
    init(of source: LinearRows, _ origin: Shrinkage, _ step: PyramidSteps) {
        let (width, height) = (source.size.width, source.size.height)
        let axes = origin.axes
        size = PixelSize(
            width: (width + step.across) >> step.across,
            height: (height + step.down) >> step.down)
        unsafe base = .allocate(capacity: size.area * 4)
        unsafe base.initialize(repeating: 0, count: size.area * 4)

        let length = width * 4
        let ring = UnsafeMutablePointer<Int16>.allocate(capacity: length * 4)
        unsafe ring.initialize(repeating: 0, count: length * 4)
        // The sums have room for one pixel before the first and two past the last.
        let sums = UnsafeMutablePointer<Int32>.allocate(capacity: length + 12)
        unsafe sums.initialize(repeating: 0, count: length + 12)
        defer {
            unsafe ring.deallocate()
            unsafe sums.deallocate()
        }
        var read = 0
        for row in 0..<size.height {
            // On an axis that is not halved, four copies of the row are mixed.
            let top = step.down > 0 ? 2 * row - 1 : row
            let reach = step.down > 0 ? 3 : 0
            while read < min(top + reach + 1, height) {
                unsafe source.read(read, 0..<width, into: ring + read % 4 * length)
                read += 1
            }
            func line(_ offset: Int) -> UnsafePointer<Int16> {
                let y = axes.down.pixel(top + min(offset, reach))
                return unsafe UnsafePointer(ring + y % 4 * length)
            }
            let target = unsafe base + row * size.width * 4
            unsafe Self.weigh(line(0), line(1), line(2), line(3), into: sums + 4, count: length)
            unsafe Self.narrow(
                sums, into: target, axes.across, to: size.width, isHalved: step.across > 0)
        }
    }

    deinit {
        unsafe base.deallocate()
    }

    var rows: LinearRows { unsafe LinearRows(light: UnsafePointer(base), size: size) }

    /// Adds four rows with the weights 1, 3, 3, 1.
    private static func weigh(
        _ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>,
        _ third: UnsafePointer<Int16>, _ fourth: UnsafePointer<Int16>,
        into sums: UnsafeMutablePointer<Int32>, count: Int
    ) {
        for index in 0..<count {
            let outer = unsafe Int32(first[index]) &+ Int32(fourth[index])
            let inner = unsafe Int32(second[index]) &+ Int32(third[index])
            unsafe sums[index] = outer &+ inner &* 3
        }
    }

    /// Halves a row of sums, or only divides the sums by their weights if the axis is not halved.
    private static func narrow(
        _ sums: UnsafeMutablePointer<Int32>, into target: UnsafeMutablePointer<Int16>,
        _ axis: HalvedAxis, to count: Int, isHalved: Bool
    ) {
        guard isHalved else {
            for index in 0..<(count * 4) {
                unsafe target[index] = Int16(truncatingIfNeeded: (sums[index + 4] &+ 4) &>> 3)
            }
            return
        }
        for channel in 0..<4 {
            unsafe sums[channel] = sums[4 + channel]
            for past in axis.count...(axis.count + 1) {
                let twin = axis.pixel(past)
                unsafe sums[(past + 1) * 4 + channel] = sums[(twin + 1) * 4 + channel]
            }
        }
        for half in 0..<count {
            let first = unsafe sums + half * 8
            for channel in 0..<4 {
                let outer = unsafe first[channel] &+ first[channel + 12]
                let inner = unsafe first[channel + 4] &+ first[channel + 8]
                let sum = outer &+ inner &* 3
                unsafe target[half * 4 + channel] = Int16(truncatingIfNeeded: (sum &+ 32) &>> 6)
            }
        }
    }
}
