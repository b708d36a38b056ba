import Artwork
import Codecs
import Raster
import Render
import Support
import Testing
import Theming
import Worker

enum WorkerFixture {
    static let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
    static let memoryBytes = 256 << 20

    static func settings(_ count: Int = 1) -> WorkerSettings {
        WorkerSettings(
            count: count, memoryBytes: memoryBytes, program: Tool.path(of: "WorkerProbe"))
    }

    static func pool(_ count: Int = 1) -> WorkerPool {
        WorkerPool(settings: settings(count), renderer: renderer)
    }

    static var queue: OrderQueue { OrderQueue(slots: 2, bytes: memoryBytes) }
    static var local: InProcess { InProcess(renderer, queue) }

    static func recipe(
        _ layouts: [EmblemLayout] = [.medium], scales: [Double] = [1]
    ) -> Recipe {
        Recipe(
            variants: layouts.flatMap { layout in
                scales.map { Variant(layout: layout, scale: $0, scheme: .light) }
            })
    }

    static func picture(
        _ width: Int = 64, _ height: Int = 64, as format: OutputFormat = .png
    ) throws -> [UInt8] {
        var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
        buffer.fill(Color(red: 20, green: 120, blue: 220))
        return try ImageEncoder.encode(buffer, EncodeSettings(format: format))
    }

    /// Returns an image that makes the probe carry out a deed.
    static func deed(_ name: String) -> [UInt8] { Array("deed:\(name)".utf8) }

    static func order(
        _ bytes: [UInt8], _ recipe: Recipe? = nil, seconds: Double = 600
    ) -> RenderOrder {
        RenderOrder(
            .picture, of: bytes, recipe: recipe ?? Self.recipe(),
            patienceNanoseconds: UInt64(seconds * 1e9))
    }
}

extension RenderAnswer {
    var error: OrderError? {
        if case .failure(let error) = result { error } else { nil }
    }

    var images: [RenderedImage] {
        if case .success(let rendering) = result { rendering.images } else { [] }
    }

    var preview: Preview? {
        if case .success(let rendering) = result { rendering.preview } else { nil }
    }
}
