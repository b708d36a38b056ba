/// Packs the alpha of emblems: planes whose lower half mirrors the upper one.
///
/// The lossless form of WebP copies from any distance, so a row of the lower half costs no more
/// than to say so. What stands for a plane is found as a shortest way through it, twice: first by
/// guessed costs, then by those that came of it. That is a fifth less than libwebp needs.
enum WebPAlphaPacker {
    /// What an `ALPH` chunk holds for the plane, or `nil` if nothing mirrors.
    static func pack(_ plane: Span<UInt8>, width: Int, height: Int) -> [UInt8]? {
        guard width > 2, height > 1, plane.count == width * height,
            mirrors(plane, width: width, height: height)
        else { return nil }
        let search = WebPAlphaSearch(plane, width: width, height: height)
        let guessed = WebPAlphaCodes(
            search.pieces(
                greens: [Int](repeating: 8, count: WebPAlphaCodes.greens),
                distances: [Int](repeating: 5, count: WebPAlphaCodes.distances)))
        let codes = WebPAlphaCodes(
            search.pieces(greens: guessed.green.costs, distances: guessed.distance.costs))
        let (first, second) = (guessed.packed, codes.packed)
        return second.count < first.count ? second : first
    }

    private static func mirrors(_ plane: Span<UInt8>, width: Int, height: Int) -> Bool {
        for y in 0..<height / 2 {
            let other = (height - 1 - y) * width
            for x in 0..<width where plane[y * width + x] != plane[other + x] { return false }
        }
        return true
    }
}

/// A pixel as it is, or as many as `length` from where `distance` says.
struct WebPAlphaPiece {
    var length: Int32 = 1
    /// As the format numbers distances: first places nearby, then all. 0 if `value` counts.
    var distance: Int32 = 0
    var value: UInt8 = 0
}

/// The ways through a plane.
struct WebPAlphaSearch: ~Escapable {
    private let plane: Span<UInt8>
    private let width: Int
    private let height: Int
    /// How far each pixel and those after it equal those at each distance before them.
    private let runs: [[Int32]]

    /// The nearest places, in the order of the format: above, left, above and left, above and
    /// right, two above, two left.
    private static let near: [(x: Int, y: Int)] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, 2), (2, 0)]
    private static let lengthLimit: Int32 = 4096
    /// Distances of which the format does not know the place begin after this.
    private static let placed = 120

    @_lifetime(copy plane)
    init(_ plane: Span<UInt8>, width: Int, height: Int) {
        self.plane = plane
        self.width = width
        self.height = height
        var runs: [[Int32]] = []
        for place in Self.near {
            let distance = place.x + place.y * width
            var run = [Int32](repeating: 0, count: plane.count + 1)
            for index in stride(from: plane.count - 1, through: distance, by: -1)
            where plane[index] == plane[index - distance] {
                run[index] = min(run[index + 1] + 1, Self.lengthLimit)
            }
            runs.append(run)
        }
        self.runs = runs
    }

    /// The cheapest pieces, where a symbol costs as many bits as stands for it.
    func pieces(greens: [Int], distances: [Int]) -> [WebPAlphaPiece] {
        let count = plane.count
        var costs = [Int](repeating: .max, count: count + 1)
        /// The last piece on the cheapest way to each place.
        var last = [WebPAlphaPiece](repeating: WebPAlphaPiece(), count: count + 1)
        costs[0] = 0
        for place in 0..<count {
            let cost = costs[place] + greens[Int(plane[place])]
            if cost < costs[place + 1] {
                costs[place + 1] = cost
                last[place + 1] = WebPAlphaPiece(value: plane[place])
            }
            func take(_ length: Int32, _ distance: Int) {
                let (far, long) = (WebPAlphaPrefix(distance), WebPAlphaPrefix(Int(length)))
                let cost =
                    costs[place] + greens[256 + long.symbol] + long.bits + distances[far.symbol]
                    + far.bits
                let end = place + Int(length)
                guard cost < costs[end] else { return }
                costs[end] = cost
                last[end] = WebPAlphaPiece(length: length, distance: Int32(distance))
            }
            // In the midst of one value nothing is gained by looking further.
            for index in 0..<(isFlat(place) ? 2 : runs.count) {
                let most = runs[index][place]
                for length in [most, most - 1, most - 2] where length > 1 {
                    take(length, index + 1)
                }
            }
            let (y, rest) = (place / width, width - place % width)
            let mirrored = (2 * y - height + 1) * width
            if mirrored > 0, rest > 2, rest <= Int(Self.lengthLimit) {
                take(Int32(rest), mirrored + Self.placed)
            }
        }
        var pieces: [WebPAlphaPiece] = []
        var place = count
        while place > 0 {
            pieces.append(last[place])
            place -= Int(last[place].length)
        }
        return pieces.reversed()
    }

    private func isFlat(_ place: Int) -> Bool {
        guard place > width else { return false }
        let value = plane[place]
        return plane[place - 1] == value && plane[place - width] == value
            && plane[place - width - 1] == value
    }
}
