import Glibc
import Worker

// A worker that carries out the deeds in its images, like a decoder that was taken over by an
// exploit. An image without a deed is rendered.
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
