import CDrawing
import Glibc

/// One font map of Pango for each thread: a map needs no lock as long as threads share none.
@safe
struct FontMapCache: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let outcome = unsafe pthread_key_create(&key) { map in
            unsafe g_object_unref(map)
        }
        precondition(outcome == 0, "A process has room for three keys of threads.")
        self.key = key
    }

    /// This thread's map, made when it is first asked for.
    @unsafe
    func map(of configuration: FontConfiguration) -> OpaquePointer {
        if let known = unsafe pthread_getspecific(key) {
            return OpaquePointer(known)
        }
        let map = unsafe configuration.makeMap()
        unsafe pthread_setspecific(key, UnsafeRawPointer(map))
        return unsafe map
    }
    /// Lets go of this thread's map, so that the next one knows nothing of what was drawn.
    func drop() {
        guard let map = unsafe pthread_getspecific(key) else { return }
        pthread_setspecific(key, nil)
        unsafe g_object_unref(map)
    }
}
