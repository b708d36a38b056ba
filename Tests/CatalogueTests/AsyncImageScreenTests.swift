import EmblemKit
import Foundation
import Observation
import Support
import Synchronization
import Testing

/// A loader that answers when the test opens it.
private final class HeldLoader: AsyncEmblemImageLoader {
    let (opening, opener) = AsyncStream.makeStream(of: Void.self)
    let loads = Mutex(0)

    func loadImage(from url: URL) async throws -> EmblemKit.Image {
        loads.withLock { $0 += 1 }
        for await _ in opening { break }
        try Task.checkCancellation()
        return try plainImage()
    }
}

private struct PlainLoader: AsyncEmblemImageLoader {
    func loadImage(from url: URL) async throws -> EmblemKit.Image { try plainImage() }
}

extension Catalogue {
    @Suite("Asynchronous images")
    struct AsyncImages {
        private func collected<Content: Sendable>(_ image: AsyncImage<Content>) async -> [Content] {
            var all: [Content] = []
            for await content in image { all.append(content) }
            return all
        }

        @Test("the closures for image and placeholder return one type")
        func oneType() async throws {
            let picture = try plainImage()
            let texts = AsyncImage(source: .captured(image: picture)) { image in
                "\(image.width) x \(image.height)"
            } placeholder: {
                "loading"
            }
            #expect(await collected(texts) == ["loading", "60 x 40"])
            let failing = AsyncImage(url: nil) { _ in
                "image"
            } placeholder: {
                "none"
            }
            #expect(await collected(failing) == ["none", "none"])
        }

        @Test("the closures for image and placeholder return two types")
        func twoTypes() async throws {
            let picture = try plainImage()
            let contents = AsyncImage(source: .captured(image: picture)) { image in
                image.width
            } placeholder: {
                "loading"
            }
            #expect(
                await collected(contents) == [.failureOrPlaceholder("loading"), .success(60)])
            let shown: DefaultAsyncImageContentView<Int, String> = DefaultAsyncImageContentView(
                picture: .failure(EmblemError.missingURL), success: { $0.width },
                failureOrPlaceholder: { "none" })
            #expect(shown == .failureOrPlaceholder("none"))
        }

        @Test("a closure for the phases sees empty first, then the image or the failure")
        func phases() async throws {
            @Sendable func name(_ phase: AsyncImagePhase) -> String {
                switch phase {
                case .empty: "empty"
                case .success(let image): "image \(image.width)"
                case .failure(EmblemError.missingURL): "no URL"
                case .failure(EmblemError.failedToDecodeFromData): "no image"
                case .failure(let error): "\(error)"
                }
            }
            let picture = try plainImage()
            let captured = AsyncImage(source: .captured(image: picture), content: name)
            #expect(await collected(captured) == ["empty", "image 60"])
            let none = AsyncImage(source: .remote(url: nil), content: name)
            #expect(await collected(none) == ["empty", "no URL"])
            let broken = AsyncImage(source: .data(Data("no image".utf8)), content: name)
            #expect(await collected(broken) == ["empty", "no image"])
            let folder = try ScratchFolder()
            let file = try folder.write(Array(picture.pngData()), to: "logo.png")
            let local = AsyncImage(source: .local(name: file), content: name)
            #expect(await collected(local) == ["empty", "image 60"])
        }

        @Test("a loader publishes the phases of one image")
        func loader() async throws {
            let loader = ImageLoader(source: .remote(url: try logoURL()), loader: PlainLoader())
            guard case .empty = loader.phase else {
                Issue.record("\(loader.phase)")
                return
            }
            let changes = Mutex(0)
            withObservationTracking {
                _ = loader.phase
            } onChange: {
                changes.withLock { $0 += 1 }
            }
            await loader.load().value
            #expect(loader.phase.image?.width == 60)
            #expect(changes.withLock { $0 } == 1)
        }

        @Test("a loader loads once at a time, and cancels")
        func cancel() async throws {
            let held = HeldLoader()
            let loader = ImageLoader(source: .remote(url: try logoURL()), loader: held)
            let task = loader.load()
            #expect(loader.load() == task)
            loader.cancel()
            await task.value
            guard case .empty = loader.phase else {
                Issue.record("\(loader.phase)")
                return
            }
            #expect(held.loads.withLock { $0 } <= 1)
            held.opener.finish()
            let next = loader.load()
            #expect(next != task)
            await next.value
            #expect(loader.phase.image != nil)
        }

        @Test("a phase that a canceled load delivers late changes nothing and notifies no observer")
        func late() throws {
            let loader = ImageLoader(url: try logoURL(), loader: PlainLoader())
            let changes = Mutex(0)
            withObservationTracking {
                _ = loader.phase
            } onChange: {
                changes.withLock { $0 += 1 }
            }
            loader.cancel()
            // The cancellation ended the load 0; the next one is 1.
            loader.set(.failure(EmblemError.missingURL), in: 0)
            #expect(changes.withLock { $0 } == 0 && loader.phase.error == nil)
            loader.set(.failure(EmblemError.missingURL), in: 1)
            #expect(changes.withLock { $0 } == 1 && loader.phase.error != nil)
        }

        @Test("the end of a loader cancels its load")
        func end() async throws {
            let held = HeldLoader()
            var loader: ImageLoader? = ImageLoader(
                source: .remote(url: try logoURL()), loader: held)
            let task = try #require(loader?.load())
            loader = nil
            await task.value
            #expect(task.isCancelled)
        }

        @Test("a missing URL and bytes that are not an image are named failures")
        func failures() async throws {
            let none = ImageLoader(source: .remote(url: nil))
            await none.load().value
            #expect(none.phase.error as? EmblemError == .missingURL)
            let broken = ImageLoader(source: .data(Data([1, 2, 3])))
            await broken.load().value
            do {
                throw try #require(broken.phase.error)
            } catch EmblemError.failedToDecodeFromData {
            } catch {
                Issue.record(error)
            }
        }

        @Test("cache policies have their usual names, and the shared cache has a limit")
        func policies() async throws {
            #expect(CachePolicy.returnCacheDataElseLoad == .returnCacheElseLoad)
            #expect(CachePolicy.returnCacheDataDontLoad == .returnCacheDontLoad)
            #expect(CachePolicy.reloadIgnoringLocalCacheData == .reloadIgnoringCache)
            #expect(CachingImageLoader.shared.policy == .returnCacheDataElseLoad)
            let loader = CachingImageLoader(PlainLoader(), policy: .returnCacheDataElseLoad)
            #expect(try await loader.loadImage(from: logoURL()).width == 60)
        }

        @Test("an asynchronous image asks the loader of the program")
        func program() async throws {
            let former = DesignSystem.shared.emblemImageLoader
            defer { DesignSystem.shared.emblemImageLoader = former }
            DesignSystem.shared.emblemImageLoader = PlainLoader()
            let widths = AsyncImage(url: try logoURL()) {
                $0.width
            } placeholder: {
                0
            }
            #expect(await collected(widths) == [0, 60])
        }
    }
}
