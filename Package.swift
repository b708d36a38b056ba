// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The archive of the fuzzing engine; only `make fuzz` names one.
let fuzzer = Context.environment["EMBLEM_FUZZ"]

/// Whether SwiftPM fetched this package for another one. It takes no flags of such a package but
/// those it has names for.
let isFetched: Bool = {
    // It keeps what it checks out beside what it cloned.
    let folder = URL(filePath: Context.packageDirectory).deletingLastPathComponent()
    let clones = folder.deletingLastPathComponent().appending(path: "repositories")
    return folder.lastPathComponent == "checkouts"
        && FileManager.default.fileExists(atPath: clones.path)
        || Context.packageDirectory.contains("/registry/downloads/")
}()

/// The command plugin is there for packages that fetched this one, or with EMBLEM_PLUGIN=1 by path: at
/// home it would have the whole tool built a second time beside the tests.
let hasPlugin = isFetched || Context.environment["EMBLEM_PLUGIN"] == "1"

/// Warnings are errors here. SwiftPM drops that where it fetched the package; who depends on it by
/// path says EMBLEM_WARNINGS=allow.
let isStrict = Context.environment["EMBLEM_WARNINGS"] != "allow"

/// One set of settings for every Swift target of the package.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableExperimentalFeature("Lifetimes"),
    ]
    + (isStrict ? [.treatAllWarnings(as: .error)] : [])
    + (fuzzer == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer,address"])])

/// The same for every C target of the package; under the engine with its counters of what was
/// reached, and with an end at the first word of a sanitizer.
let cSettings: [CSetting] =
    [.enableWarning("all"), .enableWarning("extra")]
    + (isStrict ? [.treatAllWarnings(as: .error)] : [])
    + (fuzzer == nil
        ? []
        : [
            .unsafeFlags([
                "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all",
            ])
        ])

/// A binding to an installed C library: a module map and a header, no logic.
func library(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CSystem/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([package])])
}

/// A module of ours, with what it depends on.
func module(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources,
        swiftSettings: settings)
}

/// The test modules whose loops over pixels take longer without optimization than they save.
let optimizedTests: Set = ["Artwork", "Codecs", "Golden", "Raster", "Render"]

/// The tests of a module, through its own interface. A release build compiles most of them without
/// optimization and indexes no module of the system: that takes a third of the time. The modules
/// under test are optimized all the same.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let flags =
        ["-index-ignore-system-modules"] + (optimizedTests.contains(name) ? [] : ["-Onone"])
    return .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests",
        swiftSettings: settings
            + (isFetched ? [] : [.unsafeFlags(flags, .when(configuration: .release))]))
}

/// The fuzzing engine around the targets, absent from ordinary builds.
let engine: [Target] =
    fuzzer.map { archive in
        [
            .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
            .executableTarget(
                name: "emblem-fuzz", dependencies: ["FuzzTargets", "CLibFuzzer"],
                path: "Tests/Fuzz/Engine", swiftSettings: settings,
                linkerSettings: [.unsafeFlags([archive, "-lstdc++"])]),
        ]
    } ?? []

/// The tool for packages that make pictures of their own: swift package emblem.
let plugin: [Target] = [
    .plugin(
        name: "EmblemCommand",
        capability: .command(
            intent: .custom(
                verb: "emblem", description: "Make emblems from pictures and lists of them"),
            permissions: [
                .writeToPackageDirectory(reason: "emblem writes the pictures where -o says")
            ]),
        dependencies: ["EmblemTool"])
]

/// What only work on the package itself asks for.
let developmentTools: [Product] = [
    .executable(name: "emblem-dataset", targets: ["DatasetGenerator"]),
    .executable(name: "emblem-floor", targets: ["Floor"]),
    .executable(name: "emblem-kernels", targets: ["Kernels"]),
    .executable(name: "emblem-counts", targets: ["Counts"]),
]

let package = Package(
    name: "emblem",
    products: [
        .executable(name: "emblem", targets: ["EmblemTool"]),
        .library(name: "EmblemKit", targets: ["EmblemKit"]),
    ] + (isFetched ? [] : developmentTools)
        + (hasPlugin ? [.plugin(name: "EmblemCommand", targets: ["EmblemCommand"])] : []),
    targets: [
        // Doors to C.
        library("CLibJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
        library("CLibPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        library("CLibWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
        library("CLibDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CLibLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev"),
        // Their functions are found when they are first called: see CShims/heif_binding.c and
        // CCurlShims/binding.c.
        library("CLibHeif", apt: "libheif-dev"),
        library("CLibCurl", apt: "libcurl4-openssl-dev"),
        // C of ours: inner loops, the four codecs, what holds worker processes, and fences around
        // libraries that jump.
        .target(name: "CKernels", path: "Sources/CKernels", cSettings: cSettings),
        .target(name: "CDeflate", path: "Sources/CDeflate", cSettings: cSettings),
        .target(name: "CWebPLossy", path: "Sources/CWebPLossy", cSettings: cSettings),
        .target(name: "CWebPAlpha", path: "Sources/CWebPAlpha", cSettings: cSettings),
        .target(
            name: "CJPEGScaled", dependencies: ["CLibJPEG"], path: "Sources/CJPEGScaled",
            cSettings: cSettings),
        .target(
            name: "CShims", dependencies: ["CLibJPEG", "CLibPNG", "CLibHeif", "CJPEGScaled"],
            path: "Sources/CShims", cSettings: cSettings),
        .target(
            name: "CSandbox", dependencies: ["CShims"], path: "Sources/CSandbox",
            cSettings: cSettings),
        // Apart from CShims, so that what decodes pictures links no curl.
        .target(
            name: "CCurlShims", dependencies: ["CShims", "CLibCurl", "CZlib"],
            path: "Sources/CCurlShims", cSettings: cSettings),

        // JPEG XL; libjxl is found when it is first called, see binding.c.
        .target(
            name: "CJPEGXL", dependencies: ["CShims"], path: "Sources/CJPEGXL",
            cSettings: cSettings),

        // What draws SVG and text; its libraries are found when they are first called.
        .target(
            name: "CDrawing", dependencies: ["CShims"], path: "Sources/CDrawing",
            cSettings: cSettings),

        // Clocks, threads and queues, one of each: below everything.
        module("System", ["CShims"]),

        // Words and numbers: know no images.
        module("Notation", []),
        module("Digest", ["CShims", "CLibDeflate"]),
        module("Gauge", ["System", "Notation"]),
        module("Flags", ["Notation"]),
        module("Console", ["Notation"]),

        // Bytes to pixels to bytes.
        module("Raster", ["System", "CKernels"]),
        module(
            "Codecs",
            [
                "Raster", "System", "Digest", "CShims", "CKernels", "CDeflate", "CWebPLossy",
                "CWebPAlpha", "CLibJPEG", "CLibPNG", "CLibWebP", "CLibDeflate", "CZlib", "CLibLCMS",
                "CLibHeif", "CDrawing", "CJPEGXL",
            ]),
        module("Theming", ["Raster", "Notation", "Digest"]),
        module("Artwork", ["Raster", "System", "Theming", "Codecs", "Notation", "CDrawing"]),
        module(
            "Render",
            ["System", "Raster", "Codecs", "Theming", "Artwork", "Notation", "Digest"]),
        module(
            "Cell",
            ["Render", "Artwork", "Codecs", "Raster", "Theming", "System", "CSandbox", "CShims"]),

        // The outside world, and the run.
        module(
            "Transport",
            ["System", "Notation", "Digest", "CZlib", "CShims", "CCurlShims", "CLibCurl"]),
        module(
            "Engine",
            [
                "Transport", "Cell", "Render", "Artwork", "Codecs", "Raster", "Theming", "Gauge",
                "System", "Notation", "Digest",
            ]),
        // What the outputs of a batch are laid out for.
        module(
            "Targets",
            [
                "Engine", "Transport", "Render", "Artwork", "Codecs", "Raster", "Theming",
                "Notation", "Digest",
            ]),
        module(
            "Batch",
            [
                "Targets", "Engine", "Transport", "Cell", "Render", "Artwork", "Codecs", "Raster",
                "Theming",
                "Gauge", "System", "Notation", "Digest", "CDrawing",
            ],
            // Become a part of the program, which stays one file.
            resources: [
                .embedInCode("Report/report.css"), .embedInCode("Report/report.js"),
            ]),

        module(
            "Stream",
            [
                "Batch", "Engine", "Transport", "Cell", "Render", "Notation", "System",
            ]),

        // Runs of runs.
        module(
            "Bench",
            [
                "Batch", "Engine", "Transport", "Codecs", "Raster", "Gauge", "System", "Notation",
                "Digest", "CShims",
            ]),

        // The faces.
        module(
            "EmblemKit",
            [
                "Batch", "Engine", "Transport", "Cell", "Render", "Artwork", "Codecs", "Raster",
                "Theming", "Gauge", "Notation", "Digest", "System",
            ]),
        module(
            "EmblemCLI",
            [
                "Targets", "Batch", "Stream", "Engine", "Cell", "Render", "Artwork", "Codecs",
                "Raster",
                "Theming", "Transport", "Bench", "Gauge", "System", "Digest", "Notation", "Flags",
                "Console",
            ]),
        // The tool alone, apart from its logic: whoever tests that is not linked like this.
        .executableTarget(
            name: "EmblemTool", dependencies: ["EmblemCLI"], path: "Sources/EmblemTool",
            swiftSettings: settings,
            linkerSettings: isFetched ? [] : [.unsafeFlags(["-static-stdlib"])]),

        // Pictures to run on, and sheets of what came out.
        .executableTarget(
            name: "DatasetGenerator",
            dependencies: [
                "Codecs", "Raster", "System", "Notation", "CLibJPEG", "CLibWebP", "CLibDeflate",
                "CDrawing", "CLibLCMS",
            ],
            path: "Datasets/Generator", swiftSettings: settings),

        // The least that any program pays, to be compared with.
        .executableTarget(
            name: "Floor", dependencies: ["CLibJPEG", "CLibDeflate", "CLibWebP"],
            path: "Benchmarks/Floor", cSettings: cSettings),

        // Each piece of the work alone.
        .executableTarget(
            name: "Kernels",
            dependencies: ["Bench", "Codecs", "Raster", "Digest", "Gauge", "System", "Notation"],
            path: "Benchmarks/Kernels", swiftSettings: settings),

        // What an emblem costs in counts, held under limits by a test.
        .target(
            name: "CAllocations", path: "Benchmarks/Counts/Allocations", cSettings: cSettings),
        .executableTarget(
            name: "Counts",
            dependencies: [
                "CAllocations", "Bench", "Render", "Artwork", "Codecs", "Raster", "Theming",
                "Notation",
            ],
            path: "Benchmarks/Counts/Program", swiftSettings: settings),

        // Tests.
        tests("Package", ["CHeaders", "Support"]),
        // What CDrawing says of libraries, held against their headers.
        .systemLibrary(
            name: "CDrawingHeaders", path: "Tests/Headers/CDrawingHeaders",
            pkgConfig: "librsvg-2.0 pangocairo pangoft2",
            providers: [.apt(["librsvg2-dev", "libpango1.0-dev"])]),
        .target(
            name: "CHeaders", dependencies: ["CDrawingHeaders", "CDrawing"],
            path: "Tests/Headers/CHeaders", cSettings: cSettings),
        tests("System", ["System"]),
        tests("Notation", ["Notation", "System", "Support"]),
        tests("Digest", ["Digest"]),
        tests("Gauge", ["Gauge", "System", "Notation", "Support"]),
        tests("Flags", ["Flags", "Notation", "System", "Support"]),
        tests("Console", ["Console", "Notation"]),
        tests(
            "EmblemCLI",
            [
                "EmblemCLI", "Flags", "Notation", "Render", "Artwork", "Codecs", "Raster",
                "Theming",
            ]),
        tests("Raster", ["Raster", "System", "Support"]),
        tests(
            "Codecs",
            [
                "Codecs", "Raster", "CKernels", "CDeflate", "CWebPLossy", "CWebPAlpha",
                "CLibDeflate",
                "CLibPNG",
                "CLibWebP", "CShims", "CZlib", "Notation", "System", "Support",
            ]),
        tests("Theming", ["Theming", "Raster", "Notation", "System", "Support"]),
        tests("Artwork", ["Artwork", "Raster", "Theming", "Codecs", "Support"]),
        tests(
            "Render", ["Render", "Codecs", "Theming", "Raster", "Artwork", "Notation", "Support"]),
        tests(
            "Cell",
            [
                "Cell", "Render", "Artwork", "Codecs", "Raster", "Theming", "System", "Notation",
                "Support", "CellProbe", "Refuser",
            ]),
        tests(
            "Transport",
            ["Transport", "Engine", "Notation", "System", "Support", "CCurlShims", "CLibCurl"]),
        tests(
            "Engine",
            [
                "Engine", "Cell", "Render", "Artwork", "Codecs", "Raster", "Theming", "Transport",
                "System", "Notation", "Support",
            ]),
        tests(
            "Batch",
            [
                "Targets", "Batch", "Engine", "Cell", "Render", "Artwork", "Codecs", "Raster",
                "Theming",
                "Transport", "Notation", "Gauge", "Digest", "System", "Support", "CellProbe",
            ]),
        tests(
            "Targets",
            [
                "Targets", "Batch", "Engine", "Render", "Artwork", "Codecs", "Raster", "Theming",
                "Transport", "Notation", "Digest", "System", "Support",
            ]),
        tests("Bench", ["Bench", "Codecs", "Raster", "Notation"]),
        tests("Golden", ["Render", "Artwork", "Theming", "Codecs", "Raster", "System"]),
        // Every piece of Swift that the documentation shows.
        .executableTarget(
            name: "EmblemExamples", dependencies: ["EmblemKit"], path: "Tests/Examples",
            swiftSettings: settings),
        tests(
            "EmblemKit",
            [
                "EmblemKit", "EmblemExamples", "KitProbe", "CellProbe", "Support", "Transport",
                "Render", "Artwork", "Codecs", "Raster", "Theming", "System",
            ]),
        // A program of somebody's that uses the library, in all the ways of decoding.
        .executableTarget(
            name: "KitProbe", dependencies: ["EmblemKit", "Support"], path: "Tests/KitProbe",
            swiftSettings: settings),
        tests(
            "Command",
            [
                "Support", "System", "EmblemCLI", "Codecs", "Raster", "Notation", "Digest",
                "Refuser",
            ]),
        .executableTarget(
            name: "CellProbe",
            dependencies: [
                "Cell", "Render", "Artwork", "Codecs", "Raster", "Theming", "CSandbox", "CShims",
            ],
            path: "Tests/CellProbe",
            swiftSettings: settings),
        // A kernel that refuses things, around any program.
        .executableTarget(
            name: "Refuser", path: "Tests/Refuser", cSettings: cSettings),
        .target(
            name: "Support", dependencies: ["System"], path: "Tests/Support",
            swiftSettings: settings),

        // Doors fed with bytes from nowhere: the tests run what is committed, the engine the rest.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Codecs", "Raster", "Notation", "Digest", "Flags", "Theming", "Transport",
                "Batch", "Engine", "Cell", "Support", "CDeflate", "CWebPAlpha", "CLibDeflate",
                "CLibWebP",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        tests("Fuzz", ["FuzzTargets", "System", "Support"]),
    ] + engine + (hasPlugin ? plugin : [])
)
