import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of a program, as a shell finds it; undefined if no such file may be run. */
export function findProgram(name: string, path: string, directory: string): string | undefined {
  const places = name.includes('/')
    ? [isAbsolute(name) ? name : join(directory, name)]
    : path.split(delimiter).map((folder) => join(folder, name));
  return places.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
