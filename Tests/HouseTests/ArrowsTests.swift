import Foundation
import Testing

/// The arrows between rooms, and no others.
private let arrows: [String: Set<String>] = [
    "System": [],
    "Notation": [],
    "Digest": [],
    "Flags": ["Notation"],
    "Console": ["Notation"],
    "Gauge": ["System", "Notation"],
    "Raster": ["System"],
    "Codecs": ["Raster", "System"],
    "Theming": ["Raster", "Notation", "Digest"],
    "Artwork": ["Raster", "System", "Theming", "Codecs", "Notation"],
    "Render": ["System", "Raster", "Codecs", "Theming", "Artwork", "Notation", "Digest"],
    "Cell": ["Render", "Raster", "Artwork", "Codecs", "Theming", "System"],
    "Transport": ["System", "Notation", "Digest"],
    "Engine": [
        "Transport", "Cell", "Render", "Raster", "Artwork", "Codecs", "Theming", "Gauge",
        "System", "Notation", "Digest",
    ],
    "Batch": [
        "Engine", "Transport", "Cell", "Render", "Raster", "Artwork", "Codecs", "Theming", "Gauge",
        "System", "Notation", "Digest",
    ],
    "Stream": ["Batch", "Engine", "Transport", "Cell", "Render", "System", "Notation"],
    "Bench": [
        "Batch", "Engine", "Transport", "Codecs", "Raster", "Gauge", "System", "Notation",
        "Digest",
    ],
    "EmblemKit": [
        "Batch", "Engine", "Transport", "Cell", "Render", "Artwork", "Codecs", "Raster", "Theming",
        "Gauge", "Notation", "Digest", "System",
    ],
    "EmblemCLI": [
        "Batch", "Stream", "Engine", "Cell", "Render", "Raster", "Artwork", "Codecs", "Theming",
        "Transport",
        "Bench", "Gauge", "System", "Flags", "Console", "Notation", "Digest",
    ],
    "EmblemTool": ["EmblemCLI"],
]

/// The rooms that may open a door to C.
private let doorsToC: Set<String> = [
    "Codecs", "Artwork", "Cell", "Transport", "Batch", "Digest", "Raster", "System",
    "Bench",
]

@Suite("The arrows between rooms")
struct ArrowsTests {
    private static let shims: Set = [
        "CShims", "CSandbox", "CWebPLossy", "CCurlShims", "CKernels", "CJPEGXL", "CZlib", "CGlib",
    ]

    @Test("every room is known, and every known room exists")
    func everyRoomIsKnown() throws {
        let rooms = try House.folders(in: "Sources").subtracting([
            "CSystem", "CShims", "CSandbox", "CJPEGScaled", "CWebPLossy", "CCurlShims", "CKernels",
            "CJPEGXL",
        ])
        #expect(rooms == Set(arrows.keys))
    }

    @Test("a room imports only what its arrows allow", arguments: arrows.keys.sorted())
    func importsFollowTheArrows(room: String) throws {
        let allowed = try #require(arrows[room])
        for file in try House.swiftFiles(in: "Sources/\(room)") {
            for module in file.imports {
                let isRoom = arrows.keys.contains(module)
                #expect(!isRoom || allowed.contains(module), "\(file.path) imports \(module)")
                if module.hasPrefix("CLib") || Self.shims.contains(module) {
                    #expect(doorsToC.contains(room), "\(file.path) opens a door to C: \(module)")
                }
            }
        }
    }

    @Test("the package declares no arrow that the picture lacks")
    func manifestFollowsTheArrows() throws {
        let declarations = try House.manifestArrows()
        #expect(declarations.count { arrows.keys.contains($0.0) } > 10)
        for (room, declared) in declarations {
            guard let allowed = arrows[room] else { continue }
            let rooms = declared.filter { arrows.keys.contains($0) }
            #expect(Set(rooms).isSubset(of: allowed), "\(room) -> \(rooms)")
        }
    }

    @Test("the hot rooms know no Foundation", arguments: arrows.keys.sorted())
    func noFoundationInRooms(room: String) throws {
        guard room != "EmblemKit" else { return }
        for file in try House.swiftFiles(in: "Sources/\(room)") {
            #expect(!file.imports.contains { $0.hasPrefix("Foundation") }, "\(file.path)")
        }
    }
}
