import Codecs
import Render

/// The scales at which something is made of a picture, and the formats.
package struct PictureSet: Hashable, Sendable {
    /// In ascending order.
    package let scales: [Double]
    /// In the order in which they were asked for; none stands for the recipe's own.
    package let formats: [OutputFormat]

    package init(scales: [Double], formats: [OutputFormat]) {
        self.scales = scales.sorted()
        self.formats = formats
    }

    /// The variant is one of the set.
    package func holds(_ variant: Variant) -> Bool {
        scales.contains(variant.scale) && (variant.format.map { formats.contains($0) } ?? true)
    }

    /// Every scale of the sets with its formats, each once: what several of them want is drawn and
    /// encoded for all.
    static func union(
        of sets: [PictureSet], or scales: [Double]
    ) -> [(scale: Double, format: OutputFormat?)] {
        guard !sets.isEmpty else { return scales.map { ($0, nil) } }
        return Set(sets.flatMap(\.scales)).sorted().flatMap { scale in
            var formats: [OutputFormat?] = []
            for set in sets where set.scales.contains(scale) {
                let wanted = set.formats.isEmpty ? [nil] : set.formats.map { Optional($0) }
                formats += wanted.filter { !formats.contains($0) }
            }
            return formats.map { (scale, $0) }
        }
    }
}
