import type { ManifestFile, ManifestObject } from './manifests.js';
import { notable } from './notable.js';

/** How a text may look where it is shown. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export const PLAIN: Style = { bold: (text) => text, dim: (text) => text };

export const ANSI: Style = { bold: (text) => `\u001b[1m${text}\u001b[22m`, dim: (text) => `\u001b[2m${text}\u001b[22m` };

/** The files of a folder, the objects of each file in order of application, and what is notable about them. */
export function manifestTree(folder: string, files: readonly ManifestFile[], style: Style = PLAIN): string {
  const lines = files.flatMap((file, index) => fileLines(file, index === files.length - 1, style));
  return [style.bold(`${folder}/`), ...lines].join('\n');
}

function fileLines({ name, bytes, objects }: ManifestFile, last: boolean, style: Style): string[] {
  const kindWidth = Math.max(...objects.map(({ kind }) => kind.length));
  const head = `${last ? '`-- ' : '|-- '}${style.bold(name)}  ${style.dim(`${counted(objects.length, 'object')}, ${kilobytes(bytes)}`)}`;
  const rail = last ? '    ' : '|   ';
  const body = objects.flatMap((object, index) => {
    const lastObject = index === objects.length - 1;
    const indent = `${rail}${lastObject ? '    ' : '|   '}`;
    return [
      `${rail}${lastObject ? '`-- ' : '|-- '}${object.kind.padEnd(kindWidth)}  ${nameOf(object)}`,
      ...notable(object).map((line) => `${indent}${' '.repeat(kindWidth)}  ${style.dim(line)}`),
    ];
  });
  return [head, ...body];
}

/** `15 objects: 1 CustomResourceDefinition, 5 ClusterRole, ...`, in order of first appearance. */
export function countsByKind(files: readonly ManifestFile[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of files.flatMap(({ objects }) => objects)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return `${counted(total, 'object')}: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}`;
}

const nameOf = ({ metadata: { name = '(no name)', namespace } }: ManifestObject): string =>
  namespace === undefined ? name : `${name} (namespace ${namespace})`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
