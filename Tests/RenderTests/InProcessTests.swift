import Artwork
import Codecs
import Gauge
import Raster
import Render
import Support
import Testing
import Theming

@Suite("Orders carried out in this process")
struct InProcessTests {
    private static let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
    private static let recipe = Recipe(variants: [
        Variant(layout: .small, scale: 1, scheme: .light)
    ])

    private static func picture() throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: 60, height: 40))
        buffer.fill(Color(red: 20, green: 120, blue: 220))
        return try ImageEncoder.encode(buffer, EncodeSettings(format: .png))
    }

    @Test("the wait for a slot does not count against the patience of an order")
    func waiting() async throws {
        let picture = try Self.picture()
        let backend = InProcess(Self.renderer, OrderQueue(slots: 1, bytes: 1 << 20))
        #expect(
            try await Waiting.growing(from: .milliseconds(200)) { patience in
                let order = RenderOrder(
                    .picture, of: picture, recipe: Self.recipe,
                    patienceNanoseconds: UInt64(patience / .nanoseconds(1)))
                let place = try await backend.queue.place(for: order, in: Self.renderer)
                let task = Task { await backend.render(order) }
                while backend.queue.waitingCount == 0 { await Task.yield() }
                try await Task.sleep(for: patience * 1.5)
                _ = consume place
                if case .success(let rendering) = await task.value.result {
                    return rendering.images.count == 1
                }
                return false
            })
    }

    @Test("an order past its deadline begins no further step", arguments: [0, 1] as [UInt64])
    func late(patience: UInt64) async throws {
        let order = RenderOrder(
            .picture, of: try Self.picture(), recipe: Self.recipe, patienceNanoseconds: patience)
        let answer = await InProcess(Self.renderer, OrderQueue(slots: 1, bytes: 1 << 20))
            .render(order)
        #expect(throws: OrderError.timeout) { try answer.result.get() }
        #expect(answer.moments.isEmpty)
    }

    @Test("a picture that needs more than all memory is refused before it is decoded")
    func refused() async throws {
        let order = RenderOrder(.picture, of: try Self.picture(), recipe: Self.recipe)
        let answer = await InProcess(Self.renderer, OrderQueue(slots: 1, bytes: 4_000))
            .render(order)
        guard case .failure(.render(.tooLarge(_, allowed: 4_000))) = answer.result else {
            Issue.record("\(answer.result)")
            return
        }
        #expect(answer.header?.codedSize == PixelSize(width: 60, height: 40))
        // The header alone was read, as part of the stage.
        #expect(answer.moments.map(\.stage) == [.decode])
    }

    @Test("the memory cost of an order includes the memory of its header")
    func headerBytes() throws {
        let bytes = try Self.picture()
        let header = try ImageDecoder.header(of: bytes.span, limits: .headerOnly)
        let costs = [0, 5_000].map {
            RenderCost(
                of: .picture, header, Self.recipe, Self.renderer, memoryBytes: 1 << 20,
                headerBytes: $0)
        }
        #expect(costs[1].bytes - costs[0].bytes == 5_000)
        // The cost of decoding does not include the halved copies.
        let decoding = ImageDecoder.memoryCost(of: header, request: costs[0].request)
        #expect(costs[0].bytes > min(decoding, 60 * 40 * 4))
    }
}
