import EmblemKit
import Glibc
import Support

/// Draws a valid picture, hostile ones, and the valid one again, and prints the results.
enum Drill {
    static let sound = Array(
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'>\
        <rect x='3' y='3' width='20' height='9' rx='4' fill='#0a5fff'/></svg>
        """.utf8)

    static func run(_ words: [String]) async {
        var decoding = Decoding(words.first.flatMap(Decoding.Isolation.init) ?? .process)
        // Enough for a valid picture even on a busy machine.
        decoding.timeout = .seconds(10)
        DesignSystem.shared.decoding = decoding
        print(decoding.inForce)
        print(draw(sound))
        print(decoding.inForce)
        for word in words.dropFirst() { print("\(word): \(draw(picture(word)))") }
        print(draw(sound))
        print(await decoding.settle())
    }

    /// Returns a drawing by name, the valid one padded to 3 MB, or a command for `WorkerProbe`.
    private static func picture(_ word: String) -> [UInt8] {
        if word == "padded" { return sound + [UInt8](repeating: 0x20, count: 3 << 20) }
        return HostileDrawing.all.first { $0.name == word }?.bytes() ?? Array("deed:\(word)".utf8)
    }

    /// Returns a size and a checksum of the emblem, or the error.
    private static func draw(_ bytes: [UInt8]) -> String {
        do throws(EmblemError) {
            let emblem = try Image(blockingData: bytes).pngData()
            return "\(emblem.count) bytes, \(emblem.reduce(0) { ($0 &* 31) &+ Int($1) })"
        } catch {
            return "\(error)"
        }
    }
}

/// A thread that reaps all children of the process.
enum Reaper {
    static func start() {
        var thread = pthread_t()
        _ = unsafe pthread_create(
            &thread, nil,
            { _ in
                while true {
                    // Without children, waitpid fails at once.
                    if waitpid(-1, nil, 0) < 0 { usleep(200) }
                }
            }, nil)
    }
}
