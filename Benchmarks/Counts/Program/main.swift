// The cost of one emblem in counts, which do not depend on other load: heap calls, heap bytes and
// written bytes. Renders on one thread, without reading or writing files.
//
//     emblem-counts [WORK]
//
// Prints one line of JSON per work. The second pass is counted, inside the function emb_counted, so
// that a profiler can count its instructions.

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
