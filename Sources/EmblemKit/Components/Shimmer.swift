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
/// try shimmer.webpData(scale: 2).write(to: file)
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
        self.layout = .emblem(layout.value)
        self.appearance = appearance
        self.theme = theme
    }

    /// Creates a shimmer with the size and shape of an avatar.
    public init(avatar layout: Avatar.Layout, theme: Theme? = nil) {
        self.layout = .avatar(layout.value)
        appearance = .brand
        self.theme = theme
    }

    /// Draws one frame.
    ///
    /// - Parameters:
    ///   - index: The number of the frame, from 0. Larger numbers repeat the round.
    ///   - scale: Pixels per point, from 0.5 to 4.
    ///   - scheme: The screen scheme to draw for.
    /// - Throws: ``EmblemError/scaleOutOfRange(_:)``.
    public func frame(
        _ index: Int, scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let count = Self.frameCount
        return Image(try drawing(scale, scheme).frame((index % count + count) % count))
    }

    /// Draws all frames as an animated lossless WebP.
    ///
    /// - Throws: ``EmblemError/failedToEncode(_:)``; ``EmblemError/scaleOutOfRange(_:)``.
    public func webpData(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Data {
        try animation(.webp, scale, scheme)
    }

    /// Draws all frames as an animated PNG.
    ///
    /// - Throws: ``EmblemError/failedToEncode(_:)``; ``EmblemError/scaleOutOfRange(_:)``.
    public func pngData(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Data {
        try animation(.png, scale, scheme)
    }

    private func animation(
        _ format: OutputFormat, _ scale: Double, _ scheme: ColorScheme
    ) throws(EmblemError) -> Data {
        let frames = try drawing(scale, scheme).frames
        return try EmblemError.encoding { () throws(EncodeError) in
            Data(try AnimationEncoder.encode(frames, format: format))
        }
    }

    private func drawing(
        _ scale: Double, _ scheme: ColorScheme
    ) throws(EmblemError) -> Artwork.Shimmer {
        let style = EmblemStyle(
            layout, theme: Theme.inForce(theme).tokens, appearance: appearance.value,
            scheme: scheme.value, scale: try EmblemLook.checked(scale))
        return Artwork.Shimmer(style, scheme: scheme.value)
    }
}
