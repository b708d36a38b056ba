import Artwork
import Batch
import Codecs
import Engine
import Notation
import Raster
import Render
import Support
import Testing
import Theming
import Transport
import Worker

@Suite("Options in the run record and in item keys")
struct OptionsRecordTests {
    private static func record(_ settings: RunSettings) -> String {
        var json = JSONWriter()
        json.object { OptionsRecord(settings, nameTemplate: nil).write(into: &$0) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A changed value for each setting of a run.
    private static let changes: [String: @Sendable (inout RunSettings) -> Void] = [
        // The options of the look have their own tests.
        "recipe": { $0.recipe.upscale = false },
        "layouts": { $0.layouts = [.emblem(.large)] },
        "component": { $0.component = .avatar },
        "schemes": { $0.schemes = [.dark] },
        "scales": { $0.scales = [2] },
        // The record of `sets` consists of the recipe's variants and the scales.
        "sets": { $0.sets = [PictureSet(scales: [1], formats: [.png, .webp])] },
        "bytesLimit": { $0.bytesLimit = 1 },
        "remoteOnly": { $0.remoteOnly = true },
        "network": { $0.network.retries = 9 },
        "renderTimeout": { $0.renderTimeout = .seconds(7) },
    ]

    private static let networkChanges: [String: @Sendable (inout NetworkSettings) -> Void] = [
        "timeout": { $0.timeout = .seconds(77) },
        "itemTimeout": { $0.itemTimeout = .seconds(77) },
        "retries": { $0.retries = 77 },
        "allowPrivate": { $0.allowPrivate = true },
        "headers": { $0.headers = [NetworkHeader("A", "b")].compactMap(\.self) },
        "proxy": { $0.proxy = "http://localhost" },
        "userAgent": { $0.userAgent = "x" },
        "isOffline": { $0.isOffline = true },
    ]

    /// Settings that change no output and no error class, or that are recorded elsewhere: the theme
    /// by its digest, the body limit by the limit of sources, and the check of names by the template
    /// of names. Only EmblemKit sets the last two.
    private static let others: Set = [
        "theme", "jobs", "memoryBytes", "waitingBytesLimit", "backendLimitsTime", "mask",
        "onlyFailures", "refusal",
        "connections", "perHost", "cache", "bodyLimit", "headerLimit", "breakerItems",
        "breakerProbes", "givenUpTime", "rate", "heldBytesLimit", "seed", "lookUp",
        "fixedAddresses",
        "allowedPrivate", "refusesLinkLocal", "buckets", "redirects", "certificates",
    ]

    @Test("every run setting is recorded or has no effect")
    func settings() throws {
        let plain = RunSettings()
        for child in Mirror(reflecting: plain).children {
            let name = try #require(child.label)
            guard !Self.others.contains(name) else { continue }
            let change = try #require(Self.changes[name], "\(name) is in neither list")
            var settings = plain
            change(&settings)
            #expect(Self.record(settings) != Self.record(plain), "\(name)")
        }
    }

    @Test("every network setting is recorded or has no effect")
    func network() throws {
        for child in Mirror(reflecting: NetworkSettings()).children {
            let name = try #require(child.label)
            guard !Self.others.contains(name) else { continue }
            let change = try #require(Self.networkChanges[name], "\(name) is in neither list")
            var settings = RunSettings()
            change(&settings.network)
            #expect(Self.record(settings) != Self.record(RunSettings()), "\(name)")
        }
    }

    @Test("a look and its options are recorded")
    func look() {
        var settings = RunSettings()
        settings.recipe.apply(.icons)
        #expect(Self.record(settings).contains(#""look":"icons""#))
        #expect(Self.record(settings).contains(#""padding":"25%""#))
    }

    @Test(
        "every option of a recipe changes the keys of all items",
        arguments: Recipe.options)
    func keys(option: LookOption) throws {
        let item = BatchItem(argument: "logo.png")
        var plain = RunSettings()
        plain.recipe.output = .same
        let look = RunIdentity.lookDigest(plain, nameTemplate: nil)
        var changed = 0
        for text in [
            "true", "3.25", "7K", "33", "#123456", "none", "3:danger", "0.5,0.25", "logos", "fill",
            "top", "info", "auto", "continuous", "never", "webp", "small",
        ] {
            guard let edit = option.edit(text) else { continue }
            var settings = plain
            edit(&settings.recipe)
            guard settings.recipe != plain.recipe else { continue }
            changed += 1
            let other = RunIdentity.lookDigest(settings, nameTemplate: nil)
            #expect(ItemKey(item, nil, look: other) != ItemKey(item, nil, look: look), "\(text)")
            #expect(Self.record(settings) != Self.record(plain), "\(text)")
        }
        #expect(changed > 0)
    }

    @Test("every column of the look changes the key of its item", arguments: ListColumn.look)
    func columnKeys(column: ListColumn) {
        let look = RunIdentity.lookDigest(RunSettings(), nameTemplate: nil)
        var row = ListRow(line: 1, offset: 0)
        row.source = "logo.png"
        let plain = ItemKey(BatchItem(index: 0, row: row), nil, look: look)
        row.look[column] = "x"
        let changed = ItemKey(BatchItem(index: 0, row: row), nil, look: look)
        #expect(changed != plain)
    }

    @Test("every column of the look is one of the options, or the layout")
    func columns() {
        let options = Recipe.options.filter(\.isColumn).map(\.name)
        #expect(Set(ListColumn.look.map(\.rawValue)) == Set(options + ["layout"]))
    }
}
