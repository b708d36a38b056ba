extension Color {
    /// The relative luminance of WCAG 2, 0 (black) to 1 (white); alpha is ignored.
    package var relativeLuminance: Double {
        0.2126 * SRGBCurve.linear(red) + 0.7152 * SRGBCurve.linear(green)
            + 0.0722 * SRGBCurve.linear(blue)
    }

    /// The contrast ratio of WCAG 2, 1 to 21, whichever of the two is the lighter one.
    package func contrast(against other: Color) -> Double {
        let (first, second) = (relativeLuminance, other.relativeLuminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}
