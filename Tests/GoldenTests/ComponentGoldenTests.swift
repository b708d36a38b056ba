import Artwork
import Raster
import Testing
import Theming

@Suite("Golden sheets of components")
struct ComponentGoldenTests {
    private static let artwork = EmblemArtwork()

    private static func sheet(
        _ columns: Int, _ rows: Int, _ cell: Int, _ scheme: ColorScheme
    ) -> Sheet {
        Sheet(
            columns: columns, rows: rows, cell: cell,
            page: Theme.builtIn.color("theme.color.background.surface", scheme) ?? .white)
    }

    @Test(
        "avatars match in every layout, with initials and icon",
        arguments: ColorScheme.allCases, [1.0, 3])
    func avatars(scheme: ColorScheme, scale: Double) throws {
        var sheet = Self.sheet(2, AvatarLayout.allCases.count, Int(88 * scale), scheme)
        let initials = try #require(Initials("JD"))
        for layout in AvatarLayout.allCases {
            let style = EmblemStyle(
                .avatar(layout), theme: .builtIn, scheme: scheme, scale: scale)
            let artwork = Self.artwork
            sheet.add(artwork.finish(try artwork.initials(initials, style), style))
            sheet.add(artwork.finish(try artwork.icon(.person, style), style))
        }
        try Golden.check(sheet.finished(), "avatars-\(scheme.rawValue)@\(Int(scale))x")
    }

    @Test(
        "badges match in every appearance, with short and long texts",
        arguments: ColorScheme.allCases, [1.0, 3])
    func badges(scheme: ColorScheme, scale: Double) throws {
        var sheet = Self.sheet(5, 3, Int(128 * scale), scheme)
        for text in ["3", "New", "Überfällig 🎉"] {
            for appearance in BadgeAppearance.allCases {
                let badge = try #require(Badge(text, appearance: appearance))
                let style = BadgeStyle(
                    appearance, theme: .builtIn, scheme: scheme, scale: scale)
                sheet.add(try badge.sketch(style).pixels(scale: scale))
            }
        }
        try Golden.check(sheet.finished(), "badges-\(scheme.rawValue)@\(Int(scale))x")
    }

    @Test(
        "the middle of the loading animation matches in every layout",
        arguments: ColorScheme.allCases)
    func shimmer(scheme: ColorScheme) throws {
        var sheet = Self.sheet(4, 1, 176, scheme)
        for layout in EmblemLayout.allCases {
            let style = EmblemStyle(.emblem(layout), theme: .builtIn, scheme: scheme, scale: 2)
            sheet.add(Shimmer(style, scheme: scheme).frame(Shimmer.frameCount / 2))
        }
        try Golden.check(sheet.finished(), "phases-\(scheme.rawValue)")
    }

    @Test("the ready-made state views match", arguments: ColorScheme.allCases, [1.0, 3])
    func stateViews(scheme: ColorScheme, scale: Double) throws {
        var sheet = Self.sheet(StateKind.allCases.count, 1, Int(480 * scale), scheme)
        for kind in StateKind.allCases {
            var content = StateContent(kind)
            if kind == .generic {
                content.title = "Payment complete"
                content.subtitle = "Your receipt is on its way and arrives within a few minutes"
                content.buttons = ["Done", "View receipt", "Report a problem"].map {
                    .init(title: $0, horizontalSpacers: 24)
                }
            }
            var style = StateStyle(tokens: .builtIn)
            style.padding = 16
            let view = StateView(content, style: style, theme: .builtIn, scheme: scheme)
            sheet.add(try view.sketch().pixels(scale: scale))
        }
        try Golden.check(sheet.finished(), "state-views-\(scheme.rawValue)@\(Int(scale))x")
    }

    @Test(
        "state views match in many scripts, sizes and directions", arguments: ColorScheme.allCases)
    func states(scheme: ColorScheme) throws {
        let words = [
            ("لا يوجد اتصال بالإنترنت", "يبدو أنك غير متصل", "حاول مرة أخرى"),
            ("אין תוצאות", "לא מצאנו דבר להציג כאן 123", "נסה שוב"),
            ("没有结果 🎉", "見つかりませんでした。もう一度お試しください。", "再試行"),
            ("ไม่พบผลลัพธ์", "कुछ नहीं मिला", "다시 시도"),
        ]
        var sheet = Sheet(
            columns: 4, rows: 2, cell: 520,
            page: Theme.builtIn.color("color.background.surface", scheme) ?? .white)
        for size in [TextSize.large, .xxxLarge] {
            for (title, subtitle, button) in words {
                let content = StateContent(
                    icon: .icon(.searchOff), title: title, subtitle: subtitle,
                    buttons: [.init(title: button)])
                var style = StateStyle(tokens: .builtIn)
                style.textSize = size
                let view = StateView(content, style: style, theme: .builtIn, scheme: scheme)
                sheet.add(try view.sketch().pixels(scale: 1))
            }
        }
        try Golden.check(sheet.finished(), "state-scripts-\(scheme.rawValue)")
    }
}
