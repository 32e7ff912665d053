import { helmChart, type Package, type PackageFile } from 'keelson/packaging';

const charts = new WeakMap<Package, readonly PackageFile[]>();

/** The files of a package's chart. A chart takes seconds: it is written once for each package. */
export function filesOf(source: Package): readonly PackageFile[] {
  const files = charts.get(source) ?? helmChart(source);
  charts.set(source, files);
  return files;
}

/** The text of a file of a package's chart. */
export function fileOf(source: Package, path: string): string {
  const files = filesOf(source);
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`no ${path} among ${files.map((file) => file.path).join(', ')}`);
  return found.text;
}
