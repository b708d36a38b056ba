// Benchmarks the inner loops of an emblem separately on one thread: each variant with its shortest
// time and a digest of its result, which must be equal within a group.
//
//     emblem-kernels [--quick] [--json]

import Glibc
import Notation

let words = CommandLine.arguments.dropFirst()
guard words.allSatisfy({ $0 == "--quick" || $0 == "--json" }) else {
    print("usage: emblem-kernels [--quick] [--json]")
    exit(64)
}
do {
    let bench = KernelBench(milliseconds: words.contains("--quick") ? 40 : 300)
    let results = try KernelWork.all().map { bench.measure($0) }
    try KernelWork.checkTwins(results)
    if words.contains("--json") {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.array("kernels") { json in
                for result in results { result.write(into: &json) }
            }
        }
        json.endLine()
        print(String(decoding: json.take(), as: UTF8.self), terminator: "")
    } else {
        for result in results { print(result.line) }
    }
} catch {
    print("emblem-kernels: \(error)")
    exit(1)
}
