import Foundation
import Support

/// Files that cjxl 0.7 wrote, mostly of 48 x 32 pixels, and what djxl made of them.
enum JXLSample {
    private static let fixtures = Repository.root.appending(path: "Tests/Fixtures")

    /// The file; these are what fuzzing begins with, too.
    static func file(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: fixtures.appending(path: "Fuzz/jxl/\(name)")))
    }

    /// The PNG that djxl wrote of it.
    static func reference(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: fixtures.appending(path: "JPEGXL/\(name).png")))
    }

    /// All that djxl writes in the colours that we want.
    static let names = [
        "alpha", "animation", "container", "grey", "groups", "jpeg", "jpeg-grey",
        "jpeg-turned-3", "jpeg-turned-5", "jpeg-turned-6", "lossless", "lossless-16",
        "lossless-alpha", "lossless-grey-alpha", "lossy", "lossy-16", "modular", "progressive",
    ]
}
