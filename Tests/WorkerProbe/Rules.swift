import CSandbox
import Glibc

/// Tests Landlock without the filter of system calls: `WorkerProbe rules FILE` restricts itself to
/// reading one file, and prints which actions are still possible.
enum Rules {
    static func main() -> Never {
        let path = CommandLine.arguments.dropFirst(2).first ?? ""
        let isConfined =
            unsafe emb_worker_open_files(path) == 0 && emb_landlock_confine() == 0
        print("confined", isConfined)
        print("read it", opens(path, O_RDONLY))
        print("write it", opens(path, O_RDWR))
        print("read another", opens("/etc/passwd", O_RDONLY))
        print("list a folder", opens("/etc", O_RDONLY | O_DIRECTORY))
        print("make a file", opens(path + ".new", O_WRONLY | O_CREAT))
        print("remove it", unsafe unlink(path) == 0)
        if emb_landlock_version() >= 4 { print("listen", listens()) }
        exit(0)
    }

    private static func opens(_ path: String, _ flags: Int32) -> Bool {
        unsafe open(path, flags, 0o600) >= 0
    }

    private static func listens() -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
