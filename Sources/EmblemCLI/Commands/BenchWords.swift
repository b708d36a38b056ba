import Bench
import Flags
import Gauge
import Notation
import Transport

/// The command lines that a measurement runs.
struct BenchWords {
    let command: BenchCommand
    let drawn: SampleFolder?

    private var arguments: ParsedArguments { command.context.arguments }

    /// What a person typed for the batch, and nothing that comes from elsewhere: a child finds the
    /// environment and the configuration file by itself.
    private struct Typed {
        var words: [String] = []
        var shown: [String] = []

        mutating func add(_ flag: Flag, _ text: String, isSecret: Bool) {
            guard flag.kind.takesValue else {
                words.append(
                    ValueReader.toggle(text) == true ? "--\(flag.name)" : "--no-\(flag.name)")
                shown.append(words[words.count - 1])
                return
            }
            words += ["--\(flag.name)", text]
            shown += ["--\(flag.name)", isSecret ? "***" : Self.quoted(text)]
        }

        /// As a shell takes it.
        static func quoted(_ text: String) -> String {
            let plain = text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || "-_./,:=@%+".utf8.contains(byte)
            }
            if plain, !text.isEmpty { return text }
            return "'" + text.replacing("'", with: "'\\''") + "'"
        }
    }

    private static let secrets = [
        Options.header.flag, Options.headerFile.flag, Options.proxy.flag,
    ]

    /// Every case, in the order in which tables show them.
    var cases: [BenchCase] {
        let typed = self.typed
        return jobs.flatMap { count in
            variants.map { variant in bench(jobs: count, variant, typed) }
        }
    }

    private func bench(jobs: Int, _ variant: [Preset.Option], _ typed: Typed) -> BenchCase {
        let preset = command.preset
        let options = (preset?.options ?? []).filter { !isSet($0) } + variant
        let words = options.flatMap { ["--\($0.name)", $0.value] } + ["--jobs", "\(jobs)"]
        // With a cache only the first run would ask anybody.
        let cache = arguments.isSet(Options.cache) ? [] : ["--cache", "none"]
        let mask = SourceMask()
        let shownInputs = arguments.operands.map { Typed.quoted(mask.shown($0)) }
        let shown =
            ["emblem", "batch"] + shownInputs + (drawn?.shown ?? []) + ["-o", "OUT"] + words
            + typed.shown
        var parameters = [BenchCase.Parameter("jobs", "\(jobs)")]
        parameters += variant.map { BenchCase.Parameter($0.name, $0.value) }
        if let preset { parameters.append(BenchCase.Parameter("preset", preset.name)) }
        return BenchCase(
            parameters: parameters,
            words: words + typed.words + cache + ["--quiet"]
                + (drawn?.words ?? ["--"] + arguments.operands),
            shown: shown.joined(separator: " "), standsAlready: preset?.standsAlready ?? false)
    }

    private var jobs: [Int] {
        if let jobs = arguments[Options.Bench.jobs] { return jobs }
        if command.preset?.isSingle == true { return [1] }
        let cores = MachineFacts.availableCores
        let doubled = sequence(first: 1) { $0 * 2 }.prefix { $0 < cores }
        return doubled + [cores]
    }

    /// What the preset varies, unless a person chose one of it.
    private var variants: [[Preset.Option]] {
        let variants = command.preset?.variants ?? [[]]
        let isChosen = variants.contains { $0.contains(where: isSet) }
        return isChosen ? [[]] : variants
    }

    /// A person chose the option of a preset.
    private func isSet(_ option: Preset.Option) -> Bool {
        arguments.command.flag(option.name).map { arguments.isSet($0) } ?? false
    }

    private var typed: Typed {
        var typed = Typed()
        for flag in Declarations.batch.flags where arguments.command.flags.contains(flag) {
            guard case .commandLine = arguments.origin(of: flag) else { continue }
            for text in arguments.texts(flag) {
                typed.add(flag, text, isSecret: Self.secrets.contains(flag))
            }
        }
        return typed
    }
}
