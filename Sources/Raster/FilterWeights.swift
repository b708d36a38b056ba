/// The weights of an axis before they are rounded: one run of inputs for each output.
struct FilterWeights {
    /// One output's run; its weights add up to 1.
    struct Run {
        /// The first input.
        var start: Int
        /// Where the run's weights begin in `weights`.
        var first: Int
        var count: Int
        /// The run is its own mirror image.
        var isSymmetric = false
        /// The run was made as the mirror image of an earlier one.
        var isMirrored = false
    }

    var runs: [Run] = []
    var weights: [Double] = []

    /// Makes a run of the weights from `begin` on: without zeros at its ends, adding up to 1.
    ///
    /// Zeros at the ends are common: whole factors put the ends on the kernel's own zeros.
    mutating func closeRun(start: Int, from begin: Int) {
        while weights.count > begin + 1 && weights[weights.count - 1] == 0 { weights.removeLast() }
        var skipped = 0
        while begin + skipped < weights.count - 1 && weights[begin + skipped] == 0 { skipped += 1 }
        let first = begin + skipped
        var sum = 0.0
        for index in first..<weights.count { sum += weights[index] }
        let scale = 1 / sum
        for index in first..<weights.count { weights[index] *= scale }
        runs.append(Run(start: start + skipped, first: first, count: weights.count - first))
    }

    /// Adds the mirror image of an earlier run of an axis of `inputs`.
    mutating func appendMirror(of index: Int, inputs: Int) {
        let run = runs[index]
        let first = weights.count
        for offset in 0..<run.count {
            weights.append(weights[run.first + run.count - 1 - offset])
        }
        runs.append(
            Run(
                start: inputs - run.start - run.count, first: first, count: run.count,
                isMirrored: true))
    }

    /// Turns the last run into its mirror image.
    mutating func mirrorLast(inputs: Int) {
        let run = runs[runs.count - 1]
        weights[run.first...].reverse()
        runs[runs.count - 1].start = inputs - run.start - run.count
        runs[runs.count - 1].isMirrored = true
    }
}
