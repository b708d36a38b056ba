/// An `feDropShadow`, as Filter Effects 1 defines it by older primitives: the input's alpha blurred
/// and moved, filled with a colour, and the input laid over it.
struct DropShadow {
    /// The namespace prefix of its name, with the colon.
    var prefix: [UInt8] = []
    private let number: Int
    private var values: [String: [UInt8]] = [:]

    init(number: Int) { self.number = number }

    /// Takes an attribute; its value is written as it came.
    mutating func set(_ name: String, _ value: [UInt8]) {
        values[name] = value.map { $0 == UInt8(ascii: "\"") ? UInt8(ascii: "'") : $0 }
    }

    func write(to output: inout [UInt8]) {
        var pen = Pen(prefix: prefix, number: number, output: output)
        output = []
        let space = values["color-interpolation-filters"]
        func begin(_ name: String) {
            pen.begin(name)
            if let space { pen.attribute("color-interpolation-filters", space) }
        }
        // A copy of the input under a name of its own, since it is needed twice.
        begin("feOffset")
        pen.attribute("in", values["in"])
        pen.end(result: "input")
        begin("feGaussianBlur")
        pen.attribute("stdDeviation", values["stdDeviation"] ?? [UInt8(ascii: "2")])
        pen.end(result: "blur")
        begin("feOffset")
        pen.attribute("dx", values["dx"] ?? [UInt8(ascii: "2")])
        pen.attribute("dy", values["dy"] ?? [UInt8(ascii: "2")])
        pen.end(result: "shadow")
        begin("feFlood")
        for name in ["id", "style", "flood-color", "flood-opacity"] {
            pen.attribute(name, values[name])
        }
        var classes = values["class"] ?? []
        if !classes.isEmpty { classes.append(0x20) }
        classes.append("emblem-drop-shadow")
        pen.attribute("class", classes)
        pen.end(result: "color")
        begin("feComposite")
        pen.attribute("operator", Array("in".utf8))
        pen.reference("in2", to: "shadow")
        pen.end(result: "colored")
        begin("feMerge")
        for name in ["x", "y", "width", "height", "result"] { pen.attribute(name, values[name]) }
        pen.close()
        for layer in ["colored", "input"] {
            pen.begin("feMergeNode")
            pen.reference("in", to: layer)
            pen.end()
        }
        pen.leave("feMerge")
        output = pen.output
    }

    /// Writes tags in the document's own namespace prefix.
    private struct Pen {
        let prefix: [UInt8]
        let number: Int
        var output: [UInt8]

        mutating func begin(_ name: String) {
            output.append(UInt8(ascii: "<"))
            output += prefix
            output += name.utf8
        }

        mutating func attribute(_ name: String, _ value: [UInt8]?) {
            guard let value else { return }
            output += " \(name)=\"".utf8
            output += value
            output.append(UInt8(ascii: "\""))
        }

        mutating func reference(_ name: String, to part: String) {
            attribute(name, Array("emblem-\(number)-\(part)".utf8))
        }

        mutating func end(result: String? = nil) {
            if let result { reference("result", to: result) }
            output.append("/>")
        }

        mutating func close() { output.append(UInt8(ascii: ">")) }

        mutating func leave(_ name: String) {
            output.append("</")
            output += prefix
            output += name.utf8
            close()
        }
    }
}
