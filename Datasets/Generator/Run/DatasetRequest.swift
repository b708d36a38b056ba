struct UsageError: Error {
    let text: String
}

struct DatasetRequest: Sendable {
    var plan = DatasetPlan()
    var output = ""
    var jobs: Int?
    var force = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h": wantsHelp = true
            case "--force": force = true
            case "--broken": plan.broken = true
            case "--lists": plan.lists = true
            case "--output", "-o": output = try Self.value(of: option, &rest)
            case "--preset":
                let name = try Self.value(of: option, &rest)
                guard let preset = DatasetPlan.preset(name) else {
                    throw UsageError(text: "no preset is called \(name)")
                }
                plan = preset
            case "--seed": plan.seed = UInt64(try Self.number(of: option, &rest))
            case "--logos": plan.logos = try Self.number(of: option, &rest)
            case "--photos": plan.photos = try Self.number(of: option, &rest)
            case "--webp": plan.webps = try Self.number(of: option, &rest)
            case "--svg": plan.svgs = try Self.number(of: option, &rest)
            case "--count": plan.small = try Self.number(of: option, &rest)
            case "--jobs": jobs = max(1, try Self.number(of: option, &rest))
            default: throw UsageError(text: "unknown option \(option)")
            }
        }
        if !wantsHelp, output.isEmpty { throw UsageError(text: "--output is missing") }
    }

    /// The description of the folder's contents, stored in it; equal stamps mean equal files.
    var stamp: String {
        """
        {
          "generator": 1,
          "preset": "\(plan.name)",
          "seed": \(plan.seed),
          "logos": \(plan.logos),
          "photos": \(plan.photos),
          "webp": \(plan.webps),
          "svg": \(plan.svgs),
          "small": \(plan.small),
          "broken": \(plan.broken),
          "lists": \(plan.lists)
        }

        """
    }

    static let help = """
        Usage: emblem-dataset --output DIR [options]
               emblem-dataset sheet --help
               emblem-dataset urls --help

        Makes pictures to run emblem on. The same options give the same bytes.

          --preset sample      120 logos, 40 photos, 30 WebP, 30 SVG, typical broken files, lists
          --preset bench       1,000 logos with alpha (128 to 1,024 px), 240 photos (0.1 to 7 MP),
                               50 WebP, 10 SVG
          --preset many        10,000 small logos, each 200th of 4 MP (--count N for another number)
          --preset committed   what Datasets/samples holds

          --logos N --photos N --webp N --svg N   that many of each (after a preset: instead)
          --broken             every damaged and hostile file, with broken/expected.json
          --lists              emblems.csv and emblems.ndjson over all of it
          --seed N             another set of the same kind (1)
          --jobs N             tasks (cores)
          --force              make it even where the folder holds it already
        """

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError(text: "\(option) wants a value")
        }
        return value
    }

    private static func number(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> Int {
        let text = try value(of: option, &rest)
        guard let number = Int(text), (0...10_000_000).contains(number) else {
            throw UsageError(text: "\(option) wants a number, not \(text)")
        }
        return number
    }
}
