import CKernels

/// The resampler's loops with vectors of sixteen bytes, which every processor of a supported
/// architecture has.
enum VectorKernel: ResampleKernel {
    static func blend(
        pixels rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int32>,
        pairs: Int, shift: Int32, into target: UnsafeMutablePointer<Int16>, count: Int
    ) {
        let done = unsafe emb_blend_pixels(rows, weights, pairs, shift, target, count)
        unsafe PlainKernel.blend(
            pixels: rows, weights: weights, pairs: pairs, shift: shift, into: target,
            from: done, to: count)
    }

    static func gather(
        row: UnsafePointer<Int16>, runs: UnsafePointer<FilterTable.Run>,
        weights: UnsafePointer<Int32>, shift: Int32, into target: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        // `FilterTable.Run` and `emb_run` hold the same three integers in the same order.
        let table = unsafe UnsafeRawPointer(runs).assumingMemoryBound(to: emb_run.self)
        unsafe emb_blend_columns(row, table, weights, shift, target, count)
    }

    static func store(
        values: UnsafePointer<Int16>, into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let done = unsafe emb_store_pixels(values, pixels, count)
        unsafe PlainKernel.store(values: values, into: pixels, from: done, to: count)
    }

    static func weigh(
        rows: UnsafePointer<UnsafePointer<UInt8>>, into sums: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        let done = unsafe emb_sum_rows_1331(rows, sums, count)
        unsafe PlainKernel.weigh(rows: rows, into: sums, from: done, to: count)
    }

    static func halve(
        sums: UnsafePointer<Int16>, roundings: UnsafePointer<Int16>,
        into pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let done = unsafe emb_halve(sums, roundings, pixels, count)
        unsafe PlainKernel.halve(
            sums: sums, roundings: roundings, into: pixels, from: done, to: count)
    }
}
