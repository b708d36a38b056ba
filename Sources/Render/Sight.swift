import Codecs
import Raster

/// Whether anything of a picture is visible, in each scheme in which it is drawn.
///
/// A pixel may be lost as a picture is made smaller or cut, so what its emblems do not show is
/// looked for in the picture itself: what is said of it hangs on its bytes, not on their sizes.
struct Sight {
    private var seen: Set<DrawingScheme> = []
    private var unseen: Set<DrawingScheme> = []

    /// The longer side at which a drawing is drawn to be looked at.
    private static let drawingSide = 256.0

    mutating func look(at pixels: borrowing PixelBuffer, in scheme: DrawingScheme) {
        if seen.contains(scheme) { return }
        if pixels.isBlank {
            unseen.insert(scheme)
        } else {
            seen.insert(scheme)
        }
    }

    /// What is said of a picture that was looked at.
    func lint(of picture: borrowing Picture) throws(DecodeError) -> [PictureLint] {
        var lint: [PictureLint] = []
        switch picture {
        case .raster: break
        case .vector(let drawing):
            if drawing.hasUnsupportedFilter { lint.append(.unsupportedFilter) }
            if drawing.hasUnsupportedFeature { lint.append(.unsupportedFeature) }
        }
        if try isBlank(picture) { lint.append(.blank) }
        return lint
    }

    /// Nothing is visible in one of the schemes.
    private func isBlank(_ picture: borrowing Picture) throws(DecodeError) -> Bool {
        for scheme in unseen where !seen.contains(scheme) {
            switch picture {
            case .raster(let pixels): if pixels.isBlank { return true }
            case .vector(let drawing):
                let side = max(drawing.exactWidth, drawing.exactHeight)
                func pixels(_ length: Double) -> Int {
                    max(1, Int((length / side * Self.drawingSide).rounded()))
                }
                let size = PixelSize(
                    width: pixels(drawing.exactWidth), height: pixels(drawing.exactHeight))
                let drawn = try drawing.render(at: size, scheme: scheme)
                guard drawn.isBlank else { continue }
                guard !drawing.shouldShowPaint(in: scheme) else {
                    throw .unsupported(
                        "an SVG with unsupported gradients or patterns. Simplify them")
                }
                return true
            }
        }
        return false
    }
}

extension PixelBuffer {
    /// Every pixel is transparent.
    var isBlank: Bool {
        let pixels = pixels
        for index in stride(from: 3, to: pixels.count, by: 4) where pixels[index] != 0 {
            return false
        }
        return true
    }
}
