import EmblemKit
import FoundationEssentials
import Support
import Synchronization
import Testing

/// An observer that keeps all reports.
final class KeepingObserver: EmblemObserver {
    private let state = Mutex<[EmblemReport]>([])
    var reports: [EmblemReport] { state.withLock { $0 } }

    func finished(_ report: EmblemReport) {
        state.withLock { $0.append(report) }
    }
}

@Suite("The observer of a batch")
struct ObserverTests {
    @Test("an observer is notified of every item before its outcome: times, bytes, errors")
    func items() async throws {
        let folder = try ScratchFolder()
        let bytes = try TestPictures.png(300, 200)
        let path = try folder.write(bytes, to: "logo.png")
        let broken = try folder.write(TestPictures.truncated(), to: "half.png")
        let observer = KeepingObserver()
        var batch = EmblemBatch([
            EmblemItem(source: .local(name: path), id: "good"),
            EmblemItem(source: .local(name: broken), id: "half"), EmblemItem(url: nil, id: "none"),
            EmblemItem(source: .local(name: folder.path("no.png")), id: "gone"),
        ])
        batch.observer = observer
        batch.layouts = [.small, .large]
        var sizes: [String: Int] = [:]
        for await outcome in batch {
            let id = try #require(outcome.item.id)
            #expect(observer.reports.contains { $0.item.id == id && $0.index == outcome.index })
            sizes[id] = try outcome.emblems.reduce(0) { try $0 + $1.image.pngData().count }
        }
        let reports = observer.reports
        #expect(reports.count == 4)
        for report in reports {
            let id = try #require(report.item.id)
            #expect(report.bytesOut == sizes[id] && report.origin == nil && !report.isShared)
            let all = report.stages.values.reduce(.zero, +)
            #expect(report.duration > .zero && all <= report.duration, "\(report)")
            #expect(report.stages.values.allSatisfy { $0 >= .zero })
            // The failed items share one placeholder, so only the good item must have a time for
            // encoding.
            #expect((report.stages[.encode] ?? .zero) > .zero || id != "good")
            switch id {
            case "good":
                #expect(report.status == .ok && report.errorClass == nil)
                #expect(report.bytesIn == bytes.count)
                #expect(
                    Set(report.stages.keys).isSuperset(of: [.load, .decode, .compose, .encode]))
            case "half": #expect(report.errorClass == "truncated")
            case "none": #expect(report.errorClass == "missing_url" && report.bytesIn == 0)
            default: #expect(report.errorClass == "not_found" && report.status == .placeholder)
            }
        }
    }

    @Test("an observer is notified of cache hits, also through a custom loader")
    func caches() async throws {
        let image = try TestPictures.image()
        let keeping = CachingImageLoader(TestLoader(image))
        let observer = KeepingObserver()
        var batch = EmblemBatch(urls: [try testURL()])
        batch.loader = TestLoader { try await keeping.loadImage(from: $0) }
        batch.observer = observer
        for _ in 0..<2 { for await _ in batch {} }
        #expect(observer.reports.map(\.origin) == [nil, .memory])
        #expect(observer.reports.map(\.isFromCache) == [false, true])
    }

    @Test("an observer is notified whether the network or its cache responded")
    func network() async throws {
        TestServers.nginx.publish(try TestPictures.png(31, 17), as: "kit-observed.png")
        let folder = try ScratchFolder()
        var settings = NetworkImageLoader.Settings()
        settings.allowPrivate = true
        settings.cache = NetworkImageLoader.Cache(folder: folder.path("cache"))
        let url = URL(string: TestServers.nginx.url("files/kit-observed.png"))
        let observer = KeepingObserver()
        for isOffline in [false, true] {
            settings.isOffline = isOffline
            var batch = EmblemBatch(urls: [url])
            batch.loader = NetworkImageLoader(settings)
            batch.observer = observer
            for await outcome in batch { #expect(outcome.status == .ok) }
        }
        #expect(observer.reports.map(\.origin) == [.network, .cache])
        #expect(observer.reports.allSatisfy { $0.stages[.load] != nil && $0.bytesIn > 0 })
    }

    @Test("an observer is notified of shared work once with its cost, and once without")
    func shared() async throws {
        let gate = Gate()
        let image = try TestPictures.image()
        let observer = KeepingObserver()
        var batch = EmblemBatch(urls: [try testURL(), try testURL()])
        batch.loader = TestLoader { _ in
            try await gate.pass()
            return image
        }
        batch.observer = observer
        let task = Task { [batch] in await batch.reduce(0) { sum, _ in sum + 1 } }
        await gate.wait(for: 1)
        for _ in 0..<2_000 { await Task.yield() }
        gate.open()
        #expect(await task.value == 2)
        let shared = observer.reports.filter(\.isShared)
        #expect(observer.reports.count == 2 && shared.count <= 1)
        #expect(shared.allSatisfy { $0.bytesIn == 0 && $0.stages.isEmpty && $0.status == .ok })
    }

    @Test("an observer is notified of each avatar of a batch")
    func avatars() async throws {
        let observer = KeepingObserver()
        var batch = AvatarBatch([EmblemItem(url: nil, label: "Ada Lovelace")])
        batch.observer = observer
        for await _ in batch {}
        #expect(observer.reports.map(\.status) == [.placeholder])
        #expect(observer.reports.map(\.item.label) == ["Ada Lovelace"])
    }
}

extension SharedStateTests {
    @Suite("The shared observer")
    struct SharedObserverTests {
        @Test("the shared observer is notified of single components, and a batch may replace it")
        func all() async throws {
            let (all, own) = (KeepingObserver(), KeepingObserver())
            DesignSystem.shared.observer = all
            defer { DesignSystem.shared.observer = nil }
            let label = "observed \(UUID())"
            var emblem = AsyncEmblem(source: .icon(.lock))
            emblem.accessibility.label = label
            _ = try await emblem.render()
            var avatar = Avatar(appearance: .initials("AB"))
            avatar.accessibility.label = label
            _ = try await avatar.render()
            var batch = EmblemBatch([EmblemItem(source: .icon(.lock), label: label)])
            batch.observer = own
            for await _ in batch {}
            // Other tests draw at the same time, so the reports are filtered by label.
            let seen = all.reports.filter { $0.item.label == label }
            #expect(seen.map(\.index) == [nil, nil] && seen.allSatisfy { $0.status == .ok })
            #expect(own.reports.count == 1)
        }
    }
}
