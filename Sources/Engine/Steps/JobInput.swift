import Render
import Transport

/// What a job is given, and nothing of it changes.
struct JobInput: Sendable {
    let item: BatchItem
    /// How the item shall look; the run's own recipe where its row cannot be used.
    let recipe: Recipe
    let badRow: ItemFailure?
    /// What an earlier run found out.
    let past: PastItem?
    /// What came of the same source before.
    let shared: SharedResult?

    init(
        _ item: BatchItem, in settings: RunSettings, past: PastItem?, shared: SharedResult?
    ) {
        self.item = item
        self.past = past
        do throws(ItemFailure) {
            recipe = try item.recipe(in: settings)
            badRow = nil
            self.shared = shared
        } catch {
            recipe = settings.recipe
            badRow = error
            self.shared = nil
        }
        mask = settings.mask
    }

    private let mask: SourceMask

    /// The item's record before anything is known of its source.
    var record: ItemRecord {
        var record = ItemRecord(
            index: item.index, id: item.id, name: item.name, source: mask.shown(item.source),
            status: .canceled)
        record.row = item.row
        record.accessibility = Accessibility(
            label: item.label, hint: item.hint, value: item.value)
        for column in ListColumn.look {
            guard let text = item.look[column] else { continue }
            record.look[column] =
                column == .placeholder ? mask.shown(text) : SourceMask.inside(text: text)
        }
        record.alternatives = item.alternatives.map(mask.shown)
        record.extra = item.extra
        return record
    }
}
