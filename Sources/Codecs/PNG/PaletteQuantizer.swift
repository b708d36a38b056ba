import Raster

/// Reduces a picture to at most 256 colours, in integers and without chance.
///
/// Distances are taken between premultiplied colours, as that is what can be seen. Opaque pixels
/// stay opaque, transparent ones transparent. Boxes of colours are cut in two where most error
/// lies until there are enough, then their means are moved by a few rounds of k-means.
enum PaletteQuantizer {
    /// The picture in its reduced colours.
    static func reduce(_ picture: borrowing PixelBuffer) -> PixelBuffer {
        let count = picture.size.area
        var histogram = unsafe picture.withUnsafePixels { pixels in
            unsafe PaletteHistogram(UnsafeRawPointer(pixels), count: count)
        }
        var boxes = histogram.classes
        // One entry is kept for transparent pixels, which belong to no box.
        while boxes.count < 255 {
            guard let worst = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
                boxes[worst].error > 0
            else { break }
            let (low, high) = boxes[worst].split(&histogram.cells)
            boxes[worst] = low
            boxes.append(high)
        }
        let groups = boxes.map { ($0.mean, $0.isOpaque) }
        let opaque = refine(groups.filter(\.1).map(\.0), histogram.cells, isOpaque: true)
        let veiled = refine(groups.filter { !$0.1 }.map(\.0), histogram.cells, isOpaque: false)
        return paint(picture, opaque: opaque, veiled: veiled)
    }

    /// Moves each colour to the mean of the cells nearest to it, a few times.
    private static func refine(
        _ colors: [PaletteColor], _ cells: [PaletteCell], isOpaque: Bool
    ) -> PaletteSearch {
        var search = PaletteSearch(colors)
        guard !colors.isEmpty else { return search }
        let cells = cells.filter { $0.isOpaque == isOpaque }
        for _ in 0..<3 {
            var sums = [PaletteSum](repeating: PaletteSum(), count: search.colors.count)
            for cell in cells {
                sums[search.nearest(to: cell.color)].add(cell)
            }
            let moved = zip(sums, search.colors).map { $0.weight > 0 ? $0.mean : $1 }
            if moved == search.colors { break }
            search = PaletteSearch(moved)
        }
        return search
    }

    private static func paint(
        _ picture: borrowing PixelBuffer, opaque: PaletteSearch, veiled: PaletteSearch
    ) -> PixelBuffer {
        var result = PixelBuffer(size: picture.size)
        let count = picture.size.area
        unsafe picture.withUnsafePixels { pixels in
            let source = unsafe UnsafeRawPointer(pixels)
            unsafe result.withUnsafeMutablePixels { pixels in
                let target = UnsafeMutableRawPointer(pixels)
                var known = [UInt64](repeating: 0, count: 4096)
                for index in 0..<count {
                    let pixel = unsafe source.loadUnaligned(
                        fromByteOffset: index &* 4, as: UInt32.self)
                    if pixel >> 24 == 0 { continue }
                    let slot = Int((pixel &* 0x9E37_79B1) &>> 20)
                    if known[slot] >> 32 != UInt64(pixel) {
                        let search = pixel >> 24 == 255 ? opaque : veiled
                        let color = PaletteColor(pixel: pixel)
                        let found = search.colors[search.nearest(to: color)].pixel
                        known[slot] = UInt64(pixel) << 32 | UInt64(found)
                    }
                    unsafe target.storeBytes(
                        of: UInt32(truncatingIfNeeded: known[slot]), toByteOffset: index &* 4,
                        as: UInt32.self)
                }
            }
        }
        return result
    }
}
