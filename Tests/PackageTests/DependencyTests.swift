import Foundation
import Testing

/// The only dependencies between modules that are allowed.
private let dependencies: [String: Set<String>] = [
    "System": [],
    "Notation": [],
    "Digest": [],
    "Flags": ["Notation"],
    "Console": ["Notation"],
    "Gauge": ["System", "Notation"],
    "Raster": ["System"],
    "Codecs": ["Raster", "System", "Digest"],
    "Theming": ["Raster", "Notation", "Digest"],
    "Artwork": ["Raster", "System", "Theming", "Codecs", "Notation"],
    "Render": ["System", "Raster", "Codecs", "Theming", "Artwork", "Gauge", "Notation", "Digest"],
    "Worker": ["Render", "Raster", "Artwork", "Codecs", "Theming", "Gauge", "System"],
    "Transport": ["Gauge", "System", "Notation", "Digest"],
    "Engine": [
        "Transport", "Worker", "Render", "Raster", "Artwork", "Codecs", "Theming", "Gauge",
        "System", "Notation", "Digest",
    ],
    "Targets": [
        "Engine", "Transport", "Render", "Artwork", "Codecs", "Raster", "Theming", "Notation",
        "Digest",
    ],
    "Batch": [
        "Targets", "Engine", "Transport", "Worker", "Render", "Raster", "Artwork", "Codecs",
        "Theming", "Gauge",
        "System", "Notation", "Digest",
    ],
    "Stream": ["Batch", "Engine", "Transport", "Worker", "Render", "System", "Notation"],
    "Bench": [
        "Batch", "Engine", "Transport", "Codecs", "Raster", "Gauge", "System", "Notation",
        "Digest",
    ],
    "EmblemKit": [
        "Batch", "Engine", "Transport", "Worker", "Render", "Artwork", "Codecs", "Raster",
        "Theming",
        "Gauge", "Notation", "Digest", "System",
    ],
    "EmblemCLI": [
        "Targets", "Batch", "Stream", "Engine", "Worker", "Render", "Raster", "Artwork", "Codecs",
        "Theming",
        "Transport",
        "Bench", "Gauge", "System", "Flags", "Console", "Notation", "Digest",
    ],
    "EmblemTool": ["EmblemCLI"],
]

/// The modules that may call C.
private let callersOfC: Set<String> = [
    "Codecs", "Artwork", "Worker", "Transport", "Batch", "Digest", "Raster", "System",
    "Bench",
]

@Suite("The dependencies between modules")
struct DependencyTests {
    private static let shims: Set = [
        "CShims", "CSandbox", "CDeflate", "CWebPLossy", "CCurlShims", "CKernels",
        "CZlib", "CDrawing",
    ]

    @Test("every module is known, and every known module exists")
    func everyModuleIsKnown() throws {
        let modules = try SourceTree.folders(in: "Sources").subtracting([
            "CSystem", "CShims", "CSandbox", "CDeflate", "CJPEGScaled", "CWebPLossy",
            "CCurlShims", "CKernels", "CDrawing",
            // Holds a Python package, so it is no Swift module.
            "Python",
        ])
        #expect(modules == Set(dependencies.keys))
    }

    @Test("a test module imports only modules that Package.swift declares for it")
    func testImportsAreDeclared() throws {
        let declared = try SourceTree.declaredTests()
        #expect(declared.count > 20)
        for (module, names) in declared {
            for file in try SourceTree.swiftFiles(in: "Tests/\(module)Tests") {
                for name in file.imports where dependencies[name] != nil || name == "Support" {
                    #expect(names.contains(name), "\(file.path) imports \(name)")
                }
            }
        }
    }

    @Test(
        "a module imports only what its dependencies allow", arguments: dependencies.keys.sorted())
    func importsFollow(module: String) throws {
        let allowed = try #require(dependencies[module])
        for file in try SourceTree.swiftFiles(in: "Sources/\(module)") {
            for name in file.imports {
                let isOurs = dependencies.keys.contains(name)
                #expect(!isOurs || allowed.contains(name), "\(file.path) imports \(name)")
                if name.hasPrefix("CLib") || Self.shims.contains(name) {
                    #expect(callersOfC.contains(module), "\(file.path) calls C: \(name)")
                }
            }
        }
    }

    @Test("the package declares no dependency that the diagram lacks")
    func manifestFollowsTheArrows() throws {
        let declarations = try SourceTree.declaredDependencies()
        #expect(declarations.count { dependencies.keys.contains($0.0) } > 10)
        for (module, declared) in declarations {
            guard let allowed = dependencies[module] else { continue }
            let modules = declared.filter { dependencies.keys.contains($0) }
            #expect(Set(modules).isSubset(of: allowed), "\(module) -> \(modules)")
        }
    }

    @Test(
        "the modules on the hot path do not import Foundation",
        arguments: dependencies.keys.sorted())
    func noFoundation(module: String) throws {
        guard module != "EmblemKit" else { return }
        for file in try SourceTree.swiftFiles(in: "Sources/\(module)") {
            #expect(!file.imports.contains { $0.hasPrefix("Foundation") }, "\(file.path)")
        }
    }
}
