/// A workload as data: which pictures, and what a batch is asked to make of them.
package struct Preset: Hashable, Sendable {
    /// An option of `emblem batch` with its value.
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
    /// The pictures that are made for it where nobody brings any.
    package let pictures: [SampleKind: Int]
    /// What every case of it is asked for.
    package let options: [Option]
    /// What tells its cases apart, besides the number of jobs.
    package let variants: [[Option]]
    /// Only one job, since there is only one picture to work on.
    package let isSingle: Bool
    /// This many rows in a hundred of its list name a source a second time.
    package let repeatedPercent: Int
    /// Measured is a run over what an earlier one left.
    package let standsAlready: Bool

    private init(
        _ name: String, _ summary: String, _ pictures: [SampleKind: Int], _ options: [Option],
        variants: [[Option]] = [[]], isSingle: Bool = false, repeatedPercent: Int = 0,
        standsAlready: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.pictures = pictures
        self.options = options
        self.variants = variants
        self.isSingle = isSingle
        self.repeatedPercent = repeatedPercent
        self.standsAlready = standsAlready
    }

    /// Whether pictures of one's own can take the place of those made for it.
    package var takesInput: Bool { repeatedPercent == 0 }

    private static let single = [Option("layout", "large"), Option("scale", "2")]
    private static let layouts = [Option("layout", "all"), Option("scale", "2")]

    /// All of them; the first one is measured where nothing is said.
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
            layouts, standsAlready: true),
        Preset(
            "one", "one small logo, with and without a sandbox", [.logo: 1],
            [Option("layout", "medium"), Option("limit", "1")],
            variants: [[Option("sandbox", "process")], [Option("sandbox", "none")]],
            isSingle: true),
    ]

    /// The preset of this name.
    package init?(name: String) {
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
