import Engine
import Transport

/// Rows of a program that arrive while earlier ones are drawn. Only the task of the run uses them.
final class ArrivingRows {
    private(set) var draft: PlanDraft
    private(set) var forecast = NameForecast()
    /// The number of items that were passed to the look-ahead.
    private(set) var begunCount = 0
    /// The items that have not begun.
    private var items: [Int: BatchItem] = [:]
    private let folder: FilePath
    private let memory: RunMemory

    init(_ draft: PlanDraft, in folder: FilePath, _ memory: RunMemory) {
        self.draft = draft
        self.folder = folder
        self.memory = memory
    }

    /// Adds a row, and its item unless it must wait for its name.
    func add(_ row: ListRow, to lookAhead: inout LookAhead) throws(PlanError) {
        var (item, entry) = try draft.item(adding: row, in: folder)
        let name = forecast.add(entry) { [item] number in
            guard memory.looksAhead else { return nil }
            var item = item
            item.name = item.name(with: number)
            return memory.history?.offset(of: memory.key(of: item))
        }
        guard let (number, owner) = name else { return }
        item.name =
            owner == item.index
            ? item.name(with: number) : try draft.item(at: owner).name(with: number)
        items[item.index] = item
        begunCount += 1
        lookAhead.add(
            PlannedRow(place: item.index, index: item.index),
            item.knownReference(remoteOnly: memory.remoteOnly))
    }

    func item(of row: PlannedRow) -> BatchItem? { items.removeValue(forKey: row.index) }
}

extension BatchItem {
    /// Returns the name that the item wants, with the suffix of a number.
    fileprivate func name(with number: UInt32) -> String {
        NameResolver.name(wantedName, source: plainSource, number: number)
    }
}
