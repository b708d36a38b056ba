import Artwork
import Notation
import Theming

/// A possible problem of a rendered image, which the owner of the image should check.
///
/// Manifests store the texts of the cases, so users rely on this list.
package enum PictureLint: Hashable, Sendable {
    /// The image has fewer pixels than the area that it covers on an emblem of this layout and
    /// scale.
    case upscaled(layout: String, scale: Double)
    /// Fewer than 1 % of the visible pixels have contrast with the background in this scheme.
    case lowContrast(ColorScheme)
    case blank
    /// The image has its own background, which is visible as a box on the emblem.
    case opaqueBackground
    /// The image is smaller than the smallest of its emblems, or below a fixed minimum.
    case tinySource
    /// A name that is part of the image would be less than eight pixels high in an emblem.
    case smallText
    /// The SVG uses a feature that is drawn differently in browsers.
    case unsupportedFeature

    /// The kind of a problem, without details, in the order of records.
    package enum Kind: String, CaseIterable, Hashable, Sendable, Comparable {
        case upscaled
        case lowContrast = "low-contrast"
        case blank
        case opaqueBackground = "opaque-background"
        case tinySource = "tiny-source"
        case smallText = "small-text"
        case unsupportedFeature = "unsupported-feature"

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// The advice for the user, as a sentence.
        package var remedy: String {
            switch self {
            case .upscaled, .tinySource: "Use a larger picture, or an SVG."
            case .lowContrast:
                "Use another --appearance, or a picture for this scheme."
            case .blank: "Replace the picture; nothing of it is visible."
            case .opaqueBackground:
                "Use a picture with a transparent background, or --background own."
            case .smallText: "Use a mark without its name for small layouts."
            case .unsupportedFeature: "Export the SVG with plain paths, or as PNG."
            }
        }

        package static func < (one: Kind, other: Kind) -> Bool { one.rank < other.rank }
    }

    package var kind: Kind {
        switch self {
        case .upscaled: .upscaled
        case .lowContrast: .lowContrast
        case .blank: .blank
        case .opaqueBackground: .opaqueBackground
        case .tinySource: .tinySource
        case .smallText: .smallText
        case .unsupportedFeature: .unsupportedFeature
        }
    }

    package var text: String {
        switch self {
        case .upscaled(let layout, let scale):
            "\(kind.rawValue):\(layout)@\(JSON.number(ofScale: scale).text)"
        case .lowContrast(let scheme): "\(kind.rawValue):\(scheme.rawValue)"
        default: kind.rawValue
        }
    }

    /// Reads the text of reports and messages; nil for anything else.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = Kind(rawValue: String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            switch kind {
            case .blank: self = .blank
            case .opaqueBackground: self = .opaqueBackground
            case .tinySource: self = .tinySource
            case .smallText: self = .smallText
            case .unsupportedFeature: self = .unsupportedFeature
            case .upscaled, .lowContrast: return nil
            }
            return
        }
        switch kind {
        case .upscaled:
            let variant = parts[1].split(separator: "@", omittingEmptySubsequences: false)
            guard variant.count == 2, !variant[0].isEmpty, let scale = Double(String(variant[1])),
                scale.isFinite, scale > 0
            else { return nil }
            self = .upscaled(layout: String(variant[0]), scale: scale)
        case .lowContrast:
            guard let scheme = ColorScheme(rawValue: String(parts[1])) else { return nil }
            self = .lowContrast(scheme)
        default: return nil
        }
    }
}

extension PictureLint {
    package var json: JSON {
        var members = [JSON.Member("code", .string(kind.rawValue))]
        switch self {
        case .upscaled(let layout, let scale):
            members.append(JSON.Member("layout", .string(layout)))
            members.append(JSON.Member("scale", JSON.number(ofScale: scale)))
        case .lowContrast(let scheme):
            members.append(JSON.Member("scheme", .string(scheme.rawValue)))
        default: break
        }
        return .object(members)
    }

    package func write(into json: inout JSONWriter) { json.write(self.json) }

    package init?(_ json: JSON) {
        guard let kind = (json["code"]?.stringValue).flatMap(Kind.init) else { return nil }
        switch kind {
        case .upscaled:
            guard let layout = json["layout"]?.stringValue, let scale = json["scale"]?.doubleValue
            else { return nil }
            self = .upscaled(layout: layout, scale: scale)
        case .lowContrast:
            guard let scheme = (json["scheme"]?.stringValue).flatMap(ColorScheme.init) else {
                return nil
            }
            self = .lowContrast(scheme)
        default: self.init(text: kind.rawValue)
        }
    }
}

extension [PictureLint] {
    /// Returns whether a renderer can report this lint for the recipe: each entry once, in order,
    /// and for existing variants only.
    package func isPossible(for recipe: Recipe) -> Bool {
        guard Set(self).count == count, map(\.kind).isAscending else { return false }
        return allSatisfy { lint in
            switch lint {
            case .upscaled(let layout, let scale):
                recipe.variants.contains { $0.layout.name == layout && $0.scale == scale }
            case .lowContrast(let scheme): recipe.variants.contains { $0.scheme == scheme }
            default: true
            }
        }
    }
}

extension [PictureLint.Kind] {
    fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
