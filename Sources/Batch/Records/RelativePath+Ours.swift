import Transport

extension RelativePath {
    /// A name that we chose ourselves, such as that of the manifest.
    package init(ours name: String) {
        guard let path = RelativePath(name) else {
            preconditionFailure("\(name) is a name of ours and leads nowhere else.")
        }
        self = path
    }
}
