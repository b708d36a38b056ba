import Codecs

/// A format in which the library writes images.
public enum FileFormat: String, CaseIterable, Hashable, Sendable {
    case png, webp, jpeg, avif

    /// The quality of a file.
    public typealias Quality = EncodeQuality

    /// The media type for `Content-Type`, such as `image/webp`.
    public var mediaType: String { "image/\(rawValue)" }

    /// The extension of a file name, without the dot.
    public var fileExtension: String { value.fileExtension }

    var value: OutputFormat {
        switch self {
        case .png: .png
        case .webp: .webp
        case .jpeg: .jpeg
        case .avif: .avif
        }
    }
}

extension FileFormat {
    /// Chooses the format that a client prefers, by its `Accept` header.
    ///
    /// WebP and AVIF are chosen only if the header names them, because many clients that
    /// send `*/*` cannot decode them. PNG and JPEG also match `image/*` and `*/*`.
    ///
    /// - Parameters:
    ///   - header: The value of the header. A missing or empty header counts as `*/*`.
    ///   - formats: The formats to choose from. Among formats with equal weight, the first is
    ///     chosen.
    /// - Returns: `nil` if the client accepts none of the formats. A server answers 406.
    public init?(accepting header: String?, from formats: [FileFormat]) {
        let ranges = Self.ranges(of: header ?? "")
        var best: (format: FileFormat, weight: Double)?
        for format in formats {
            let weight = format.weight(in: ranges)
            if weight > best?.weight ?? 0 { best = (format, weight) }
        }
        guard let best else { return nil }
        self = best.format
    }

    /// Returns the weights of the header by media range, in lower case.
    private static func ranges(of header: String) -> [String: Double] {
        var weights: [String: Double] = [:]
        for part in header.lowercased().split(separator: ",") {
            let fields = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let range = fields.first, !range.isEmpty else { continue }
            let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.map {
                Double($0.dropFirst(2)) ?? 0
            }
            weights[range] = weight ?? 1
        }
        return weights.isEmpty ? ["*/*": 1] : weights
    }

    /// Returns the weight of the most specific range that includes the format, or 0 if there is
    /// none.
    private func weight(in ranges: [String: Double]) -> Double {
        if let weight = ranges[mediaType] { return weight }
        guard self == .png || self == .jpeg else { return 0 }
        return ranges["image/*"] ?? ranges["*/*"] ?? 0
    }
}
