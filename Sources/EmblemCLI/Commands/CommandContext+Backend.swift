import Artwork
import Cell
import Console
import Engine
import Flags
import Render

extension CommandContext {
    /// The backend that draws pictures one at a time, in a separate process unless `--sandbox none`.
    func singleRun(_ settings: RunSettings) -> RunContext {
        let renderer = Renderer(theme: settings.theme, artwork: EmblemArtwork())
        return RunContext(
            settings: settings, renderer: renderer, cells: cells(1, settings, renderer, early: 1))
    }

    /// Processes that render; nil where `--sandbox none` was said.
    func cells(_ count: Int, _ settings: RunSettings, _ renderer: Renderer, early: Int)
        -> CellPool?
    {
        guard isolation != .none else { return nil }
        var cells = CellSettings(
            count: count, memoryBytes: settings.decodeBytes, early: early)
        cells.isolation = isolation
        return CellPool(settings: cells, renderer: renderer)
    }

    private var isolation: Isolation {
        arguments[Options.sandbox]
    }

    /// Ends a command before its first picture where the kernel would refuse the confinement asked
    /// for, and says so where it is less than this tool has.
    func checkIsolation() throws(CommandFailure) {
        if let refusal = isolation.refusal { throw CommandFailure(refusal) }
        if let warning = isolation.warning { tell(warning) }
    }

    /// Says so where what held the pictures turned out to be less.
    func checkIsolation(after run: RunContext) {
        if let warning = isolation.warning(about: run.confinement) { tell(warning) }
    }

    private func tell(_ warning: String) {
        messages.line(warning, .warning)
    }
}
