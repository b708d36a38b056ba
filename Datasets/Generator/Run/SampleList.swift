/// The list of the sample: a row per picture, and a few rows that cannot be loaded.
struct SampleList {
    private struct Row {
        let id: String
        let source: String
        let label: String
        var appearance = "brand"
        var mode = "fit"
        let group: String
    }

    private let plan: DatasetPlan

    init(plan: DatasetPlan) {
        self.plan = plan
    }

    /// Returns the list in two formats. The tool does not use `group` and copies it to the
    /// manifest, where the sheet reads it.
    func files() -> [DatasetFile] {
        let rows = self.rows()
        var csv = "id,source,label,appearance,mode,group\n"
        var lines = ""
        for row in rows {
            csv +=
                "\(row.id),\(row.source),\(row.label),\(row.appearance),\(row.mode),\(row.group)\n"
            lines +=
                "{\"id\":\"\(row.id)\",\"source\":\"\(row.source)\",\"label\":\"\(row.label)\","
            lines += "\"appearance\":\"\(row.appearance)\",\"mode\":\"\(row.mode)\","
            lines += "\"group\":\"\(row.group)\"}\n"
        }
        return [
            DatasetFile(text: "emblems.csv", csv), DatasetFile(text: "emblems.ndjson", lines),
        ]
    }

    private static let appearances = [
        "category1", "category2", "category3", "category4", "category5", "category6", "category7",
        "category8", "category9", "category10", "info", "success", "warning", "danger",
    ]

    private func rows() -> [Row] {
        var rows: [Row] = []
        for number in 0..<plan.logos {
            let logo = plan.logo(number)
            rows.append(
                Row(
                    id: stem(logo.path), source: logo.path, label: logo.design.name.label,
                    group: "logos"))
        }
        for number in 0..<plan.photos {
            let path = plan.photo(number).path
            rows.append(
                Row(
                    id: stem(path), source: path, label: "Photo \(number + 1)", mode: "fill",
                    group: "photos"))
        }
        for number in 0..<plan.webps {
            let picture = WebPPicture(seed: plan.seed, number: number, folder: "webp")
            rows.append(
                Row(
                    id: stem(picture.path), source: picture.path, label: picture.label,
                    mode: number % 6 == 3 ? "fill" : "fit", group: "webp"))
        }
        for number in 0..<plan.svgs {
            let picture = SVGPicture(seed: plan.seed, number: number, folder: "svg")
            let appearance = Self.appearances[number / 3 % Self.appearances.count]
            rows.append(
                Row(
                    id: stem(picture.path), source: picture.path, label: picture.label,
                    appearance: picture.isTemplate ? appearance : "brand",
                    group: picture.isTemplate ? "templates" : "svg"))
        }
        return rows + lost()
    }

    /// Sources that cannot be loaded, with several appearances.
    private func lost() -> [Row] {
        let sources = [
            ("gone", "logos/gone.png", "Gone Market"), ("moved", "logos/moved.webp", "Moved Bank"),
            ("half", "broken/png-cut-50.png", "Half Energy"),
            ("page", "broken/page.png", "Page Books"),
            ("bomb", "broken/png-bomb-30000.png", "Bomb Mobile"),
            ("torn", "broken/jpeg-cut-50.jpg", "Torn Travel"),
            ("blank", "broken/empty.png", "Blank Optics"),
            ("letter", "broken/document.png", "Letter Post"),
            ("layers", "broken/tiff.jpg", "Layers Studio"),
            ("scans", "broken/jpeg-2000-scans.jpg", "Scans Garden"),
        ]
        return sources.enumerated().map { index, source in
            Row(
                id: source.0, source: source.1, label: source.2,
                appearance: index == 0 ? "brand" : Self.appearances[index + 4], group: "lost")
        }
    }

    private func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.split(separator: ".").first ?? "")
    }
}
