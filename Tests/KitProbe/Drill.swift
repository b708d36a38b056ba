import EmblemKit
import Glibc
import Support

/// Draws a sound picture, hostile ones, and the sound one again; says what came of each.
enum Drill {
    static let sound = Array(
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'>\
        <rect x='3' y='3' width='20' height='9' rx='4' fill='#0a5fff'/></svg>
        """.utf8)

    static func run(_ words: [String]) async {
        var decoding = Decoding(words.first.flatMap(Decoding.Isolation.init) ?? .process)
        // A sound picture has enough of it on a busy machine too.
        decoding.timeout = .seconds(10)
        decoding.processorTime = .milliseconds(400)
        DesignSystem.shared.decoding = decoding
        print(decoding.inForce)
        print(draw(sound))
        print(decoding.inForce)
        for word in words.dropFirst() { print("\(word): \(draw(picture(word)))") }
        print(draw(sound))
        print(await decoding.settle())
    }

    /// A drawing by its name, the sound one in a file of 3 MB, else what makes a `CellProbe` do
    /// something.
    private static func picture(_ word: String) -> [UInt8] {
        if word == "padded" { return sound + [UInt8](repeating: 0x20, count: 3 << 20) }
        return HostileDrawing.all.first { $0.name == word }?.bytes() ?? Array("deed:\(word)".utf8)
    }

    /// A number that stands for the emblem, or why there is none.
    private static func draw(_ bytes: [UInt8]) -> String {
        do throws(EmblemError) {
            let emblem = try EmblemRenderer().emblem(from: bytes, layout: .large, scale: 2)
            return "\(emblem.count) bytes, \(emblem.reduce(0) { ($0 &* 31) &+ Int($1) })"
        } catch {
            return "\(error)"
        }
    }
}

/// A program that waits for all its children, whoever made them.
enum Reaper {
    static func start() {
        var thread = pthread_t()
        _ = unsafe pthread_create(
            &thread, nil,
            { _ in
                while true {
                    // Without a child there is nobody to wait for.
                    if waitpid(-1, nil, 0) < 0 { usleep(200) }
                }
            }, nil)
    }
}
