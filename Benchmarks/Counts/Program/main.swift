// What one emblem costs in counts, which no neighbour on the machine can change: calls to the heap,
// bytes asked of it, bytes written. One thread, the pure function alone.
//
//     emblem-counts [WORK]
//
// Prints a line of JSON a work. The second pass over the pictures is counted, inside a function
// named emb_counted, so that a profiler can count its instructions.

import Glibc
import Notation

let wanted = CommandLine.arguments.dropFirst().first
do {
    let works = try CountedWork.all().filter { wanted == nil || $0.name == wanted }
    guard !works.isEmpty else {
        print("emblem-counts: there is no work of that name")
        exit(64)
    }
    for work in works {
        var json = JSONWriter()
        try work.count().write(into: &json)
        json.endLine()
        print(String(decoding: json.take(), as: UTF8.self), terminator: "")
    }
} catch {
    print("emblem-counts: \(error)")
    exit(1)
}
