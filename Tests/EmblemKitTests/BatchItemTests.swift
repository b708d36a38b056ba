import EmblemKit
import FoundationEssentials
import Synchronization
import Testing

@Suite("Items of a batch")
struct BatchItemTests {
    private struct Merchant: EmblemItemConvertible, Sendable {
        let number: Int
        var emblemItem: EmblemItem { EmblemItem(source: .icon(.card), id: "m\(number)") }
    }

    @Test("a batch outcome contains its item, and each item has its own look")
    func own() async throws {
        let items = [
            EmblemItem(source: .icon(.card), id: "a", label: "Acme", appearance: .danger),
            EmblemItem(source: .icon(.card), id: "b", badge: Badge(text: "3", appearance: .info)),
            EmblemItem(url: nil, appearance: .success, badge: Badge(text: "!")),
            EmblemItem(url: nil, appearance: .warning), EmblemItem(url: nil),
        ]
        var batch = EmblemBatch(items)
        batch.appearance = .category5
        batch.badge = Badge(text: "9")
        batch.badgeCorner = .bottomLeft
        for await outcome in batch {
            let item = items[outcome.index]
            #expect(outcome.item == item && outcome.source == item.source)
            var alone = AsyncEmblem(
                source: item.source, appearance: item.appearance ?? .category5)
            (alone.badge, alone.badgeCorner) = (item.badge ?? batch.badge, .bottomLeft)
            #expect(try await outcome.emblem(.medium) == alone.render().image)
            #expect(outcome.status == (outcome.index < 2 ? .ok : .placeholder))
        }
    }

    @Test("batch items with one URL are loaded once, and drawn once if they look alike")
    func sharing() async throws {
        let gate = Gate()
        let image = try TestPictures.image()
        let loader = TestLoader { _ in
            try await gate.pass()
            return image
        }
        let url = try testURL()
        let looks: [Emblem.Appearance?] = [nil, .danger, nil, .danger, nil, .danger]
        var batch = EmblemBatch(looks.map { EmblemItem(url: url, appearance: $0) })
        batch.look = .plain
        batch.loader = loader
        let task = Task { [batch] in
            var images: [Int: Image] = [:]
            for await outcome in batch { images[outcome.index] = outcome.emblem(.medium) }
            return images
        }
        await gate.wait(for: 1)
        for _ in 0..<2_000 { await Task.yield() }
        gate.open()
        let images = await task.value
        #expect(images.count == 6 && Set(images.values).count == 2)
        #expect(images[0] == images[2] && images[1] == images[5] && images[0] != images[1])
        #expect(loader.count() == 1)
    }

    @Test("batch items without pictures load their common placeholder once")
    func placeholder() async throws {
        let stand = try testURL("stand-in.png")
        let loader = TestLoader { url in
            guard url == stand else { throw OwnError(word: "closed") }
            await Task.yield()
            return try TestPictures.image(80, 80)
        }
        var batch = EmblemBatch(urls: try (0..<30).map { try testURL("\($0)") })
        (batch.loader, batch.placeholder) = (loader, .remote(url: stand))
        let alone = try await AsyncEmblem(
            source: .captured(image: try TestPictures.image(80, 80))
        ).render()
        for await outcome in batch {
            #expect(outcome.status == .placeholder && outcome.emblem(.medium) == alone.image)
            #expect(outcome.error as? OwnError == OwnError(word: "closed"))
        }
        #expect(loader.count(stand) == 1)
    }

    @Test("the progress of a batch counts its items, with a total if it is known")
    func progress() async throws {
        var batch = EmblemBatch([
            ImageSource.icon(.card), .icon(.lock), .remote(url: nil), .icon(.globe),
        ])
        #expect(batch.total == 4)
        var seen: [BatchProgress] = []
        for await outcome in batch { seen.append(outcome.progress) }
        #expect(seen.map(\.finished) == [1, 2, 3, 4] && seen.allSatisfy { $0.total == 4 })
        #expect(seen.last?.placeholders == 1 && seen.last?.failed == 0)
        #expect(seen.last?.fraction == 1 && "\(seen[1])" == "2 of 4")
        batch.scales = [7]
        var last: BatchProgress?
        for await outcome in batch { last = outcome.progress }
        #expect(last?.failed == 4)
    }

    @Test("a batch of avatars shows the picture, or the initials of the label, or the icon")
    func avatars() async throws {
        let image = try TestPictures.image()
        let loader = TestLoader { url in
            if url.lastPathComponent == "good" { return image }
            throw OwnError(word: "closed")
        }
        let (good, bad) = (try testURL("good"), try testURL("bad"))
        let items = [
            EmblemItem(url: good, label: "Ada Lovelace"),
            EmblemItem(url: bad, label: "Ada Lovelace"),
            EmblemItem(url: bad, label: " "), EmblemItem(url: nil),
            EmblemItem(url: bad, label: "Grace Hopper", badge: Badge(text: "1")),
        ]
        var batch = AvatarBatch(items)
        #expect(batch.layouts == Avatar.Layout.allCases && batch.total == 5)
        batch.scales = [1, 2]
        batch.loader = loader
        var count = 0
        for await outcome in batch {
            count += 1
            let item = items[outcome.index]
            let wanted: Avatar.Appearance =
                switch outcome.index {
                case 0: .image(.remote(url: good))
                case 1: .initials("AL")
                case 4: .initials("GH")
                default: .icon
                }
            #expect(outcome.item == item && outcome.progress.finished == count)
            #expect(outcome.status == (outcome.index == 0 ? .ok : .placeholder))
            #expect(outcome.avatars.allSatisfy { $0.appearance == wanted })
            #expect(outcome.avatars.map(\.image.width) == [24, 48, 40, 80, 56, 112, 80, 160])
            var alone = Avatar(layout: .large, appearance: wanted)
            alone.loader = loader
            alone.badge = item.badge
            #expect(try await outcome.avatar(.large, scale: 2) == alone.render(scale: 2).image)
            #expect(
                (outcome.error as? OwnError)
                    == ([0, 3].contains(outcome.index) ? nil : .init(word: "closed")))
        }
        #expect(count == 5)
    }

    @Test("a batch of avatars uses themes and colour schemes as emblems do")
    func avatarLooks() async throws {
        let theme = try Theme(
            name: "own", json: ##"{"theme":{"color":{"background":{"brand":"#102030"}}}}"##.utf8)
        var batch = AvatarBatch([EmblemItem(source: .icon(.person))])
        (batch.theme, batch.layouts, batch.schemes) = (theme, [.small], [.light, .dark])
        for await outcome in batch {
            #expect(outcome.avatars.map(\.scheme) == [.light, .dark])
            let alone = Avatar(
                layout: .small, appearance: .image(.icon(.person)), theme: theme)
            #expect(try await outcome.avatar(.small) == alone.render().image)
        }
    }
}
