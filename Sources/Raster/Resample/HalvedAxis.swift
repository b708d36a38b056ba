/// One axis of a picture that is halved: half `h` is (1 3 3 1) / 8 of the pixels from `2 h - 1` on.
struct HalvedAxis {
    /// The pixels before.
    let count: Int
    /// How many pixels before the end those pixels stand that stand for the two after it.
    private let twins: (Int, Int)

    /// An axis of `whole` pixels, each `unit` of which are one now.
    ///
    /// The last one may stand for less than the others. What is past it is chosen such that over
    /// all halves each pixel counts by what it stands for, or nearly.
    init(whole: Int, unit: Int) {
        count = (whole + unit - 1) / unit
        let last = whole - (count - 1) * unit
        if count % 2 == 0 {
            twins = (last * 4 > unit * 3 ? 1 : 2, 2)
        } else {
            twins = last * 3 > unit * 2 ? (1, 2) : last * 8 > unit * 3 ? (2, 1) : (2, 2)
        }
    }

    /// The halves.
    var halves: Int { (count + 1) / 2 }

    /// The pixel that stands for one that may lie past an edge.
    func pixel(_ index: Int) -> Int {
        if index < 0 { return -1 - index }
        if index < count { return index }
        return max(0, count - (index == count ? twins.0 : twins.1))
    }
}
