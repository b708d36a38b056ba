import Codecs
import Raster

/// A check whether anything of an image is visible.
///
/// Scaling or trimming may remove a pixel. Therefore, if the emblems are blank, the image itself is
/// checked, so that the lint does not depend on the emblem sizes.
struct VisibilityCheck {
    /// Whether an emblem was blank, and no emblem showed anything.
    private var isUnseen = false
    private var isSeen = false

    /// The longer side at which a drawing is rendered for the check, in pixels.
    private static let drawingSide = 256.0

    /// Records whether an emblem is blank.
    mutating func note(_ pixels: borrowing PixelBuffer) {
        if isSeen { return }
        isSeen = !pixels.isBlank
        isUnseen = !isSeen
    }

    /// Returns the lint about visibility and about unsupported parts of an SVG.
    func lint(of picture: borrowing Picture) throws(DecodeError) -> [PictureLint] {
        switch picture {
        case .raster(let pixels): return isUnseen && pixels.isBlank ? [.blank] : []
        case .vector(let drawing):
            var lint: [PictureLint] = drawing.hasUnsupportedFeature ? [.unsupportedFeature] : []
            if isUnseen {
                let side = max(drawing.exactWidth, drawing.exactHeight)
                func pixels(_ length: Double) -> Int {
                    max(1, Int((length / side * Self.drawingSide).rounded()))
                }
                let size = PixelSize(
                    width: pixels(drawing.exactWidth), height: pixels(drawing.exactHeight))
                if try drawing.render(at: size).isBlank { lint.append(.blank) }
            }
            return lint
        }
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
