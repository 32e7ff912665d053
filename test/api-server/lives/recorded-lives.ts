import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_VERSION } from '../../../scripts/cluster/binaries.js';
import type { Told } from './play.js';

const FOLDER = join(__dirname, 'golden');
/** One file for each minor version. */
const FILE = join(FOLDER, `${KUBERNETES_VERSION.replace(/\.\d+$/, '')}.json`);
const HOW = 'Answers of a real kube-apiserver to the lives of this folder, masked. Written by `npm run record`; not to be edited.';

interface Recording {
  readonly how: string;
  readonly lives: Readonly<Record<string, readonly Told[]>>;
}

/** Answers by the title of the life. Empty if nothing was recorded for this version. */
export function recordedLives(): ReadonlyMap<string, readonly Told[]> {
  if (!existsSync(FILE)) return new Map();
  return new Map(Object.entries((JSON.parse(readFileSync(FILE, 'utf8')) as Recording).lives));
}

/** Replaces the recording of this version: one line for each answer. */
export function recordLives(lives: ReadonlyMap<string, readonly Told[]>): void {
  mkdirSync(FOLDER, { recursive: true });
  const texts = [...lives].map(
    ([title, told]) => `  ${JSON.stringify(title)}: [\n${told.map((one) => `   ${JSON.stringify(one)}`).join(',\n')}\n  ]`,
  );
  writeFileSync(FILE, `{\n "how": ${JSON.stringify(HOW)},\n "lives": {\n${texts.join(',\n')}\n }\n}\n`);
}
