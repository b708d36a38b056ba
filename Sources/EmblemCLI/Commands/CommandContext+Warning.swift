import Console
import Flags
import Notation

extension CommandContext {
    /// Says on standard error what even a quiet run has to say, as an object where objects are read.
    func warn(_ text: String) {
        guard arguments[Options.progress] == "json" else { return messages.line("emblem: \(text)") }
        var json = JSONWriter()
        json.object { json in
            json.member("type", "warning")
            json.member("message", text)
        }
        messages.line(String(decoding: json.take(), as: UTF8.self))
    }
}
