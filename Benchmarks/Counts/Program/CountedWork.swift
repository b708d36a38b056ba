import Artwork
import Bench
import CAllocations
import Codecs
import Notation
import Raster
import Render
import Theming

/// A named workload: a few pictures and the recipe that renders each of them.
struct CountedWork {
    let name: String
    private let sources: [[UInt8]]
    private let recipe: Recipe

    struct Counts {
        let name: String
        let items: Int
        let allocations: UInt64
        let allocatedBytes: UInt64
        let writtenBytes: Int

        func write(into json: inout JSONWriter) {
            json.object { json in
                json.member("work", name)
                json.member("items", items)
                json.member("allocations_per_item", Int(allocations) / items)
                json.member("allocated_kilobytes_per_item", Int(allocatedBytes) / items / 1024)
                json.member("written_bytes_per_item", writtenBytes / items)
            }
        }
    }

    /// Returns the workloads, which render the pictures that `emblem bench` draws.
    static func all() throws -> [CountedWork] {
        let logos = try (0..<6).map { try SamplePicture(.logo, $0).bytes() }
        let photos = try [0, 1, 7].map { try SamplePicture(.photo, $0).bytes() }
        let webps = try (0..<4).map { try SamplePicture(.webp, $0).bytes() }
        let one = [Variant(layout: .large, scale: 2, scheme: .light)]
        let four = EmblemLayout.allCases.map { Variant(layout: $0, scale: 2, scheme: .light) }
        return [
            CountedWork(name: "logos", sources: logos, recipe: recipe(one, .png)),
            CountedWork(name: "photos", sources: photos, recipe: recipe(one, .png)),
            CountedWork(name: "layouts", sources: logos, recipe: recipe(four, .png)),
            CountedWork(name: "webp", sources: webps, recipe: recipe(one, .webp)),
        ]
    }

    private static func recipe(_ variants: [Variant], _ format: OutputFormat) -> Recipe {
        var recipe = Recipe(variants: variants)
        recipe.output = .fixed(format)
        return recipe
    }

    /// The state of one pass over the pictures, which the C function `emb_counted` receives as its
    /// context.
    private final class Pass {
        let renderer = Renderer(theme: .builtIn, artwork: EmblemArtwork())
        let work: CountedWork
        var writtenBytes = 0
        var failure: (any Error)?

        init(_ work: CountedWork) { self.work = work }

        func run() {
            writtenBytes = 0
            do {
                for source in work.sources {
                    let header = try ImageDecoder.header(of: source.span, limits: .headerOnly)
                    let request = renderer.request(
                        for: header, recipe: work.recipe, workingBytes: 256 << 20)
                    let rendering = try renderer.render(
                        source.span, header: header, request: request, recipe: work.recipe
                    ) { _ in }
                    for image in rendering.images { writtenBytes += image.bytes.count }
                }
            } catch {
                failure = error
            }
        }
    }

    /// Runs twice and counts the second pass, because the first one makes shared tables.
    func count() throws -> Counts {
        let pass = Pass(self)
        pass.run()
        let (calls, bytes) = (emb_allocations(), emb_allocated_bytes())
        unsafe emb_counted(
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Pass>.fromOpaque(context).takeUnretainedValue().run()
            }, Unmanaged.passUnretained(pass).toOpaque())
        let (callsAfter, bytesAfter) = (emb_allocations(), emb_allocated_bytes())
        if let failure = pass.failure { throw failure }
        return Counts(
            name: name, items: sources.count, allocations: callsAfter - calls,
            allocatedBytes: bytesAfter - bytes, writtenBytes: pass.writtenBytes)
    }
}
