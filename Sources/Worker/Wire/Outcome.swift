import Artwork
import Codecs
import Gauge
import Raster
import Render
import Theming

/// The result that a worker writes into the region: a table, followed by the bytes of the images.
package struct Outcome {
    /// The most lint entries of one image: one for each variant, and some for the whole image.
    static let lintLimit = Recipe.variantsLimit + 16
    static let tableLimit = 1 << 20
    static let bytesLimit = 1 << 30

    package var header: ImageHeader?
    package var moments: [StageMoment]
    package var result: Ending

    package enum Ending {
        case failure(RenderError)
        case success(Images)
        /// Nothing was done, because the order needs a library that forked workers do not have.
        case lacksLibrary
    }

    /// The sizes and lengths of the images, in the order of the recipe's variants.
    package struct Images {
        package var entries: [(size: PixelSize, bytes: Int)]
        package var preview: Preview?
        package var lint: [PictureLint]
        package var decision: LogoDecision?
        package var graphic: Graphic?
    }

    /// The size of a graphic, whose pixels follow the table, and the length of its text, which
    /// follows the pixels.
    package struct Graphic {
        package var size: PixelSize
        package var drawing: DecodedGraphic.Drawing?
        package var textBytes: Int
    }

    package var table: [UInt8] {
        var wire = WireWriter()
        wire.put(header) { $0.put($1) }
        wire.put(list: moments) { wire, moment in
            wire.put(choice: moment.stage)
            wire.put(moment.nanoseconds)
        }
        switch result {
        case .lacksLibrary: wire.put(UInt8(2))
        case .success(let images):
            wire.put(UInt8(1))
            wire.put(list: images.entries) { wire, entry in
                wire.put(entry.size.width)
                wire.put(entry.size.height)
                wire.put(entry.bytes)
            }
            wire.put(images.preview) { wire, preview in
                wire.put(preview.thumbHash)
                wire.put(preview.dominant) { $0.put($1) }
            }
            wire.put(list: images.lint) { $0.put($1.text) }
            wire.put(images.decision) { $0.put($1) }
            wire.put(images.graphic) { wire, graphic in
                wire.put(graphic.size.width)
                wire.put(graphic.size.height)
                wire.put(graphic.textBytes)
                wire.put(graphic.drawing) { wire, drawing in
                    wire.put(drawing.width)
                    wire.put(drawing.height)
                    wire.put(drawing.isTemplate)
                }
            }
        case .failure(let error):
            wire.put(UInt8(0))
            wire.put(error)
        }
        return wire.bytes
    }

    package init(header: ImageHeader?, moments: [StageMoment], _ result: Ending) {
        self.header = header
        self.moments = moments
        self.result = result
    }

    package init(header: ImageHeader?, moments: [StageMoment], _ rendering: Rendering) {
        let images = Images(
            entries: rendering.images.map { ($0.size, $0.bytes.count) },
            preview: rendering.preview, lint: rendering.lint,
            decision: rendering.decision,
            graphic: rendering.graphic.map {
                Graphic(
                    size: $0.size, drawing: $0.drawing,
                    textBytes: $0.drawing?.text?.count ?? 0)
            })
        self.init(header: header, moments: moments, .success(images))
    }

    /// Decodes the untrusted table of a worker. The times of its stages are limited to the time
    /// between the request and the reply.
    package init(table: [UInt8], between sent: UInt64, and received: UInt64) throws(WireDamage) {
        var wire = WireReader(table)
        header = try wire.optional { wire throws(WireDamage) in try wire.header() }
        var earliest = sent
        moments = try wire.list(limit: Recipe.variantsLimit * 4 + 2) { wire throws(WireDamage) in
            let stage: RunStage = try wire.choice()
            guard stage.isDrawing else { throw WireDamage() }
            earliest = min(max(try wire.word(), earliest), max(received, sent))
            return StageMoment(stage: stage, nanoseconds: earliest)
        }
        switch try wire.byte() {
        case 0: result = .failure(try wire.renderError())
        case 1:
            let lengths = 0...Self.bytesLimit
            let entries = try wire.list(limit: Recipe.variantsLimit) { wire throws(WireDamage) in
                (
                    size: PixelSize(
                        width: try wire.number(in: lengths), height: try wire.number(in: lengths)),
                    bytes: try wire.number(in: lengths)
                )
            }
            let preview = try wire.optional { wire throws(WireDamage) in
                Preview(
                    thumbHash: try wire.block(limit: ThumbHash.longest),
                    dominant: try wire.optional { wire throws(WireDamage) in try wire.color() })
            }
            let lint = try wire.list(limit: Self.lintLimit) { wire throws(WireDamage) in
                guard let lint = PictureLint(text: try wire.text(limit: 64)) else {
                    throw WireDamage()
                }
                return lint
            }
            let decision = try wire.optional { wire throws(WireDamage) in try wire.decision() }
            let graphic = try wire.optional { wire throws(WireDamage) in try wire.graphic() }
            result = .success(
                Images(
                    entries: entries, preview: preview, lint: lint, decision: decision,
                    graphic: graphic))
        case 2: result = .lacksLibrary
        default: throw WireDamage()
        }
        try wire.finish()
    }
}

extension WireReader {
    fileprivate mutating func graphic() throws(WireDamage) -> Outcome.Graphic {
        let sides = 1...(1 << 20)
        let size = PixelSize(width: try number(in: sides), height: try number(in: sides))
        let textBytes = try number(in: 0...DecodeLimits().svgBytes)
        let drawing = try optional { wire throws(WireDamage) in
            let (width, height) = (try wire.real(), try wire.real())
            // The size in a header has equal limits.
            guard width > 0, height > 0, width <= 1e12, height <= 1e12 else { throw WireDamage() }
            return DecodedGraphic.Drawing(
                width: width, height: height, isTemplate: try wire.flag(), text: nil)
        }
        guard drawing != nil || textBytes == 0 else { throw WireDamage() }
        return Outcome.Graphic(size: size, drawing: drawing, textBytes: textBytes)
    }
}

extension Outcome {
    /// Returns the most bytes that an order can produce.
    static func bytesLimit(for order: RenderOrder, in theme: Theme) -> Int {
        switch order.subject {
        case .picture, .icon, .initials, .raster: bytesLimit(for: order.recipe, in: theme)
        case .graphic:
            tableLimit + graphicArea(for: order) * 4 + DecodeLimits().svgBytes
        case .check: tableLimit
        case .pixels: tableLimit + graphicArea(for: order) * 4
        }
    }

    /// Returns the limit for the pixels in the reply to an order for a decoded picture; 0 for an order
    /// whose reply has files only.
    static func graphicArea(for order: RenderOrder) -> Int {
        switch order.subject {
        case .picture, .icon, .initials, .raster, .check: 0
        case .graphic: DecodedGraphic.longestSide * DecodedGraphic.longestSide
        case .pixels: min(order.recipe.limits.pixels, (bytesLimit - tableLimit) / 4)
        }
    }

    /// Returns the most bytes that the images of a recipe can take: twice their uncompressed size.
    static func bytesLimit(for recipe: Recipe, in theme: Theme) -> Int {
        var sum = tableLimit
        for variant in recipe.variants {
            let height = recipe.style(for: variant, in: theme).height
            let size = PixelSize(width: height * EmblemStyle.widestAspect, height: height)
            sum = min(sum.saturating(plus: bytesLimit(of: size)), bytesLimit)
        }
        return sum
    }

    static func bytesLimit(of size: PixelSize) -> Int {
        min(size.area.saturating(times: 8).saturating(plus: 65_536), bytesLimit)
    }
}

extension WireWriter {
    mutating func put(_ decision: LogoDecision) {
        put(choice: decision.kind)
        put(decision.trim)
        put(decision.inset)
        put(list: decision.grounds) { wire, ground in
            wire.put(choice: ground.scheme)
            wire.put(choice: ground.appearance)
            wire.put(choice: ground.colors)
            wire.put(choice: ground.reason)
            wire.put(ground.shownBefore)
            wire.put(ground.shown)
        }
    }
}

extension WireReader {
    mutating func decision() throws(WireDamage) -> LogoDecision {
        let shares = 0...100
        return LogoDecision(
            kind: try choice(), trim: try number(in: shares), inset: try number(in: shares),
            grounds: try list(limit: ColorScheme.allCases.count) { wire throws(WireDamage) in
                LogoDecision.Ground(
                    scheme: try wire.choice(), appearance: try wire.choice(),
                    colors: try wire.choice(), reason: try wire.choice(),
                    shownBefore: try wire.number(in: shares), shown: try wire.number(in: shares))
            })
    }
}

extension WireWriter {
    package mutating func put(_ error: RenderError) {
        switch error {
        case .stopped: put(UInt8(0))
        case .encode(let reason): put(1, reason)
        case .tooLarge(let bytes, let allowed):
            put(UInt8(8))
            put(bytes)
            put(allowed)
        case .decode(.notImage): put(UInt8(2))
        case .decode(.unsupported(let what)): put(3, what)
        case .decode(.truncated): put(UInt8(4))
        case .decode(.corrupt(let what)): put(5, what)
        case .decode(.limitPixels): put(UInt8(6))
        case .decode(.limitDecode(let what)): put(7, what)
        }
    }

    private mutating func put(_ tag: UInt8, _ text: String) {
        put(tag)
        put(text)
    }
}

extension WireReader {
    package mutating func renderError() throws(WireDamage) -> RenderError {
        switch try byte() {
        case 0: .stopped
        case 1: .encode(try plain())
        case 2: .decode(.notImage)
        case 3: .decode(.unsupported(try plain()))
        case 4: .decode(.truncated)
        case 5: .decode(.corrupt(try plain()))
        case 6: .decode(.limitPixels)
        case 7: .decode(.limitDecode(try plain()))
        case 8: .tooLarge(try number(in: 0...Int.max), allowed: try number(in: 0...Int.max))
        default: throw WireDamage()
        }
    }

    /// Reads a text and removes terminal control characters.
    private mutating func plain() throws(WireDamage) -> String {
        var words = String.UnicodeScalarView()
        for scalar in try text().unicodeScalars {
            words.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(words)
    }
}
