import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { doorsOf, type EntryPoint, isPassedOn } from './entry-points.js';
import { root, type WorkspacePackage } from './packages.js';

/** Writes the doors that a package passes on from another: one line each, so that both names lead to the same values. */
export function writePassedOnDoors(own: WorkspacePackage, packages: readonly WorkspacePackage[]): void {
  for (const door of doorsOf(own).filter((each) => isPassedOn(own, each))) {
    const target = originOf(door, packages);
    write(join(own.output, 'esm', `${door.output}.js`), `export * from '${target}';\n`);
    write(join(own.output, 'cjs', `${door.output}.js`), `module.exports = require('${target}');\n`);
    write(door.types.replace(`${own.folder}/lib`, own.output), `export * from '${target}';\n`);
  }
}

function originOf(door: EntryPoint, packages: readonly WorkspacePackage[]): string {
  const origin = packages
    .flatMap((each) => doorsOf(each).filter((other) => !isPassedOn(each, other)))
    .find(({ source }) => source === door.source);
  if (origin === undefined) throw new Error(`${door.specifier} leads to ${door.source}, for which its own package has no door`);
  return origin.specifier;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
