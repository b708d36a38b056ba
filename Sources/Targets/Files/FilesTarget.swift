import Transport

/// A folder of files, named by a pattern.
package struct FilesTarget: OutputTarget {
    package typealias Naming = @Sendable (TargetPicture) -> RelativePath?

    package var kind: TargetKind { .files }
    package var documents: [TargetDocument] { [] }
    private let naming: Naming

    package init(naming: @escaping Naming) { self.naming = naming }

    package func path(of picture: TargetPicture) -> RelativePath? { naming(picture) }
}
