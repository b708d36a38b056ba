import Raster

/// Writes PNG: the smallest colour type that holds the picture, no metadata.
package enum PNGEncoder {
    /// Encodes losslessly, or, with `palette`, in at most 256 colours chosen for the picture.
    ///
    /// Decoding gives the same premultiplied pixels again. The same pixels give the same bytes.
    package static func encode(
        _ picture: borrowing PixelBuffer, palette: Bool
    ) throws(EncodeError) -> [UInt8] {
        let edge = OutputFormat.png.edgeLimit
        guard picture.width <= edge, picture.height <= edge else {
            throw .tooLarge(.png, picture.size)
        }
        let pixels = PNGStraightPixels(picture)
        if let colors = PNGColors(pixels) {
            return try smallest(pixels, colors: colors)
        }
        guard palette else { return try smallest(pixels, colors: nil) }
        let reduced = PNGStraightPixels(PaletteQuantizer.reduce(picture))
        return try smallest(reduced, colors: PNGColors(reduced))
    }

    /// Compares the ways that are open and compresses those that may be the best.
    private static func smallest(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(
            size: pixels.size, bitDepth: 8, colorType: pixels.colorType, isInterlaced: false)
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        let plain = PNGDraft(header: header, rows: PNGFilteredRows(rows, choice: .fixed(.none)))
        let filtered = PNGDraft(header: header, rows: PNGFilteredRows(rows, choice: .smallest))
        // A guess this near to the best is worth a trial; small pictures are guessed less well
        // and tried at less cost.
        let tenths = pixels.count <= 4096 ? 14 : 12
        var limit = min(plain.guess, filtered.guess) * tenths
        var file: [UInt8] = []
        if let colors {
            let indexed = PNGDraft(pixels, colors: colors)
            limit = min(limit, indexed.guess * tenths)
            // Indices are quickly compressed, and where colours are few and strewn about they are
            // better than their guess.
            try indexed.write(ifBelow: .max, smallest: &file)
        }
        try plain.write(ifBelow: limit, smallest: &file)
        try filtered.write(ifBelow: limit, smallest: &file)
        return file
    }
}

extension PNGStraightPixels {
    /// The least that holds every pixel in whole bytes.
    fileprivate var colorType: PNGHeader.ColorType {
        switch (isGrey, isOpaque) {
        case (true, true): .grey
        case (true, false): .greyAlpha
        case (false, true): .rgb
        case (false, false): .rgba
        }
    }
}
