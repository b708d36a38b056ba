import EmblemKit

/// Draws for two tenants at the same time, each with its own theme, while the program switches
/// between two other themes. Counts results with the wrong colours.
enum Tenants {
    private static let shades = ["#112233", "#AA5500", "#00CC77", "#7700AA"]
    private static let ways = 2

    /// A kind of drawing, made in this process or by a worker.
    private enum Kind: CaseIterable {
        case emblem, badge, shimmer, avatar, state, initials

        static let here: [Kind] = [.emblem, .badge, .shimmer, .avatar, .state]
    }

    private enum Drawn: Hashable, Sendable {
        case image(Image)
        case text(String)
    }

    static func run(_ words: [String]) async throws {
        let counts = words.compactMap { Int($0) } + [10_000, 300]
        let themes = try shades.map { try theme($0) }
        var known: [Kind: [Drawn]] = [:]
        for kind in Kind.allCases {
            for theme in themes { known[kind, default: []].append(try await draw(kind, theme)) }
            guard Set(known[kind] ?? []).count == shades.count else {
                return print("\(kind): two themes look the same")
            }
        }
        let switching = Task {
            var turn = 0
            while !Task.isCancelled {
                Theme.switchTo(themes[2 + turn % 2])
                turn += 1
                await Task.yield()
            }
            return turn
        }
        let expected = known
        let here = try await wrong(counts[0], Kind.here, themes, expected)
        print("\(counts[0]) in this program, \(here) wrong")
        let workers = try await wrong(counts[1], [.initials], themes, expected)
        print("\(counts[1]) by workers, \(workers) wrong")
        print("\(counts[1]) of batches, \(try await batches(counts[1], themes)) wrong")
        switching.cancel()
        print(await switching.value > 100 ? "switched" : "hardly switched")
    }

    private static func theme(_ shade: String) throws -> Theme {
        let names = ["brand", "category-1"].map { "\"\($0)\": {\"background\": \"\(shade)\"}" }
        return try Theme(
            string: """
                {"theme": {"color": {"background": {"brand": "\(shade)"},
                  "emblem": {\(names.joined(separator: ", "))},
                  "badge": {"danger": {"background": "\(shade)"}}}}}
                """, name: shade)
    }

    private static func draw(_ kind: Kind, _ theme: Theme?) async throws -> Drawn {
        switch kind {
        case .emblem:
            let emblem = AsyncEmblem(source: .icon(.lock), layout: .small, theme: theme)
            return .image(try await emblem.render().image)
        case .badge:
            return .image(try Badge(text: "3", appearance: .danger, theme: theme).render())
        case .shimmer: return .image(try Shimmer(layout: .small, theme: theme).frame(0))
        case .avatar: return .image(try await Avatar(layout: .small, theme: theme).render().image)
        case .state:
            return .text(try StateView(NoResultsStateViewConfiguration(), theme: theme).svg())
        case .initials:
            let avatar = Avatar(layout: .small, appearance: .initials("JD"), theme: theme)
            return .image(try await avatar.render().image)
        }
    }

    /// Returns how many of `count` drawings do not match their tenant's theme. Every third has no
    /// theme and must use one of the program's themes completely.
    private static func wrong(
        _ count: Int, _ kinds: [Kind], _ themes: [Theme], _ known: [Kind: [Drawn]]
    ) async throws -> Int {
        let width = 16
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<width {
                group.addTask {
                    var wrong = 0
                    for index in stride(from: lane, to: count, by: width) {
                        let kind = kinds[index / 6 % kinds.count]
                        let tenant = index % 3
                        let drawn: Drawn
                        switch (tenant, index / 3 % ways) {
                        case (2, _): drawn = try await draw(kind, nil)
                        case (_, 0): drawn = try await draw(kind, themes[tenant])
                        default:
                            drawn = try await Theme.withCurrent(themes[tenant]) {
                                await Task.yield()
                                return try await draw(kind, nil)
                            }
                        }
                        let all = known[kind] ?? []
                        let isRight =
                            tenant == 2
                            ? all[2...].contains(drawn) : all[tenant] == drawn
                        if !isRight { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
    }

    /// Runs a batch per tenant at the same time: pictures in workers, placeholders in this process.
    private static func batches(_ count: Int, _ themes: [Theme]) async throws -> Int {
        let picture = try await Image(data: Drill.sound)
        let sources = (0..<count / 2).map { index -> ImageSource in
            index % 5 == 4 ? .remote(url: nil) : .captured(image: picture)
        }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for tenant in 0..<2 {
                group.addTask {
                    let theme = themes[tenant]
                    let right = try await [sources[0], sources[4]].drawn(in: theme)
                    var batch = EmblemBatch(sources)
                    batch.layouts = [.small]
                    var wrong = 0
                    if tenant == 0 {
                        batch.theme = theme
                        for await outcome in batch
                        where outcome.emblem(.small) != right[outcome.index % 5 / 4] { wrong += 1 }
                    } else {
                        wrong = await Theme.withCurrent(theme) { [batch] in
                            await batch.reduce(0) { wrong, outcome in
                                let isRight = outcome.emblem(.small) == right[outcome.index % 5 / 4]
                                return isRight ? wrong : wrong + 1
                            }
                        }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

extension [ImageSource] {
    fileprivate func drawn(in theme: Theme) async throws -> [Image] {
        var images: [Image] = []
        for source in self {
            let emblem = AsyncEmblem(source: source, layout: .small, theme: theme)
            images.append(try await emblem.render().image)
        }
        return images
    }
}
