import Artwork
import Codecs
import Gauge
import Raster
import Render
import Theming

/// The result that a worker writes into the region: a table, followed by the bytes of the images.
package struct Outcome {
    /// The most lint entries of one image: one for each variant, and some for the whole image.
    fileprivate static let lintLimit = Recipe.variantsLimit + 16
    fileprivate static let momentsLimit = Recipe.variantsLimit * 4 + 2
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
        package var entries: [(size: PixelSize, bytes: Int)] = []
        package var preview: Preview?
        package var lint: [PictureLint] = []
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

    package init(header: ImageHeader?, moments: [StageMoment], _ result: Ending) {
        self.header = header
        self.moments = moments
        self.result = result
    }

    package init(header: ImageHeader?, moments: [StageMoment], _ rendering: Rendering) {
        let images = Images(
            entries: rendering.images.map { ($0.size, $0.bytes.count) },
            preview: rendering.preview, lint: rendering.lint, decision: rendering.decision,
            graphic: rendering.graphic.map {
                Graphic(
                    size: $0.size, drawing: $0.drawing, textBytes: $0.drawing?.text?.count ?? 0)
            })
        self.init(header: header, moments: moments, .success(images))
    }

    package var table: [UInt8] {
        Wire.bytes(of: self) { try $0.code(&$1) }
    }

    /// Reads the untrusted table of a worker. The times of its stages are limited to the time
    /// between the request and the reply.
    package init(table: [UInt8], between sent: UInt64, and received: UInt64) throws {
        self = try Wire.read(table, into: Outcome(header: nil, moments: [], .lacksLibrary)) {
            try $0.code(&$1)
        }
        var earliest = sent
        moments = moments.map { moment in
            earliest = min(max(moment.nanoseconds, earliest), max(received, sent))
            return StageMoment(stage: moment.stage, nanoseconds: earliest)
        }
    }
}

extension Wire {
    fileprivate mutating func code(_ outcome: inout Outcome) throws {
        let least = ImageHeader(format: .png, codedSize: PixelSize(width: 1, height: 1))
        try optional(&outcome.header, least) { try $0.code(&$1) }
        let begin = StageMoment(stage: .decode, nanoseconds: 0)
        try list(&outcome.moments, begin, limit: Outcome.momentsLimit) { wire, moment in
            var (stage, nanoseconds) = (moment.stage, moment.nanoseconds)
            try wire.choice(&stage)
            try wire.code(&nanoseconds)
            guard stage.isDrawing else { throw WireDamage() }
            moment = StageMoment(stage: stage, nanoseconds: nanoseconds)
        }
        var kind: UInt8 =
            switch outcome.result {
            case .failure: 0
            case .success: 1
            case .lacksLibrary: 2
            }
        try code(&kind)
        switch kind {
        case 0:
            var error = RenderError.stopped
            if case .failure(let known) = outcome.result { error = known }
            try code(&error)
            outcome.result = .failure(error)
        case 1:
            var images =
                if case .success(let images) = outcome.result { images } else { Outcome.Images() }
            try code(&images)
            outcome.result = .success(images)
        case 2: outcome.result = .lacksLibrary
        default: throw WireDamage()
        }
    }

    private mutating func code(_ images: inout Outcome.Images) throws {
        let lengths = 0...Outcome.bytesLimit
        let none = (size: PixelSize(width: 0, height: 0), bytes: 0)
        try list(&images.entries, none, limit: Recipe.variantsLimit) { wire, entry in
            try wire.code(&entry.size.width, in: lengths)
            try wire.code(&entry.size.height, in: lengths)
            try wire.code(&entry.bytes, in: lengths)
        }
        try optional(&images.preview, Preview(thumbHash: [], dominant: nil)) { wire, preview in
            var (thumbHash, dominant) = (preview.thumbHash, preview.dominant)
            try wire.code(&thumbHash, limit: ThumbHash.longest)
            try wire.optional(&dominant, .black) { try $0.code(&$1) }
            preview = Preview(thumbHash: thumbHash, dominant: dominant)
        }
        try list(&images.lint, .blank, limit: Outcome.lintLimit) { wire, lint in
            var text = lint.text
            try wire.code(&text, limit: 64)
            guard let read = PictureLint(text: text) else { throw WireDamage() }
            lint = read
        }
        try optional(&images.decision, LogoDecision(kind: .mark, trim: 0, inset: 0)) {
            try $0.code(&$1)
        }
        let graphic = Outcome.Graphic(
            size: PixelSize(width: 1, height: 1), drawing: nil, textBytes: 0)
        try optional(&images.graphic, graphic) { try $0.code(&$1) }
    }

    private mutating func code(_ graphic: inout Outcome.Graphic) throws {
        let sides = 1...(1 << 20)
        try code(&graphic.size.width, in: sides)
        try code(&graphic.size.height, in: sides)
        try code(&graphic.textBytes, in: 0...DecodeLimits().svgBytes)
        let drawing = DecodedGraphic.Drawing(width: 1, height: 1, isTemplate: false, text: nil)
        try optional(&graphic.drawing, drawing) { wire, drawing in
            try wire.code(&drawing.width)
            try wire.code(&drawing.height)
            try wire.code(&drawing.isTemplate)
            // The size in a header has equal limits.
            guard drawing.width > 0, drawing.height > 0, drawing.width <= 1e12,
                drawing.height <= 1e12
            else { throw WireDamage() }
        }
        guard graphic.drawing != nil || graphic.textBytes == 0 else { throw WireDamage() }
    }

    private mutating func code(_ decision: inout LogoDecision) throws {
        let shares = 0...100
        try choice(&decision.kind)
        try code(&decision.trim, in: shares)
        try code(&decision.inset, in: shares)
        var cut = Int(decision.cut.rawValue)
        try code(&cut, in: 0...Int(LogoSides.all.rawValue))
        decision.cut = LogoSides(rawValue: UInt8(cut))
        let plain = LogoDecision.Ground(
            scheme: .light, appearance: .brand, colors: .light, reason: .none, shownBefore: 0,
            shown: 0)
        try list(&decision.grounds, plain, limit: ColorScheme.allCases.count) { wire, ground in
            try wire.choice(&ground.scheme)
            try wire.choice(&ground.appearance)
            try wire.choice(&ground.colors)
            try wire.choice(&ground.reason)
            try wire.code(&ground.shownBefore, in: shares)
            try wire.code(&ground.shown, in: shares)
            try wire.code(&ground.hasHairline)
        }
    }

    /// An error, as a number, a text and two lengths. Control characters are removed from the text.
    package mutating func code(_ error: inout RenderError) throws {
        var (kind, text, bytes, allowed): (UInt8, String, Int, Int) =
            switch error {
            case .stopped: (0, "", 0, 0)
            case .encode(let reason): (1, reason, 0, 0)
            case .decode(.notImage): (2, "", 0, 0)
            case .decode(.unsupported(let what)): (3, what, 0, 0)
            case .decode(.truncated): (4, "", 0, 0)
            case .decode(.corrupt(let what)): (5, what, 0, 0)
            case .decode(.limitPixels): (6, "", 0, 0)
            case .decode(.limitDecode(let what)): (7, what, 0, 0)
            case .tooLarge(let bytes, let allowed): (8, "", bytes, allowed)
            }
        try code(&kind)
        try code(&text)
        try code(&bytes, in: 0...Int.max)
        try code(&allowed, in: 0...Int.max)
        guard isReading else { return }
        var words = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            words.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        let plain = String(words)
        switch kind {
        case 0: error = .stopped
        case 1: error = .encode(plain)
        case 2: error = .decode(.notImage)
        case 3: error = .decode(.unsupported(plain))
        case 4: error = .decode(.truncated)
        case 5: error = .decode(.corrupt(plain))
        case 6: error = .decode(.limitPixels)
        case 7: error = .decode(.limitDecode(plain))
        case 8: error = .tooLarge(bytes, allowed: allowed)
        default: throw WireDamage()
        }
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
