/// The layout of a sheet: the position of each picture on a light page.
struct SheetPage {
    struct Place {
        let path: String
        let x: Int
        let y: Int
    }

    static let width = 1600
    private static let margin = 62
    private(set) var places: [Place] = []
    private(set) var height = 48
    private var drawing = ""

    private static var inside: Int { width - margin * 2 }

    init(_ items: [SheetItem]) {
        let loaded = items.filter { !$0.isPlaceholder }
        let grouped = loaded.contains { !$0.group.isEmpty }
        let pictures =
            grouped ? loaded.filter { !["photos", "templates"].contains($0.group) } : loaded
        grid("Logos", pictures, "xLarge", rows: 4)
        grid("Photographs, fill", loaded.filter { $0.group == "photos" }, "xLarge", rows: 1)
        // Drawings have no opaque background, so the emblem's background is visible.
        let drawings = pictures.filter { $0.group == "svg" }
        layouts(drawings.count > 1 ? drawings : pictures)
        grid(
            "Templates over the categories", loaded.filter { $0.group == "templates" }, "large",
            rows: 1)
        grid("What could not be loaded", items.filter(\.isPlaceholder), "large", rows: 1)
        height += 20
    }

    var svg: String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width) \(height)\">"
            + "<rect width=\"\(Self.width)\" height=\"\(height)\" fill=\"#F5F6F8\"/>"
            + drawing + "</svg>"
    }

    /// Adds rows of one layout, with as many columns as fit, evenly spread.
    private mutating func grid(_ title: String, _ items: [SheetItem], _ layout: String, rows: Int) {
        let all = items.compactMap { $0.picture(layout) }
        guard let side = all.map(\.height).max() else { return }
        let columns = (Self.inside + side / 6) / (side + side / 6)
        let count = min(all.count, columns * rows)
        caption(title, x: Self.margin)
        for index in 0..<count {
            // Pictures are sampled evenly from the whole list, so that all kinds appear.
            let picture = all[index * all.count / count]
            let column = index % columns
            let left = Self.margin + column * (Self.inside - side) / (columns - 1)
            let top = height + index / columns * (side + side / 6)
            places.append(
                Place(
                    path: picture.path, x: left + (side - picture.width) / 2,
                    y: top + (side - picture.height) / 2))
        }
        let lines = (count + columns - 1) / columns
        height += lines * (side + side / 6) - side / 6 + 40
    }

    /// Adds two cards, each with the four layouts of one item on a common baseline.
    private mutating func layouts(_ items: [SheetItem]) {
        let names = ["small", "medium", "large", "xLarge"]
        let whole = items.map { item in names.compactMap { item.picture($0) } }
            .filter { $0.count == names.count }
        guard let tallest = whole.first?.last?.height, whole.count > 1 else { return }
        caption("Four layouts", x: Self.margin)
        let gap = 28
        let card = (Self.inside - gap) / 2
        let rise = tallest + 2 * gap + 26
        for side in 0..<2 {
            let pictures = whole[(side * 2 + 1) * whole.count / 4]
            let used = pictures.reduce(0) { $0 + $1.width } + gap * (pictures.count - 1)
            let left = Self.margin + side * (card + gap)
            let box = Markup.box(
                Double(left), Double(height), Double(card), Double(rise), round: 24)
            drawing += "<path d=\"\(box)\" fill=\"#FFFFFF\" stroke=\"#E3E6EB\"/>"
            var x = left + (card - used) / 2
            for (name, picture) in zip(names, pictures) {
                let base = height + gap + tallest
                places.append(Place(path: picture.path, x: x, y: base - picture.height))
                drawing += Self.lettering(
                    name.uppercased(), middle: Double(x + picture.width / 2), y: Double(base + 18))
                x += picture.width + gap
            }
        }
        height += rise + 40
    }

    private mutating func caption(_ title: String, x: Int) {
        drawing += Alphabet.markup(
            title.uppercased().replacing(",", with: " ·"), x: Double(x), y: Double(height),
            height: 12, weight: 1.3, paint: "#7A8494", gap: 3.2, cap: "round")
        height += 34
    }

    private static func lettering(_ text: String, middle: Double, y: Double) -> String {
        let row = Alphabet.row(text, gap: 3)
        return Alphabet.markup(
            text, x: middle - row.width * 0.45, y: y, height: 9, weight: 1.3, paint: "#9AA3B0",
            gap: 3, cap: "round")
    }
}
