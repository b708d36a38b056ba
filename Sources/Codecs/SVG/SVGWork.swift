/// What writing a document anew may cost: steps, counted as they are spent.
///
/// References in references can make much of few bytes. An honest document spends a few steps for
/// each of its bytes.
struct SVGWork {
    private var left: Int

    init(bytes: Int) { left = 4_000_000 + 8 * bytes }

    mutating func spend(_ steps: Int) throws(DecodeError) {
        left -= steps
        guard left >= 0 else {
            throw .limitDecode("an SVG whose styles need too many steps")
        }
    }
}
