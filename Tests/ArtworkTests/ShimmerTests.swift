import Artwork
import Codecs
import Raster
import Testing
import Theming

@Suite("Shimmers")
struct ShimmerTests {
    private func style(
        _ layout: EmblemLayout = .medium, _ scheme: ColorScheme = .light, scale: Double = 1
    ) -> EmblemStyle {
        EmblemStyle(.emblem(layout), theme: .builtIn, scheme: scheme, scale: scale)
    }

    @Test("a shimmer has the size and shape of its emblem, and its colour at rest")
    func shape() throws {
        for layout in EmblemLayout.allCases {
            for scale in [1.0, 1.5, 3] {
                let style = style(layout, scale: scale)
                let still = Shimmer(style, scheme: .light).frame(0)
                var plain = PixelBuffer(
                    size: PixelSize(width: style.height, height: style.height))
                plain.fill(style.colors.background)
                plain.mask(
                    by: CornerMask(
                        size: plain.size, radius: style.radiusPoints * scale, style: .circular))
                #expect(still.bytes() == plain.bytes())
            }
        }
    }

    @Test(
        "the shimmer of an avatar is no brighter than the avatar",
        arguments: ColorScheme.allCases)
    func brightness(scheme: ColorScheme) {
        let avatar = EmblemStyle(.avatar(.large), theme: .builtIn, scheme: scheme)
        let emblem = style(.xLarge, scheme)
        let shimmer = Shimmer(avatar, scheme: scheme)
        #expect(shimmer.frame(0).rgba(40, 40) == emblem.colors.background.pixel)
        guard scheme == .dark else { return }
        for index in 0..<Shimmer.frameCount {
            let level = shimmer.frame(index).rgba(40, 40)
            for (channel, limit) in zip(level, avatar.colors.background.pixel) {
                #expect(channel <= limit, "frame \(index)")
            }
        }
    }

    @Test("a shimmer as WebP or PNG repeats forever, is small, and is the same each time")
    func files() throws {
        let shimmer = Shimmer(style(.xLarge, scale: 2), scheme: .light)
        for format in [OutputFormat.webp, .png] {
            let bytes = try AnimationEncoder.encode(shimmer.frames, format: format)
            #expect(bytes.count < 120_000, "\(format.name): \(bytes.count)")
            #expect(try AnimationEncoder.encode(shimmer.frames, format: format) == bytes)
            let header = try ImageDecoder.header(of: bytes.span, limits: DecodeLimits())
            #expect(header.format.output == format)
            let picture = try ImageDecoder.decode(
                bytes.span, header: header, request: DecodeRequest())
            guard case .raster(let first) = consume picture else {
                Issue.record("an animation is made of pixels")
                return
            }
            #expect(first.bytes() == shimmer.frame(0).bytes())
        }
        #expect(throws: EncodeError.self) {
            try AnimationEncoder.encode(shimmer.frames, format: .jpeg)
        }
    }
}
