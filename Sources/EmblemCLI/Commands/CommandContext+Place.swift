import Artwork
import Cell
import Flags
import Pipeline
import Render

extension CommandContext {
    /// What draws pictures one at a time, in a process of its own unless `--isolate none`.
    func shop(_ settings: RunSettings) -> Workshop {
        let renderer = Renderer(theme: settings.theme, artwork: EmblemArtwork())
        return Workshop(
            settings: settings, renderer: renderer, cells: cells(1, settings, renderer, early: 1))
    }

    /// Processes that render; nil where `--isolate none` was said.
    func cells(_ count: Int, _ settings: RunSettings, _ renderer: Renderer, early: Int)
        -> CellPool?
    {
        guard arguments.text("isolate") == "process" else { return nil }
        return CellPool(
            settings: CellSettings(
                count: count, memoryBytes: settings.decodeBytes, early: early),
            renderer: renderer)
    }
}
