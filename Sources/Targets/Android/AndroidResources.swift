import Raster
import Transport

/// An Android resource folder: drawables by density and night mode, and the theme's values.
package struct AndroidResources: OutputTarget {
    package var kind: TargetKind { .android }
    private let tokens: ThemeTokens

    package init(_ tokens: ThemeTokens) { self.tokens = tokens }

    /// Whether dark pictures and colours have folders for the night mode. If only the dark scheme
    /// is made, its pictures are stored for both modes.
    private var hasNight: Bool { tokens.hasDark && tokens.hasLight }

    package func path(of picture: TargetPicture) -> RelativePath? {
        let night = hasNight && picture.isDark ? "night-" : ""
        let name = picture.name(for: .android)
        return RelativePath(
            "drawable-\(night)\(Self.density(picture.scale))/"
                + "\(picture.component)_\(name)_"
                + "\(ResourceName.part(picture.layout)).\(picture.fileExtension)")
    }

    package var documents: [TargetDocument] {
        var files = [
            colors("values") { tokens.main($0) },
            TargetFile(
                "values/emblem_dimens.xml",
                resources(
                    tokens.measures.map {
                        ("dimen", $0.name, ThemeNumber.text($0.points) + "dp")
                    })),
        ]
        if hasNight { files.append(colors("values-night") { $0.dark }) }
        return files.map { TargetDocument($0) }
    }

    private func colors(
        _ folder: String, _ color: (ThemeTokens.Shade) -> Color
    ) -> TargetFile {
        TargetFile(
            "\(folder)/emblem_colors.xml",
            resources(tokens.colors.map { ("color", $0.name, Self.text(of: color($0))) }))
    }

    private func resources(
        _ values: [(element: String, name: String, text: String)]
    ) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n"
        for value in values {
            let name = "emblem_" + ResourceName.part(value.name)
            text += "    <\(value.element) name=\"\(name)\">\(value.text)</\(value.element)>\n"
        }
        return text + "</resources>\n"
    }

    /// Formats a colour with alpha first; alpha is omitted if the colour is opaque.
    private static func text(of color: Color) -> String {
        let digits = color.hex.dropFirst()
        return digits.count == 8 ? "#\(digits.suffix(2))\(digits.prefix(6))" : "#\(digits)"
    }

    private static func density(_ scale: Double) -> String {
        switch scale {
        case 1: "mdpi"
        case 1.5: "hdpi"
        case 2: "xhdpi"
        case 3: "xxhdpi"
        default: "xxxhdpi"
        }
    }
}

/// Names of Android resources: lower-case ASCII letters, digits and `_`.
enum ResourceName {
    /// Returns the name with a dash for each run of other characters, so that a suffix after `_`
    /// stays distinct.
    static func dashed(_ name: String) -> String {
        var text = ""
        for scalar in name.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9": text.unicodeScalars.append(scalar)
            default: if text.last != "-" { text.append("-") }
            }
        }
        while text.first == "-" { text.removeFirst() }
        while text.last == "-" { text.removeLast() }
        return text.isEmpty ? "item" : text
    }

    /// Returns the word with `_` for each run of other characters.
    static func part(_ word: String) -> String {
        dashed(word).replacing("-", with: "_")
    }
}
