import CDrawing
import Codecs
import Raster

/// Initials as text in the middle of a canvas: white, to be tinted, or with emoji in their colours.
///
/// Glyphs are drawn as outlines at exact positions: no hinting, no rounding to pixels, so every
/// layout and scale shows the same letters. Any thread may draw.
struct InitialsText {
    private let initials: Initials

    /// The text size in heights of the canvas.
    static let sizeShare = 0.4
    /// The width that two wide letters may take, in heights of the canvas: what a circle leaves.
    static let widthShare = 0.7

    /// The size of a single emoji, which is a picture rather than a letter.
    static let emojiShare = 0.5

    init(_ initials: Initials) {
        self.initials = initials
    }

    /// Draws in white, or in `color` where a tint would take the emoji's colours away.
    func draw(on canvas: PixelSize, _ color: Color) throws(ArtworkError) -> PixelBuffer {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try drawInTurn(on: canvas, color)
        }
    }

    private func drawInTurn(
        on canvas: PixelSize, _ color: Color
    ) throws(ArtworkError) -> PixelBuffer {
        let height = Double(canvas.height)
        let isPicture = hasEmoji && initials.text.count == 1
        let share = isPicture ? Self.emojiShare : Self.sizeShare
        var layout = try TextLayout(initials.text, size: height * share)
        let widest = height * Self.widthShare
        let tallest = max(layout.ink.width, layout.ink.height)
        if tallest > widest {
            layout = try TextLayout(initials.text, size: height * share * widest / tallest)
        }
        let ink = layout.ink
        let x = (Double(canvas.width) - ink.width) / 2 - ink.x
        // Capitals stand with their feet on a whole pixel; what hangs below the line, as on Q,
        // must not lift the letter. Other scripts are centred as they look.
        let baseline =
            isCapitals
            ? ((height + layout.capHeight) / 2).rounded()
            : (height - ink.height) / 2 - ink.y
        var pixels = PixelBuffer(size: canvas)
        try layout.draw(
            on: &pixels, x: x, baseline: baseline, color: hasEmoji ? color : .white)
        return pixels
    }

    func lacksGlyphs() throws(ArtworkError) -> Bool {
        try FontCache.draw(with: .usual) { () throws(ArtworkError) in
            try TextLayout(initials.text, size: 24).missingGlyphs > 0
        }
    }

    /// Some of the text has colours of its own.
    var hasEmoji: Bool {
        initials.text.unicodeScalars.contains {
            $0.properties.isEmojiPresentation || $0.value == 0xFE0F
        }
    }

    /// Only capitals and digits of scripts that have capitals.
    private var isCapitals: Bool {
        initials.text.allSatisfy { $0.isUppercase || ("0"..."9").contains($0) }
    }
}
