import Theming

extension Badge {
    /// The pill with its text, exactly as large as it is.
    package func sketch(_ style: BadgeStyle) throws(ArtworkError) -> Sketch {
        guard !isDot else { return dot(style) }
        let line = try BadgeLine(text, style)
        let (scale, height) = (style.scale, style.height)
        // Whole pixels, so that no column is half covered.
        let wanted = max(height, line.ink.width + 2 * line.padding)
        let width = (min(wanted, max(height, style.maxWidth)) * scale).rounded(.up) / scale
        var sketch = Sketch(width: width, height: height, title: text)
        sketch.add(
            .fill(
                Box(x: 0, y: 0, width: width, height: height, radius: height / 2),
                style.colors.background))
        let block = try TextBlock(
            line.text, style: TextStyle(size: line.size, weight: .semibold))
        sketch.add(
            .text(
                block, x: (width - line.ink.width) / 2 - line.ink.x,
                y: line.baseline(style) - block.style.baseline, style.colors.foreground))
        return sketch
    }
}

extension Badge {
    /// A circle in whole pixels.
    private func dot(_ style: BadgeStyle) -> Sketch {
        let side = max(1, (style.dotSide * style.scale).rounded()) / style.scale
        var sketch = Sketch(width: side, height: side)
        sketch.add(
            .fill(
                Box(x: 0, y: 0, width: side, height: side, radius: side / 2),
                style.colors.background))
        return sketch
    }
}

/// The text of a badge, made to fit.
private struct BadgeLine {
    private(set) var text: String
    private(set) var size: Double
    private(set) var padding: Double
    private(set) var ink: TextLayout.Ink

    /// Text that is too wide may become so much smaller before it is cut.
    private static let leastShare = 0.8

    init(_ text: String, _ style: BadgeStyle) throws(ArtworkError) {
        self.text = text
        size = min(max(style.textSize, TextStyle.sizes.lowerBound), TextStyle.sizes.upperBound)
        // A single character stands in a circle, if it has room there.
        padding = text.count == 1 ? min(style.padding, BadgeStyle.clearance) : style.padding
        ink = try Self.ink(of: text, size)
        let tallest = style.height - 2 * BadgeStyle.clearance
        if ink.height > tallest {
            // Marks that tower over a letter take the whole line down with them.
            size = max(TextStyle.sizes.lowerBound, size * tallest / ink.height)
            ink = try Self.ink(of: text, size)
        }
        try fit(style)
    }

    /// First the room at the ends is given up, then some of the size, then the end of the text.
    private mutating func fit(_ style: BadgeStyle) throws(ArtworkError) {
        guard ink.width + 2 * padding > style.maxWidth else { return }
        padding = min(padding, BadgeStyle.clearance)
        let room = max(1, style.maxWidth - 2 * padding)
        guard ink.width > room else { return }
        let smaller = max(size * Self.leastShare, size * room / ink.width)
        size = max(TextStyle.sizes.lowerBound, smaller)
        ink = try Self.ink(of: text, size)
        guard ink.width > room else { return }
        let characters = Array(text)
        var (fitting, tooMany) = (0, characters.count)
        while tooMany - fitting > 1 {
            let middle = (fitting + tooMany) / 2
            let width = try Self.ink(of: Self.cut(characters, middle), size).width
            if width > room { tooMany = middle } else { fitting = middle }
        }
        text = Self.cut(characters, fitting)
        ink = try Self.ink(of: text, size)
    }

    private static func cut(_ characters: [Character], _ count: Int) -> String {
        var text = String(characters[..<count])
        while text.last == " " { text.removeLast() }
        return text + "…"
    }

    private static func ink(of text: String, _ size: Double) throws(ArtworkError) -> TextLayout.Ink
    {
        try ShapedText.use(text, font: (size, .semibold)) { $0.ink }
    }

    /// Capitals stand in the middle with their feet on a whole pixel, other scripts as they look;
    /// nothing comes nearer to the edge than the clearance.
    func baseline(_ style: BadgeStyle) -> Double {
        let isLatin = text.contains { $0.isUppercase || $0.isLowercase || $0.isNumber }
        let capHeight = size * TextStyle.capitalShare
        let middle =
            isLatin
            ? (style.height + capHeight) / 2 : (style.height - ink.height) / 2 - ink.y
        let baseline = (middle * style.scale).rounded() / style.scale
        let highest = BadgeStyle.clearance - ink.y
        let lowest = style.height - BadgeStyle.clearance - ink.y - ink.height
        guard highest <= lowest else { return (highest + lowest) / 2 }
        return min(max(baseline, highest), lowest)
    }
}
