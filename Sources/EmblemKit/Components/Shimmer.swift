import Artwork
import Codecs
import FoundationEssentials
import Raster
import Theming

/// An animation for an image that is loading: the background of the component with a moving light.
///
/// In an app, a view would animate it. Here it is an animated file, or single frames.
///
/// ```swift
/// let shimmer = AsyncEmblem(url: logo, layout: .large).shimmer
/// try await shimmer.data(as: .webp, scale: 2).write(to: file)
/// ```
public struct Shimmer: Hashable, Sendable {
    /// The number of frames of one round. The first frame shows no light, for users who prefer
    /// reduced motion.
    public static let frameCount = Artwork.Shimmer.frameCount
    /// The duration of each frame.
    public static let frameDuration = Duration.milliseconds(Artwork.Shimmer.frameMilliseconds)

    private let layout: ComponentLayout
    private let appearance: Emblem.Appearance
    /// The theme of the shimmer; `nil` uses ``Theme/current``.
    public var theme: Theme?

    /// Creates a shimmer with the size and shape of an emblem.
    public init(
        layout: Emblem.Layout = .medium, appearance: Emblem.Appearance = .brand,
        theme: Theme? = nil
    ) {
        self.layout = .emblem(layout)
        self.appearance = appearance
        self.theme = theme
    }

    /// Creates a shimmer with the size and shape of an avatar.
    public init(avatar layout: Avatar.Layout, theme: Theme? = nil) {
        self.layout = .avatar(layout)
        appearance = .brand
        self.theme = theme
    }

    /// Draws one frame.
    ///
    /// - Parameters:
    ///   - index: The number of the frame, from 0. Numbers beyond the last frame wrap around.
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: ``EmblemError/scaleOutOfRange(_:)``.
    public func frame(
        _ index: Int, scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let count = Self.frameCount
        return Image(try drawing(scale, scheme).frame((index % count + count) % count))
    }

    /// Draws all frames as an animation, on threads of the library.
    ///
    /// - Parameters:
    ///   - format: WebP, which is lossless here, or PNG.
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: ``EmblemError/failedToEncode(_:)`` for any other format;
    ///   ``EmblemError/scaleOutOfRange(_:)``; `CancellationError` if the task is cancelled.
    public func data(
        as format: FileFormat, scale: Double = 1, scheme: ColorScheme = .light
    ) async throws -> Data {
        let drawing = try drawing(scale, scheme)
        return try await withTaskExecutorPreference(Executors.encoding) {
            try Task.checkCancellation()
            return try Self.animation(drawing, format)
        }
    }

    /// Draws all frames as an animated lossless WebP. Blocks the calling thread meanwhile.
    ///
    /// - Throws: ``EmblemError/failedToEncode(_:)``; ``EmblemError/scaleOutOfRange(_:)``.
    public func webpData(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Data {
        try Self.animation(drawing(scale, scheme), .webp)
    }

    private static func animation(
        _ drawing: Artwork.Shimmer, _ format: FileFormat
    ) throws(EmblemError) -> Data {
        try EmblemError.encoding { () throws(EncodeError) in
            Data(try AnimationEncoder.encode(drawing.frames, format: format.value))
        }
    }

    private func drawing(
        _ scale: Double, _ scheme: ColorScheme
    ) throws(EmblemError) -> Artwork.Shimmer {
        let style = EmblemStyle(
            layout, theme: Theme.inForce(theme).tokens, appearance: appearance,
            scheme: scheme, scale: try ItemDrawing.checked(scale))
        return Artwork.Shimmer(style, scheme: scheme)
    }
}
