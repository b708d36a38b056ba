import Foundation
import Support

/// Files written by cjxl 0.7, mostly of 48 x 32 pixels, and the output of djxl for them.
enum JXLSample {
    private static let fixtures = Repository.root.appending(path: "Tests/Fixtures")

    /// Returns the file, which is also part of the fuzzing corpus.
    static func file(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: fixtures.appending(path: "Fuzz/jxl/\(name)")))
    }

    static func reference(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: fixtures.appending(path: "JPEGXL/\(name).png")))
    }

    /// The files for which djxl writes the expected colours.
    static let names = [
        "alpha", "animation", "container", "grey", "groups", "jpeg", "jpeg-grey",
        "jpeg-turned-3", "jpeg-turned-5", "jpeg-turned-6", "lossless", "lossless-16",
        "lossless-alpha", "lossless-grey-alpha", "lossy", "lossy-16", "modular", "progressive",
    ]
}
