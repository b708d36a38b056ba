/// A scene that resembles a photograph: shapes with a paint and a roughness.
struct PhotoScene {
    struct Layer {
        let path: String
        let paint: String
        /// The strength of the texture, 0 to 255; nil keeps that of the layer below.
        let roughness: Int?
        let opacity: Double
    }

    let width: Double
    let height: Double
    private var definitions = ""
    private var layers: [Layer] = []
    private var gradients = 0

    init(_ dice: inout Dice, width: Int, height: Int) {
        // Scenes are drawn on a page 1000 units high, so that they look the same at every size.
        self.height = 1000
        self.width = 1000 * Double(width) / Double(height)
        switch dice.below(5) {
        case 0, 1: landscape(&dice)
        case 2: portrait(&dice)
        case 3: stillLife(&dice)
        default: skyline(&dice)
        }
        let shade = radial("#000000", 0, "#000000", 0.42, from: 0.62)
        add(Markup.box(0, 0, self.width, 1000), shade, nil)
    }

    var picture: String {
        var body = ""
        for layer in layers {
            let fade = layer.opacity < 1 ? " opacity=\"\(Markup.number(layer.opacity))\"" : ""
            body += "<path d=\"\(layer.path)\" fill=\"\(layer.paint)\"\(fade)/>"
        }
        return page(body)
    }

    /// The drawing with the roughness of each part as its grey level.
    var roughness: String {
        var body = ""
        for layer in layers {
            guard let value = layer.roughness else { continue }
            body += "<path d=\"\(layer.path)\" fill=\"\(BrandColors.hex(value, value, value))\"/>"
        }
        return page(body)
    }

    private func page(_ body: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Markup.number(width)) 1000\""
            + " preserveAspectRatio=\"none\"><defs>\(definitions)</defs>\(body)</svg>"
    }

    mutating func add(
        _ path: String, _ paint: String, _ roughness: Int?, opacity: Double = 1
    ) {
        layers.append(Layer(path: path, paint: paint, roughness: roughness, opacity: opacity))
    }

    mutating func linear(_ top: String, _ bottom: String, middle: String? = nil) -> String {
        gradients += 1
        definitions +=
            "<linearGradient id=\"g\(gradients)\" x1=\"0\" y1=\"0\" x2=\"0.15\" y2=\"1\">"
        definitions += "<stop offset=\"0\" stop-color=\"\(top)\"/>"
        if let middle { definitions += "<stop offset=\"0.55\" stop-color=\"\(middle)\"/>" }
        definitions += "<stop offset=\"1\" stop-color=\"\(bottom)\"/></linearGradient>"
        return "url(#g\(gradients))"
    }

    mutating func radial(
        _ inner: String, _ innerOpacity: Double, _ outer: String, _ outerOpacity: Double,
        from start: Double = 0, x: Double = 0.5, y: Double = 0.5, radius: Double = 0.75
    ) -> String {
        gradients += 1
        definitions += "<radialGradient id=\"g\(gradients)\" cx=\"\(Markup.number(x))\""
        definitions += " cy=\"\(Markup.number(y))\" r=\"\(Markup.number(radius))\">"
        definitions += "<stop offset=\"\(Markup.number(start))\" stop-color=\"\(inner)\""
        definitions += " stop-opacity=\"\(Markup.number(innerOpacity))\"/>"
        definitions += "<stop offset=\"1\" stop-color=\"\(outer)\""
        definitions += " stop-opacity=\"\(Markup.number(outerOpacity))\"/></radialGradient>"
        return "url(#g\(gradients))"
    }

    mutating func glow(
        _ x: Double, _ y: Double, _ rx: Double, _ ry: Double, _ color: String, _ opacity: Double
    ) {
        let paint = radial(color, opacity, color, 0, radius: 0.5)
        add(Markup.ellipse(x, y, rx, ry), paint, nil)
    }
}
