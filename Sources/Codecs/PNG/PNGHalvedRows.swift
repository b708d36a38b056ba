import Raster

/// Decodes a large PNG row by row, and halves it while the rows arrive (`RowHalving`).
///
/// zlib inflates the rows. If it rejects the data, libpng reads the file again without keeping its
/// rows, only to decide which error to report. The error is the same as without halving.
@safe
final class PNGHalvedRows {
    private let samples: PNGSamples
    private let transform: PNGTransform
    private let size: PixelSize
    /// The cache of colours that `transform` converted.
    private let known = ConvertedColors()
    private let halver: RowHalver
    /// Whether pixels are missing from the data, which is an error.
    private var hasHoles = false
    /// The AND of all converted pixels. Its highest byte is 255 if all of them are opaque.
    private var alphas = UInt32.max

    private init(
        size: PixelSize, halvings: Int, samples: PNGSamples, transform: consuming PNGTransform
    ) {
        self.size = size
        self.samples = samples
        self.transform = transform
        halver = RowHalver(size, halvings: halvings)
    }

    /// Returns the bytes that decoding holds beyond those of libpng, the result included.
    static func memoryCost(
        of size: PixelSize, halvings: Int, rowBytes: Int, isInterlaced: Bool
    ) -> Int {
        // Each pass has an inflater and holds two packed and four unpacked rows. Converted colours
        // take 100 KB.
        let pass = rowBytes.saturating(times: 6).saturating(plus: 64 << 10)
        return RowHalver.memoryCost(size, halvings: halvings)
            .saturating(plus: pass.saturating(times: isInterlaced ? 8 : 1))
            .saturating(plus: size.width.saturating(times: 4))
            .saturating(plus: 128 << 10)
    }

    static func decode(
        _ bytes: Span<UInt8>, layout: PNGLayout, firstData: PNGChunk, samples: PNGSamples,
        transform: consuming PNGTransform, halvings: Int, request: DecodeRequest
    ) throws(DecodeError) -> PixelBuffer {
        let rows = PNGHalvedRows(
            size: layout.header.size, halvings: halvings, samples: samples, transform: transform)
        if request.codecs == .system {
            try rows.readWithLibrary(bytes, layout, firstData)
        } else {
            let isSound = try unsafe bytes.withUnsafeBufferPointer {
                file throws(DecodeError) -> Bool in
                let data = unsafe PNGInflater(UnsafeRawBufferPointer(file), firstData)
                guard let data else { throw .limitDecode("no memory for a PNG") }
                return layout.header.isInterlaced
                    ? try rows.readPasses(of: layout.header, data)
                    : try rows.readRows(of: layout.header, data)
            }
            if !isSound {
                try PNGLibrary.read(
                    bytes, layout: layout, firstData: firstData,
                    to: unsafe PNGLibrary.RowPlace { _ in nil })
                guard !rows.hasHoles else {
                    throw .corrupt("the image data is damaged")
                }
            }
        }
        return rows.halver.finish(
            isOpaque: samples.isSurelyOpaque || rows.alphas >> 24 == 255)
    }

    private func readRows(of header: PNGHeader, _ data: PNGInflater) throws(DecodeError) -> Bool {
        for pass in PNGPass.all(of: header) {
            let rows = PNGPassRows(of: pass, in: header, data)
            while !halver.isComplete {
                guard let row = try unsafe rows.next() else {
                    hasHoles = true
                    return false
                }
                alphas &= unsafe convert(row, to: halver.next, count: size.width)
                halver.take()
            }
        }
        return data.isAtEnd()
    }

    /// Inflates the data twice: once to find where each pass begins, and then with one inflater for
    /// each pass, so that the rows of the image arrive in order.
    private func readPasses(of header: PNGHeader, _ data: PNGInflater) throws(DecodeError) -> Bool {
        var passes: [PNGPassRows] = []
        for pass in PNGPass.all(of: header) where !hasHoles {
            guard let copy = PNGInflater(copy: data) else {
                throw .limitDecode("no memory for a PNG")
            }
            let rows = PNGPassRows(of: pass, in: header, copy)
            passes.append(rows)
            hasHoles = !data.skip(rows.byteCount)
        }
        if hasHoles { return false }
        let isSound = data.isAtEnd()
        let line = UnsafeMutablePointer<UInt8>.allocate(capacity: size.width * 4)
        defer { unsafe line.deallocate() }
        while !halver.isComplete {
            let (y, target) = unsafe (halver.count, UnsafeMutableRawPointer(halver.next))
            unsafe halver.next.update(repeating: 0, count: size.width * 4)
            for rows in passes where rows.pass.contains(row: y) {
                let pass = rows.pass
                guard let row = try unsafe rows.next() else {
                    hasHoles = true
                    continue
                }
                alphas &= unsafe convert(row, to: line, count: pass.size.width)
                unsafe pass.scatter(line, to: target)
            }
            halver.take()
        }
        return isSound
    }

    private func readWithLibrary(
        _ bytes: Span<UInt8>, _ layout: PNGLayout, _ firstData: PNGChunk
    ) throws(DecodeError) {
        let place = unsafe PNGLibrary.RowPlace { row in
            if row > 0 { self.takeStraight() }
            return unsafe self.halver.next
        }
        try PNGLibrary.read(bytes, layout: layout, firstData: firstData, to: place)
        takeStraight()
    }

    /// Converts and premultiplies the straight row that libpng wrote to `halver.next`, and passes
    /// it to the halver.
    private func takeStraight() {
        alphas &= unsafe transform.apply(to: halver.next, count: size.width, known: known)
        halver.take()
    }

    /// Writes premultiplied sRGB pixels and returns the AND of their alphas in the highest byte.
    private func convert(
        _ row: UnsafeRawPointer, to pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) -> UInt32 {
        let alphas = unsafe samples.convert(row, to: pixels, count: count)
        guard samples.writesStraightPixels else { return alphas }
        return unsafe transform.apply(to: pixels, count: count, known: known)
    }
}
