/// The inner loops over planes of one byte a value. Every implementation gives the same bits.
protocol PlaneKernel {
    /// Adds up four rows, those in the middle three times.
    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int)

    /// Adds up four neighbouring sums for every other one, those in the middle three times, and
    /// cuts the fractions off their 64th parts after `roundings` were added.
    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into target: UnsafeMutablePointer<UInt8>, count: Int)

    /// Adds up three rows: 3, 10, 3.
    static func smoothDown(
        _ above: UnsafePointer<UInt8>, _ here: UnsafePointer<UInt8>, _ below: UnsafePointer<UInt8>,
        into sums: UnsafeMutablePointer<UInt16>, count: Int)

    /// Adds up three neighbouring sums, 3, 10, 3, and rounds their 256th parts.
    static func smoothAcross(
        _ sums: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt8>, count: Int)

    /// Means of two by two values.
    static func mean(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>, count: Int)

    /// Values times their alphas by 255, in place.
    static func weigh(
        _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int)

    /// Values times 255 by their alphas, in place; those without alpha stay as they are.
    static func straighten(
        _ values: UnsafeMutablePointer<UInt8>, by alphas: UnsafePointer<UInt8>, count: Int)

    /// Luma and both differences to straight pixels, opaque where there is no `alpha`.
    static func mix(
        _ luma: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>, _ red: UnsafePointer<UInt8>,
        alpha: UnsafePointer<UInt8>?, into pixels: UnsafeMutablePointer<UInt8>, count: Int)
}
