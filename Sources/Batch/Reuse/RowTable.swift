import Transport

/// The hashes of all rows at the start of a run, eight bytes per row, in a file next to the
/// journal. A later run compares them to find the rows that have changed.
enum RowTable {
    private static let name = RelativePath.own("rows")
    private static let blockRows = 8_192

    static func exists(in folder: OutputFolder) -> Bool {
        (try? folder.exists(name)) == true
    }

    static func write(_ plan: BatchPlan, into folder: OutputFolder) throws(OutletError) {
        var file = try folder.newFile(name)
        for start in stride(from: 0, to: plan.count, by: blockRows) {
            try file.append(try block(at: start, of: plan))
        }
        _ = try file.commit()
    }

    private static func block(at start: Int, of plan: BatchPlan) throws(OutletError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(blockRows * 8)
        for index in start..<min(start + blockRows, plan.count) {
            bytes.append(word: plan.rowDigest(at: index) ?? 0)
        }
        return bytes
    }

    /// Returns the first row of `plan` that differs from the table; nil if no row differs, or if
    /// the table is missing or unreadable.
    static func firstDifference(_ plan: BatchPlan, in folder: OutputFolder) -> Int? {
        do throws(OutletError) {
            guard let table = try folder.open(name) else { return nil }
            let known = try table.size() / 8
            for start in stride(from: 0, to: min(known, plan.count), by: blockRows) {
                let bytes = try table.read(at: Int64(start) * 8, count: blockRows * 8)
                let now = try block(at: start, of: plan)
                let length = min(bytes.count, now.count)
                guard bytes.prefix(length) != now.prefix(length) else { continue }
                let bit = (0..<length).first { bytes[$0] != now[$0] } ?? 0
                return start + bit / 8
            }
            return known == plan.count ? nil : min(known, plan.count)
        } catch {
            return nil
        }
    }
}
