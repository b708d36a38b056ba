// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The archive of the fuzzing engine; only `make fuzz` sets it.
let fuzzer = Context.environment["EMBLEM_FUZZ"]

/// Whether SwiftPM fetched this package as a dependency. It then rejects unsafe flags.
let isFetched: Bool = {
    // SwiftPM puts checkouts next to the clones of the repositories.
    let folder = URL(filePath: Context.packageDirectory).deletingLastPathComponent()
    let clones = folder.deletingLastPathComponent().appending(path: "repositories")
    return folder.lastPathComponent == "checkouts"
        && FileManager.default.fileExists(atPath: clones.path)
        || Context.packageDirectory.contains("/registry/downloads/")
}()

/// Whether the command plugin exists: in packages that fetched this one, or with EMBLEM_PLUGIN=1.
/// In this package it would build the whole tool a second time for the tests.
let hasPlugin = isFetched || Context.environment["EMBLEM_PLUGIN"] == "1"

/// Whether warnings are errors. The Makefile and CI set the variable. Without it, a warning of
/// another compiler breaks no package that depends on this one by path.
let isStrict = Context.environment["EMBLEM_WARNINGS"] == "error"

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

/// The settings of every C target. The fuzzing engine adds coverage counters and stops at the first
/// sanitizer report.
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

func library(_ name: String, pkgConfig: String? = nil, apt package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/CSystem/\(name)", pkgConfig: pkgConfig,
        providers: [.apt([package])])
}

/// The modules without work per item. A release build compiles them without optimization, in a
/// third of the time. Only the tool consists of them, so a package that depends on EmblemKit loses
/// nothing.
let unoptimized: Set = ["Flags", "Console", "EmblemCLI", "Bench"]

func module(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources,
        swiftSettings: settings
            + (isFetched || !unoptimized.contains(name)
                ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]))
}

/// The test modules whose pixel loops take longer unoptimized than compiling with optimization.
let optimizedTests: Set = ["Artwork", "Codecs", "Golden", "Raster", "Render"]

/// The tests of a module, through its public interface. A release build compiles most tests without
/// optimization and without indexing system modules, which saves a third of the time. The modules
/// under test are still optimized.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let flags =
        ["-index-ignore-system-modules"] + (optimizedTests.contains(name) ? [] : ["-Onone"])
    return .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: "Tests/\(name)Tests",
        swiftSettings: settings
            + (isFetched ? [] : [.unsafeFlags(flags, .when(configuration: .release))]))
}

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

/// The command `swift package emblem` for packages that generate pictures.
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

let developmentTools: [Product] = [
    .executable(name: "emblem-floor", targets: ["Floor"]),
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
        // Bindings to C libraries.
        library("CLibJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
        library("CLibPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        library("CLibWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
        library("CLibDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CLibLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev"),
        // Loaded at the first call: see CShims/heif_binding.c and CCurlShims/binding.c.
        library("CLibHeif", apt: "libheif-dev"),
        library("CLibCurl", apt: "libcurl4-openssl-dev"),
        // Our own C code: inner loops, three codecs, worker processes and sandbox, and wrappers
        // around libraries that use longjmp.
        .target(name: "CKernels", path: "Sources/CKernels", cSettings: cSettings),
        .target(name: "CDeflate", path: "Sources/CDeflate", cSettings: cSettings),
        .target(name: "CWebPLossy", path: "Sources/CWebPLossy", cSettings: cSettings),
        .target(
            name: "CJPEGScaled", dependencies: ["CLibJPEG"], path: "Sources/CJPEGScaled",
            cSettings: cSettings),
        .target(
            name: "CShims", dependencies: ["CLibJPEG", "CLibPNG", "CLibHeif", "CJPEGScaled"],
            path: "Sources/CShims", cSettings: cSettings),
        .target(
            name: "CSandbox", dependencies: ["CShims"], path: "Sources/CSandbox",
            cSettings: cSettings),
        // Separate from CShims, so that the decoders do not link curl.
        .target(
            name: "CCurlShims", dependencies: ["CShims", "CLibCurl"],
            path: "Sources/CCurlShims", cSettings: cSettings),

        // SVG and text; the libraries are loaded at the first call.
        .target(
            name: "CDrawing", dependencies: ["CShims"], path: "Sources/CDrawing",
            cSettings: cSettings),

        // The lowest layer: clocks, threads and queues.
        module("System", ["CShims"]),

        // Text and numbers, independent of images.
        module("Notation", []),
        module("Digest", ["CShims", "CLibDeflate"]),
        module("Gauge", ["System", "Notation"]),
        module("Flags", ["Notation"]),
        module("Console", ["Notation"]),

        // Decoding, processing and encoding of images.
        module("Raster", ["System", "CKernels"]),
        module(
            "Codecs",
            [
                "Raster", "System", "Notation", "Digest", "CShims", "CKernels", "CDeflate",
                "CWebPLossy", "CLibJPEG", "CLibPNG", "CLibWebP", "CLibDeflate", "CZlib",
                "CLibLCMS", "CLibHeif", "CDrawing",
            ]),
        module("Theming", ["Raster", "Notation", "Digest"]),
        module("Artwork", ["Raster", "System", "Theming", "Codecs", "Notation", "CDrawing"]),
        module(
            "Render",
            [
                "System", "Gauge", "Raster", "Codecs", "Theming", "Artwork", "Notation", "Digest",
                "Flags",
            ]),
        module(
            "Worker",
            [
                "Render", "Artwork", "Codecs", "Raster", "Theming", "Gauge", "System", "CSandbox",
                "CShims",
            ]),

        // Input and output, and the run.
        module(
            "Transport",
            ["Gauge", "System", "Notation", "Digest", "CZlib", "CShims", "CCurlShims", "CLibCurl"]),
        module(
            "Engine",
            [
                "Transport", "Worker", "Render", "Artwork", "Codecs", "Raster", "Theming", "Gauge",
                "System", "Notation", "Digest",
            ]),
        module(
            "Targets",
            [
                "Engine", "Transport", "Render", "Artwork", "Codecs", "Raster", "Theming",
                "Notation", "Digest",
            ]),
        module(
            "Batch",
            [
                "Targets", "Engine", "Transport", "Worker", "Render", "Artwork", "Codecs", "Raster",
                "Theming",
                "Gauge", "System", "Notation", "Digest", "CDrawing",
            ],
            // Embedded, so that the program stays a single file.
            resources: [
                .embedInCode("Report/report.css"), .embedInCode("Report/report.js"),
            ]),

        module(
            "Stream",
            [
                "Batch", "Engine", "Transport", "Worker", "Render", "Notation", "System",
            ]),

        module(
            "Bench",
            [
                "Batch", "Engine", "Transport", "Codecs", "Raster", "Gauge", "System", "Notation",
                "Digest", "CShims",
            ]),

        // The public interfaces: library and tool.
        module(
            "EmblemKit",
            [
                "Batch", "Engine", "Transport", "Worker", "Render", "Artwork", "Codecs", "Raster",
                "Theming", "Gauge", "Notation", "Digest", "System",
            ]),
        module(
            "EmblemCLI",
            [
                "Targets", "Batch", "Stream", "Engine", "Worker", "Render", "Artwork", "Codecs",
                "Raster",
                "Theming", "Transport", "Bench", "Gauge", "System", "Digest", "Notation", "Flags",
                "Console",
            ]),
        // The tool without its logic, so that tests are not linked statically.
        .executableTarget(
            name: "EmblemTool", dependencies: ["EmblemCLI"], path: "Sources/EmblemTool",
            swiftSettings: settings,
            linkerSettings: isFetched ? [] : [.unsafeFlags(["-static-stdlib"])]),

        // Measures the minimum cost of any program, for comparison.
        .executableTarget(
            name: "Floor", dependencies: ["CLibJPEG", "CLibDeflate", "CLibWebP"],
            path: "Benchmarks/Floor", cSettings: cSettings),

        // Measures the cost of an emblem in counts, which a test limits.
        .target(
            name: "CAllocations", path: "Benchmarks/Counts/Allocations", cSettings: cSettings),
        .executableTarget(
            name: "Counts",
            dependencies: [
                "CAllocations", "Bench", "Render", "Artwork", "Codecs", "Raster", "Theming",
                "Notation",
            ],
            path: "Benchmarks/Counts/Program", swiftSettings: settings),

        tests("Package", ["CHeaders", "Support"]),
        // The declarations of CDrawing, compared with the headers of the libraries.
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
        tests("Console", ["Console", "Notation", "System", "Support"]),
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
                "Codecs", "Raster", "CKernels", "CDeflate", "CWebPLossy", "CLibDeflate",
                "CLibPNG", "CLibWebP", "CZlib", "Digest", "System", "Support",
            ]),
        tests("Theming", ["Theming", "Raster", "Notation", "System", "Support"]),
        tests("Artwork", ["Artwork", "Raster", "Theming", "Codecs", "Support"]),
        tests(
            "Render",
            [
                "Render", "Codecs", "Theming", "Raster", "Artwork", "Gauge", "Notation", "Digest",
                "System",
                "Support",
            ]),
        tests(
            "Worker",
            [
                "Worker", "Render", "Artwork", "Codecs", "Raster", "Theming", "Gauge", "System",
                "Notation", "Support", "WorkerProbe", "Refuser",
            ]),
        tests(
            "Transport",
            [
                "Transport", "Engine", "Gauge", "Notation", "System", "Support", "CCurlShims",
                "CLibCurl",
            ]),
        tests(
            "Engine",
            [
                "Engine", "Worker", "Render", "Artwork", "Codecs", "Raster", "Theming", "Transport",
                "Gauge", "System", "Notation", "Support",
            ]),
        tests(
            "Batch",
            [
                "Targets", "Batch", "Engine", "Worker", "Render", "Artwork", "Codecs", "Raster",
                "Theming",
                "Transport", "Notation", "Gauge", "Digest", "System", "Support", "WorkerProbe",
            ]),
        tests(
            "Targets",
            [
                "Targets", "Batch", "Engine", "Render", "Artwork", "Codecs", "Raster", "Theming",
                "Transport", "Notation", "Digest", "System", "Support",
            ]),
        tests("Bench", ["Bench", "Codecs", "Raster", "Notation", "CShims"]),
        tests("Golden", ["Render", "Artwork", "Theming", "Codecs", "Raster", "System"]),
        // All Swift examples of the documentation.
        .executableTarget(
            name: "EmblemExamples", dependencies: ["EmblemKit"], path: "Tests/Examples",
            exclude: ["Builds"],
            swiftSettings: settings),
        tests(
            "EmblemKit",
            [
                "EmblemKit", "EmblemExamples", "KitProbe", "WorkerProbe", "Support", "Transport",
                "Engine", "Render", "Artwork", "Codecs", "Raster", "Theming", "System",
            ]),
        // Code as users of a component catalogue write it.
        tests("Catalogue", ["EmblemKit", "Support", "Codecs", "Raster"]),
        // A program that uses the library with all kinds of isolation.
        .executableTarget(
            name: "KitProbe", dependencies: ["EmblemKit", "Support"], path: "Tests/KitProbe",
            swiftSettings: settings),
        tests(
            "Command",
            [
                "Support", "System", "EmblemCLI", "Flags", "Codecs", "Raster", "Notation", "Digest",
                "Refuser",
            ]),
        .executableTarget(
            name: "WorkerProbe",
            dependencies: [
                "Worker", "Render", "Artwork", "Codecs", "Raster", "Theming", "CSandbox", "CShims",
            ],
            path: "Tests/WorkerProbe",
            swiftSettings: settings),
        // Runs any program under a kernel that refuses certain calls.
        .executableTarget(
            name: "Refuser", path: "Tests/Refuser", cSettings: cSettings),
        .target(
            name: "Support", dependencies: ["System"], path: "Tests/Support",
            swiftSettings: settings),

        // The fuzz targets: tests run the committed inputs, the fuzzing engine generates more.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Codecs", "Raster", "Notation", "Digest", "Flags", "Theming", "Transport",
                "Batch", "Engine", "Worker", "Support", "CDeflate", "CLibDeflate", "CLibWebP",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        tests("Fuzz", ["FuzzTargets", "System", "Support"]),
    ] + engine + (hasPlugin ? plugin : [])
)
