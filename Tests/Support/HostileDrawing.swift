/// A drawing that is made to cost too much, for tests of decoders of untrusted drawings.
///
/// Measured with librsvg 2.54.7 on one core at 240 x 240 pixels.
package struct HostileDrawing: Sendable, CustomStringConvertible {
    /// The behaviour with librsvg's own limits only.
    package enum Ending: Sendable {
        /// Drawn or refused within seconds, in less than 200 MB.
        case soon
        /// Ends the process, by a full stack or a failed assertion of librsvg.
        case crash
        /// Takes minutes or more; only a deadline ends it.
        case late
        /// Takes more than 500 MB, and mostly minutes as well.
        case heavy
    }

    package let name: String
    package let ending: Ending
    private let make: @Sendable () -> String

    init(_ name: String, _ ending: Ending, _ make: @escaping @Sendable () -> String) {
        self.name = name
        self.ending = ending
        self.make = make
    }

    package func bytes() -> [UInt8] { Array(make().utf8) }

    package var description: String { name }

    package static let all: [HostileDrawing] = soon + crashes + late + heavy
}

extension HostileDrawing {
    private static func document(_ body: String, before: String = "") -> String {
        before
            + "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>" + body + "</svg>"
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private static func filter(_ primitives: String) -> String {
        document(
            "<filter id='f'>\(primitives)</filter>"
                + "<rect width='9' height='9' filter='url(#f)'/>")
    }

    private static let soon: [HostileDrawing] = [
        HostileDrawing("blur of 100,000") { filter("<feGaussianBlur stdDeviation='1e5'/>") },
        HostileDrawing("blur of 1e30") { filter("<feGaussianBlur stdDeviation='1e30'/>") },
        HostileDrawing("morphology of a million") {
            filter("<feMorphology radius='1e6' operator='dilate'/>")
        },
        HostileDrawing("a thousand tiles") {
            filter(repeated("<feOffset dx='1'/><feTile/>", 1_000))
        },
        HostileDrawing("dashes of a millionth") {
            document("<path d='M0 0h1e6' stroke='#000' stroke-dasharray='1e-6'/>")
        },
        HostileDrawing("font size of 1e9") { document("<text font-size='1e9'>Abc</text>") },
        HostileDrawing("200,000 nested groups") {
            document(repeated("<g>", 200_000) + repeated("</g>", 200_000))
        },
        HostileDrawing("900 nested groups of opacity") {
            document(
                repeated("<g opacity='.9'>", 900) + "<path d='M0 0h9v9'/>" + repeated("</g>", 900))
        },
        HostileDrawing("a tiny pattern") {
            document(
                "<pattern id='p' width='1e-7' height='1e-7' patternUnits='userSpaceOnUse'>"
                    + "<rect width='1' height='1'/></pattern>"
                    + "<rect width='9' height='9' fill='url(#p)'/>")
        },
        HostileDrawing("coordinates of 1e30") {
            document(
                "<path d='M-1e30 0L1e30 9' stroke='#000' stroke-width='1e20'/><circle r='1e30'/>")
        },
        HostileDrawing("20,000 nested media rules") {
            document("<style>" + repeated("@media x{", 20_000) + "</style>")
        },
        HostileDrawing("entities that laugh") {
            let entities = (1...12).map { level in
                "<!ENTITY a\(level) '\(repeated("&a\(level - 1);", 10))'>"
            }
            return document(
                "<text>&a12;</text>",
                before: "<!DOCTYPE svg [<!ENTITY a0 'ha'>\(entities.joined())]>")
        },
    ]

    private static let crashes: [HostileDrawing] = [
        HostileDrawing("5,000 nested negations", .crash) {
            document(
                "<style>" + repeated(":not(", 5_000) + "a" + repeated(")", 5_000) + "{}</style>")
        },
        HostileDrawing("a kernel of 441 numbers", .crash) {
            filter("<feConvolveMatrix order='21' kernelMatrix='\(repeated("1 ", 441))'/>")
        },
        HostileDrawing("1,000 nested references", .crash) {
            let groups = (1...1_000).map { "<g id='u\($0)'><use href='#u\($0 - 1)'/></g>" }
            return document(
                "<defs><path id='u0' d='M0 0h9'/>\(groups.joined())</defs><use href='#u1000'/>")
        },
    ]

    private static let late: [HostileDrawing] = [
        HostileDrawing("a million octaves of noise", .late) {
            filter(repeated("<feTurbulence numOctaves='1000000'/>", 50))
        },
        HostileDrawing("masks that double 22 times", .late) {
            let masks = (1...22).map { level in
                let part = "<rect width='9' height='9' fill='#fff' mask='url(#m\(level - 1))'/>"
                return "<mask id='m\(level)'>\(part)\(part)</mask>"
            }
            return document(
                "<mask id='m0'><rect width='9' height='9' fill='#fff'/></mask>\(masks.joined())"
                    + "<rect width='9' height='9' mask='url(#m22)'/>")
        },
        HostileDrawing("100,000 attributes", .late) {
            document("<rect " + (0..<100_000).map { "a\($0)='1' " }.joined() + "/>")
        },
        HostileDrawing("190,000 elements", .late) {
            document(repeated("<rect width='1' height='1'/>", 190_000))
        },
        HostileDrawing("20,000 rules for 2,000 elements", .late) {
            let rules = (0..<20_000).map { ".a\($0)>* g *{fill:#00\($0 % 10)}" }.joined()
            return document(
                "<style>\(rules)</style>"
                    + repeated("<g class='a1'><rect class='b' width='1' height='1'/></g>", 2_000))
        },
        HostileDrawing("100,000 stops", .late) {
            document(
                "<linearGradient id='g'>" + repeated("<stop offset='.5'/>", 100_000)
                    + "</linearGradient><rect width='9' height='9' fill='url(#g)'/>")
        },
    ]

    private static let heavy: [HostileDrawing] = [
        HostileDrawing("a million letters", .heavy) {
            document("<text>" + repeated("A", 1_000_000) + "</text>")
        },
        HostileDrawing("letters with 200,000 marks", .heavy) {
            document("<text>" + repeated("W\u{301}", 200_000) + "</text>")
        },
        HostileDrawing("quadratic entities", .heavy) {
            document(
                "<text>" + repeated("&a;", 100_000) + "</text>",
                before: "<!DOCTYPE svg [<!ENTITY a '\(repeated("A", 100_000))'>]>")
        },
    ]

    private init(_ name: String, _ make: @escaping @Sendable () -> String) {
        self.init(name, .soon, make)
    }
}
