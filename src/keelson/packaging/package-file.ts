/** A file of a package, by its path below the package's folder. */
export interface PackageFile {
  readonly path: string;
  readonly text: string;
}
