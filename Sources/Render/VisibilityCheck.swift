import Codecs
import Raster

/// A check whether anything of an image is visible, in each scheme in which it is drawn.
///
/// Scaling or trimming may remove a pixel. Therefore, if the emblems are blank, the image itself is
/// checked, so that the lint does not depend on the emblem sizes.
struct VisibilityCheck {
    /// The schemes in which at least one emblem showed something.
    private var seen: Set<DrawingScheme> = []
    /// The schemes in which an emblem was blank.
    private var unseen: Set<DrawingScheme> = []

    /// The longer side at which a drawing is rendered for the check, in pixels.
    private static let drawingSide = 256.0

    /// Records whether an emblem in this scheme is blank.
    mutating func note(_ pixels: borrowing PixelBuffer, in scheme: DrawingScheme) {
        if seen.contains(scheme) { return }
        if pixels.isBlank {
            unseen.insert(scheme)
        } else {
            seen.insert(scheme)
        }
    }

    /// Returns the lint about visibility and about unsupported parts of an SVG.
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
    var isBlank: Bool {
        let pixels = pixels
        for index in stride(from: 3, to: pixels.count, by: 4) where pixels[index] != 0 {
            return false
        }
        return true
    }
}
