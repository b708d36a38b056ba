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
        EmblemStyle(theme: .builtIn, layout: layout, scheme: scheme, scale: scale)
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
        let avatar = EmblemStyle(avatar: .large, theme: .builtIn, scheme: scheme)
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

    @Test("a shimmer is translucent only on a translucent background")
    func translucent() {
        for (alpha, isOpaque) in [(UInt8(128), false), (255, true)] {
            var style = style()
            style.colors.background.alpha = alpha
            style.radiusPoints = 0
            let frame = Shimmer(style, scheme: .light).frame(9)
            let isMarked = frame.isOpaque
            #expect(isMarked == isOpaque)
            #expect(frame.rgba(20, 20)[3] == alpha)
        }
    }

    @Test("the light of a shimmer moves within the shape and returns to its start")
    func movement() {
        for scheme in ColorScheme.allCases {
            let shimmer = Shimmer(style(.large, scheme), scheme: scheme)
            let alphas = shimmer.frame(0).bytes().enumerated().filter { $0.offset % 4 == 3 }
            var peaks: [Int] = []
            for index in 0..<Shimmer.frameCount {
                let frame = shimmer.frame(index)
                let bytes = frame.bytes()
                #expect(alphas.allSatisfy { bytes[$0.offset] == $0.element })
                let row = (0..<frame.width).map { Int(frame.rgba($0, 32)[0]) }
                if let peak = row.max(), peak > (row.min() ?? 0) + 8 {
                    peaks.append(row.firstIndex(of: peak) ?? 0)
                }
            }
            #expect(peaks.count > Shimmer.frameCount / 3)
            #expect(shimmer.frame(Shimmer.frameCount).bytes() == shimmer.frame(0).bytes())
            #expect(shimmer.frame(3).bytes() != shimmer.frame(15).bytes())
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
