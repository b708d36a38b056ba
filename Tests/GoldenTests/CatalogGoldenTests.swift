import Artwork
import Raster
import Testing
import Theming

@Suite("Golden sheets of the catalogue")
struct CatalogGoldenTests {
    @Test(
        "catalogue sheets match for every component in every look, size and scheme",
        arguments: ColorScheme.allCases, [1.0, 3])
    func sheets(scheme: ColorScheme, scale: Double) throws {
        let catalog = Catalog()
        for section in try catalog.sections(scheme) {
            let sheet = try catalog.sheet(section, scheme, scale: scale)
            try Golden.check(sheet, "\(section.name)-\(scheme.rawValue)@\(Int(scale))x")
        }
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
                let view = StateView(
                    content, style: StateStyle(theme: .builtIn, scheme: scheme, textSize: size))
                sheet.add(try view.sketch().pixels(scale: 1))
            }
        }
        try Golden.check(sheet.finished(), "state-scripts-\(scheme.rawValue)")
    }
}
