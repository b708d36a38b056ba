import Glibc
import Worker

// A worker that does what the bytes of its picture tell it to: the part of a decoder that strangers
// have taken over. A picture that names no deed is rendered.
switch CommandLine.arguments.dropFirst().first {
case "parent": await Parent.main()
case "canceling": await Canceling.main()
case "divided": Divided.main()
case "tainted": await Tainted.main()
case "rules": Rules.main()
case "deed": await Alone.main()
default: break
}
guard CommandLine.arguments.dropFirst().first == WorkerMain.word else { exit(64) }
WorkerMain.main(
    WorkerMain.TestHooks(picture: { bytes in
        Lie(bytes)?.tell()
        Deed(bytes)?.perform()
    }))
