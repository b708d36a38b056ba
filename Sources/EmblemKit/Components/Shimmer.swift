import Artwork
import Codecs
import FoundationEssentials
import Raster
import Theming

/// What stands for a picture that is being loaded: its background, over which a light moves.
///
/// On Apple's systems a view animates it; here it is an animation, or one frame after another.
///
/// ```swift
/// let shimmer = AsyncEmblem(url: logo, layout: .large).shimmer
/// try shimmer.webpData(scale: 2).write(to: file)
/// ```
public struct Shimmer: Hashable, Sendable {
    /// The frames of one round; the first has no light on it, for those who asked for less motion.
    public static let frameCount = Artwork.Shimmer.frameCount
    /// How long each is shown.
    public static let frameDuration = Duration.milliseconds(Artwork.Shimmer.frameMilliseconds)

    private let layout: ComponentLayout
    private let appearance: Emblem.Appearance
    /// The theme in which it is drawn; `nil` takes ``Theme/current``.
    public var theme: Theme?

    /// The shimmer of an emblem, in its size and shape.
    public init(
        layout: Emblem.Layout = .medium, appearance: Emblem.Appearance = .brand,
        theme: Theme? = nil
    ) {
        self.layout = .emblem(layout.value)
        self.appearance = appearance
        self.theme = theme
    }

    /// The shimmer of an avatar, in its size and shape.
    public init(avatar layout: Avatar.Layout, theme: Theme? = nil) {
        self.layout = .avatar(layout.value)
        appearance = .brand
        self.theme = theme
    }

    /// One frame; those beyond the last begin anew.
    ///
    /// - Parameters:
    ///   - index: from 0.
    ///   - scale: pixels a point, from 0.5 to 4.
    ///   - scheme: the screens that it is for.
    /// - Throws: ``EmblemError/scaleOutOfRange(_:)``.
    public func frame(
        _ index: Int, scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Image {
        let count = Self.frameCount
        return Image(try drawing(scale, scheme).frame((index % count + count) % count))
    }

    /// All frames as an animated WebP, which loses nothing.
    ///
    /// - Throws: ``EmblemError/failedToEncode(_:)``, ``EmblemError/scaleOutOfRange(_:)``.
    public func webpData(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Data {
        try animation(.webp, scale, scheme)
    }

    /// All frames as an animated PNG.
    ///
    /// - Throws: ``EmblemError/failedToEncode(_:)``, ``EmblemError/scaleOutOfRange(_:)``.
    public func pngData(
        scale: Double = 1, scheme: ColorScheme = .light
    ) throws(EmblemError) -> Data {
        try animation(.png, scale, scheme)
    }

    private func animation(
        _ format: OutputFormat, _ scale: Double, _ scheme: ColorScheme
    ) throws(EmblemError) -> Data {
        let frames = try drawing(scale, scheme).frames
        do throws(EncodeError) {
            return Data(try AnimationEncoder.encode(frames, format: format))
        } catch {
            throw .failedToEncode("\(error)")
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
