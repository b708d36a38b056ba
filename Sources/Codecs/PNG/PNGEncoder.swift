import Raster

/// Writes PNG: the smallest colour type that holds the picture, no metadata.
package enum PNGEncoder {
    /// Encodes losslessly, or, with `palette`, in at most 256 colours chosen for the picture.
    ///
    /// Decoding gives the same premultiplied pixels again. The same pixels give the same bytes.
    package static func encode(
        _ picture: borrowing PixelBuffer, palette: Bool, kernel: KernelChoice = .best
    ) throws(EncodeError) -> [UInt8] {
        let edge = OutputFormat.png.edgeLimit
        guard picture.width <= edge, picture.height <= edge else {
            throw .tooLarge(.png, picture.size)
        }
        let pixels = PNGStraightPixels(picture)
        if let colors = PNGColors(pixels) {
            return try smallest(pixels, colors: colors, kernel: kernel)
        }
        guard palette else { return try smallest(pixels, colors: nil, kernel: kernel) }
        let reduced = PNGStraightPixels(PaletteQuantizer.reduce(picture))
        return try smallest(reduced, colors: PNGColors(reduced), kernel: kernel)
    }

    /// Up to this many pixels a picture is guessed less well, and trials cost little.
    private static let smallArea = 4096

    /// Compares the ways that are open and compresses the best; of a small picture all that may
    /// be the best.
    private static func smallest(
        _ pixels: borrowing PNGStraightPixels, colors: PNGColors?, kernel: KernelChoice
    ) throws(EncodeError) -> [UInt8] {
        let header = PNGHeader(
            size: pixels.size, bitDepth: 8, colorType: pixels.colorType, isInterlaced: false)
        let rows = PNGPackedRows(pixels, header: header, colors: nil)
        var plain = PNGDraft(header: header, rows: PNGFilteredRows(rows, choice: .fixed(.none)))
        let filtered = PNGDraft(
            header: header, rows: PNGFilteredRows(rows, choice: .smallest, kernel: kernel))
        var file: [UInt8] = []
        guard pixels.count <= Self.smallArea else {
            // Indices of a byte are no shorter than grey samples.
            if let colors, header.colorType != .grey || colors.colors.count <= 16 {
                try PNGDraft(pixels, colors: colors).write(ifBelow: .max, smallest: &file)
            } else if plain.guess * 5 <= filtered.guess * 6 {
                // The guess is a little hard on plain rows: level with the others, they win.
                plain.isFlat = plain.guess <= filtered.guess
                try plain.write(ifBelow: .max, smallest: &file)
            } else {
                try filtered.write(ifBelow: .max, smallest: &file)
            }
            return file
        }
        // A guess this near to the best is worth a trial.
        var limit = min(plain.guess, filtered.guess) * 14
        if let colors {
            let indexed = PNGDraft(pixels, colors: colors)
            limit = min(limit, indexed.guess * 14)
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
