/// A workload as data: its pictures, and the options for a batch.
package struct Preset: Hashable, Sendable {
    package struct Option: Hashable, Sendable {
        package let name: String
        package let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let name: String
    /// A phrase for lists of presets.
    package let summary: String
    /// The pictures that are generated if the user gives none.
    package let pictures: [SampleKind: Int]
    /// The options of every case.
    package let options: [Option]
    /// The options that distinguish its cases.
    package let variants: [[Option]]
    /// Whether only one job is useful, because there is only one picture.
    package let isSingle: Bool
    /// The percentage of rows in its list that repeat a source.
    package let repeatedPercent: Int
    /// Whether a run over the outputs of an earlier one is measured.
    package let isRerun: Bool

    private init(
        _ name: String, _ summary: String, _ pictures: [SampleKind: Int], _ options: [Option],
        variants: [[Option]] = [[]], isSingle: Bool = false, repeatedPercent: Int = 0,
        isRerun: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.pictures = pictures
        self.options = options
        self.variants = variants
        self.isSingle = isSingle
        self.repeatedPercent = repeatedPercent
        self.isRerun = isRerun
    }

    /// Whether the user's pictures can replace the generated ones.
    package var takesInput: Bool { repeatedPercent == 0 }

    private static let single = [Option("layout", "large"), Option("scale", "2")]
    private static let layouts = [Option("layout", "all"), Option("scale", "2")]

    /// All presets; the first one is the default.
    package static let all: [Preset] = [
        Preset("logos", "logos to one rounded PNG of 128 pixels", [.logo: 160], single),
        Preset("photos", "JPEG photographs to one PNG of 128 pixels", [.photo: 24], single),
        Preset("layouts", "logos to four layouts at 2x, PNG", [.logo: 120], layouts),
        Preset(
            "layouts-webp", "logos to four layouts at 2x, WebP", [.logo: 120],
            layouts + [Option("format", "webp")]),
        Preset(
            "matrix", "logos to four layouts at three scales", [.logo: 80],
            [Option("layout", "all"), Option("scale", "1,2,3")]),
        Preset(
            "webp", "WebP pictures to one WebP of 128 pixels", [.webp: 120],
            single + [Option("format", "webp")]),
        Preset("svg", "drawings to four layouts at 2x, PNG", [.svg: 120], layouts),
        Preset(
            "duplicates", "a list in which three of ten rows repeat a source", [.logo: 120],
            single,
            repeatedPercent: 30),
        Preset(
            "rerun", "a second run over logos in four layouts, nothing changed", [.logo: 120],
            layouts, isRerun: true),
        Preset(
            "one", "one small logo, with and without a sandbox", [.logo: 1],
            [Option("layout", "medium"), Option("limit", "1")],
            variants: [[Option("sandbox", "process")], [Option("sandbox", "none")]],
            isSingle: true),
    ]

    package init?(name: String) {
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
