import Artwork
import Codecs
import Gauge
import Notation
import Raster
import Render
import Testing
import Theming
import Worker

@Suite("Equal results in a worker and in this process")
struct SameOutcomeTests {
    private static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><defs>\
        <filter id="b"><feGaussianBlur stdDeviation="3"/></filter></defs>\
        <rect width="90" height="40" fill="#0a5fff" filter="url(#b)"/>\
        <text x="4" y="40" font-size="30" font-family="sans-serif">Größe</text></svg>
        """

    private static func pictures() throws -> [[UInt8]] {
        [
            try WorkerFixture.picture(200, 100), try WorkerFixture.picture(90, 90, as: .jpeg),
            try WorkerFixture.picture(64, 200, as: .webp),
            try WorkerFixture.picture(80, 64, as: .avif), Array(svg.utf8),
        ]
    }

    private static var recipes: [Recipe] {
        var recipes: [Recipe] = []
        for format in OutputFormat.allCases {
            var recipe = WorkerFixture.recipe([.small, .xLarge], scales: [1, 3])
            recipe.output = .fixed(format)
            recipe.borderPoints = 2
            recipes.append(recipe)
        }
        var wide = WorkerFixture.recipe(EmblemLayout.allCases)
        wide.width = .auto
        wide.mode = .fill
        wide.output = .same
        return recipes + [wide]
    }

    private func expectSame(_ mine: RenderAnswer, _ other: RenderAnswer) {
        #expect(mine.error == other.error)
        #expect(mine.images.map(\.bytes) == other.images.map(\.bytes))
        #expect(mine.images.map(\.size) == other.images.map(\.size))
        #expect(mine.images.map(\.format) == other.images.map(\.format))
        #expect(mine.images.map(\.variant) == other.images.map(\.variant))
        #expect(mine.preview == other.preview)
        #expect(mine.header?.size == other.header?.size)
        #expect(mine.header?.format == other.header?.format)
        #expect(mine.moments.map(\.stage) == other.moments.map(\.stage))
    }

    @Test("a worker and this process make the same emblems from the same image")
    func pictures() async throws {
        let pool = WorkerFixture.pool(2)
        for recipe in Self.recipes {
            for picture in try Self.pictures() {
                let order = WorkerFixture.order(picture, recipe)
                let answer = await pool.render(order)
                #expect(answer.images.count == recipe.variants.count)
                expectSame(answer, await WorkerFixture.local.render(order))
            }
        }
        #expect(pool.startedCount == 2)
    }

    @Test("a worker and this process draw the same icons and initials")
    func fallbacks() async throws {
        let pool = WorkerFixture.pool()
        let recipe = WorkerFixture.recipe(EmblemLayout.allCases, scales: [2])
        let initials = try #require(Initials.from(label: "Émile Žižek"))
        for subject in [RenderOrder.Subject.icon(.wallet), .initials(initials)] {
            let order = RenderOrder(subject, recipe: recipe)
            let answer = await pool.render(order)
            #expect(answer.images.count == 4)
            expectSame(answer, await WorkerFixture.local.render(order))
        }
    }

    @Test("a worker and this process give the same result for damaged AVIF, and survive")
    func damaged() async throws {
        let pool = WorkerFixture.pool()
        let whole = try WorkerFixture.picture(90, 70, as: .avif)
        var files = [whole.count - 1, whole.count / 2, 9].map { Array(whole[..<$0]) }
        for offset in stride(from: 2, to: whole.count, by: 7) {
            var bytes = whole
            bytes[offset] ^= 0x55
            files.append(bytes)
        }
        for (index, file) in files.enumerated() {
            let order = WorkerFixture.order(file)
            let answer = await pool.render(order)
            #expect((answer.error != nil) || index > 2)
            expectSame(answer, await WorkerFixture.local.render(order))
        }
        #expect(pool.startedCount == 1)
    }

    @Test("a worker and this process report the same error for a broken image")
    func faults() async throws {
        let pool = WorkerFixture.pool()
        let whole = try WorkerFixture.picture(300, 300, as: .jpeg)
        let big = try WorkerFixture.picture(400, 300)
        var small = WorkerFixture.recipe()
        small.limits.pixels = 1_000
        let orders = [
            WorkerFixture.order([]), WorkerFixture.order(Array("<html>".utf8)),
            WorkerFixture.order(Array(whole[..<(whole.count / 2)])),
            WorkerFixture.order(Array("%PDF-1.7".utf8)), WorkerFixture.order(big, small),
            WorkerFixture.order(Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><g>".utf8)),
        ]
        for order in orders {
            let answer = await pool.render(order)
            #expect(answer.error != nil)
            expectSame(answer, await WorkerFixture.local.render(order))
        }
        #expect(pool.startedCount == 1)
    }

    /// Returns a worker backend and an in-process backend, both with this memory for decoding.
    private static func backends(_ bytes: Int) -> [any RenderBackend] {
        var settings = WorkerFixture.settings()
        settings.memoryBytes = bytes
        return [
            WorkerPool(settings: settings, renderer: WorkerFixture.renderer),
            InProcess(WorkerFixture.renderer, OrderQueue(slots: 1, bytes: bytes)),
        ]
    }

    @Test("a worker and this process need the same memory, and refuse an image that needs more")
    func admission() async throws {
        let order = WorkerFixture.order(try WorkerFixture.picture(500, 500))
        var needed: Set<Int> = []
        for backend in Self.backends(900_000) {
            let refused = await backend.render(order)
            guard case .render(.tooLarge(let bytes, allowed: 900_000)) = refused.error else {
                Issue.record("\(refused.result)")
                continue
            }
            needed.insert(bytes)
            #expect(refused.header?.format == .png)
            #expect(refused.header?.size == PixelSize(width: 500, height: 500))
        }
        #expect(needed.count == 1 && needed.allSatisfy { $0 >= 1_000_000 })
        for backend in Self.backends(2 * (needed.first ?? 1)) {
            #expect(await backend.render(order).images.count == 1)
        }
    }

    @Test("a large drawing waits for its memory before it is loaded, and gives the same pixels")
    func largeDrawing() async throws {
        let shape = "<rect width='3' height='3' x='1'/>"
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
            + String(repeating: shape, count: 30_000) + "</svg>"
        let order = WorkerFixture.order(Array(text.utf8))
        let pool = WorkerFixture.pool()
        for backend in Self.backends(40_000_000) {
            let refused = await backend.render(order)
            guard case .render(.tooLarge(_, allowed: 40_000_000)) = refused.error else {
                Issue.record("\(refused.result)")
                continue
            }
            #expect(refused.header == nil)
        }
        let answer = await pool.render(order)
        #expect(answer.images.count == 1)
        expectSame(answer, await WorkerFixture.local.render(order))
        #expect(pool.startedCount == 1)
    }

    @Test("pictures in a drawing and nested surfaces are the same in a worker and in this process")
    func heavyDrawings() async throws {
        var bodies: [String] = []
        let large = try WorkerFixture.picture(4000, 4000)
        let small = try WorkerFixture.picture(8, 8, as: .webp)
        for (kind, bytes) in [("image/png", large), ("image/webp", small), ("", large)] {
            bodies.append(
                "<image width='9' height='9' href='data:\(kind);base64,\(Base64.encode(bytes.span))'/>"
            )
        }
        var defs = "<rect id='u0' width='9' height='9' fill='red'/>"
        for level in 1...200 {
            defs += "<g id='u\(level)' opacity='.999'><use href='#u\(level - 1)'/></g>"
        }
        bodies.append("<defs>\(defs)</defs><use href='#u200'/>")
        let pool = WorkerFixture.pool()
        let recipe = WorkerFixture.recipe([.small, .xLarge], scales: [4])
        for body in bodies {
            let text = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\(body)</svg>"
            let order = WorkerFixture.order(Array(text.utf8), recipe)
            let answer = await pool.render(order)
            expectSame(answer, await WorkerFixture.local.render(order))
            #expect(answer.images.count == 2)
            // The middle of the image must not be blank.
            if let image = answer.images.first {
                let plain = Array(
                    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'></svg>".utf8)
                let empty = await pool.render(WorkerFixture.order(plain, recipe))
                #expect(image.bytes != empty.images.first?.bytes)
            }
        }
    }

    @Test(
        "a worker and this process report the same lint of a drawing")
    func drawings() async throws {
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>path{fill:#123456}\
            @media (prefers-color-scheme: dark) { path { fill: #fedcba } }</style>\
            <path d="M0 0h9v9H0z"/></svg>
            """
        let order = WorkerFixture.order(Array(text.utf8))
        let answer = await WorkerFixture.pool().render(order)
        let local = await WorkerFixture.local.render(order)
        expectSame(answer, local)
        for answer in [answer, local] {
            guard case .success(let rendering) = answer.result else {
                Issue.record("\(answer.result)")
                continue
            }
            #expect(rendering.lint == [.unsupportedFeature])
        }
    }

    @Test("a worker and this process report when each stage began")
    func moments() async throws {
        let answer = await WorkerFixture.pool().render(
            WorkerFixture.order(
                try WorkerFixture.picture(), WorkerFixture.recipe([.small, .large])))
        let each: [RunStage] = [.resize, .compose, .encode]
        #expect(answer.moments.map(\.stage) == [.decode, .decode] + each + each)
        let times = answer.moments.map(\.nanoseconds)
        #expect(times == times.sorted())
    }

    @Test("a worker handles a picture larger than its region, and outputs larger than their source")
    func sizes() async throws {
        let pool = WorkerFixture.pool()
        var recipe = WorkerFixture.recipe(EmblemLayout.allCases, scales: [4, 24])
        recipe.output = .fixed(.webp)
        recipe.quality = .lossless
        var bytes = try WorkerFixture.picture(640, 480)
        for count in [0, 3 << 20] {
            bytes += [UInt8](repeating: 7, count: count)
            let order = WorkerFixture.order(bytes, recipe)
            expectSame(await pool.render(order), await WorkerFixture.local.render(order))
        }
    }

    @Test(
        "a worker and this process report the same for a checked picture and give the same pixels"
    )
    func checksAndPixels() async throws {
        let pool = WorkerFixture.pool(2)
        let none = Recipe(variants: [])
        var pictures = try Self.pictures()
        pictures += [Array("no picture".utf8), [], Array(pictures[1].dropLast(40))]
        for picture in pictures {
            for subject in [RenderOrder.Subject.check, .pixels] {
                let order = RenderOrder(subject, of: picture, recipe: none)
                let answer = await pool.render(order)
                let other = await WorkerFixture.local.render(order)
                expectSame(answer, other)
                #expect(answer.graphic?.pixels == other.graphic?.pixels)
                #expect(answer.graphic?.size == other.graphic?.size)
                guard subject == .pixels else {
                    #expect(answer.graphic == nil)
                    continue
                }
                #expect((answer.graphic == nil) == (answer.error != nil))
            }
        }
    }

    @Test("a worker and this process draw in the theme of an order, and then in the pool's again")
    func themes() async throws {
        let pool = WorkerFixture.pool()
        let json = ##"{"theme":{"color":{"emblem":{"brand":{"background":"#8A3B12"}}}}}"##
        let red = Renderer(
            theme: try Theme.builtIn.layering(Array(json.utf8), name: "red").theme,
            artwork: EmblemArtwork())
        let themed = ThemedRenderer(red)
        let order = WorkerFixture.order(try WorkerFixture.picture(200, 60))
        let mine = await WorkerFixture.local.render(order)
        let other = await InProcess(red, WorkerFixture.queue).render(order)
        #expect(mine.images.map(\.bytes) != other.images.map(\.bytes))
        for _ in 0..<3 {
            expectSame(await pool.render(order), mine)
            expectSame(await pool.render(order, with: themed), other)
        }
    }
}

extension RenderAnswer {
    fileprivate var graphic: DecodedGraphic? {
        if case .success(let rendering) = result { rendering.graphic } else { nil }
    }
}
