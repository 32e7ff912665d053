import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_VERSION } from '../../../../../scripts/cluster/binaries.js';
import type { MaskedAnswer } from './masked-answer.js';
import type { Story } from './story.js';

/** One folder for each minor version. */
const FOLDER = join(__dirname, '../golden', KUBERNETES_VERSION.replace(/\.\d+$/, ''));
const HOW = 'Answers of a real kube-apiserver to the stories of this folder, masked. Written by `npm run record`; not to be edited.';

/** The masked answers to a story, one for each request. */
export type Answers = readonly MaskedAnswer[];

interface Recording {
  readonly how: string;
  readonly stories: Readonly<Record<string, Answers>>;
}

/** Answers by the title of the story. Empty if nothing was recorded for this version. */
export function recordedAnswers(): ReadonlyMap<string, Answers> {
  if (!existsSync(FOLDER)) return new Map();
  const recordings = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recording);
  return new Map(recordings.flatMap(({ stories }) => Object.entries(stories)));
}

/** Replaces the recording of this version: one file for each resource, one line for each answer. */
export function recordAnswers(answers: ReadonlyMap<Story, Answers>): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const resource of new Set([...answers.keys()].map(resourceOf))) {
    const stories = [...answers].filter(([story]) => resourceOf(story) === resource);
    writeFileSync(join(FOLDER, `${resource}.json`), recordingText(stories));
  }
}

function recordingText(stories: readonly (readonly [Story, Answers])[]): string {
  const lines = stories.map(([{ title }, answers]) => {
    const texts = answers.map((answer) => `   ${JSON.stringify(answer)}`);
    return `  ${JSON.stringify(title)}: [\n${texts.join(',\n')}\n  ]`;
  });
  return `{\n "how": ${JSON.stringify(HOW)},\n "stories": {\n${lines.join(',\n')}\n }\n}\n`;
}

/** `deployments.apps`, and `pods` for the core group. */
function resourceOf({ title, asks: [first] }: Story): string {
  const match = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)$/.exec(first?.path ?? '');
  if (match === null) throw new Error(`the story "${title}" does not begin with a POST to a collection`);
  const [, group, plural] = match;
  return group === undefined ? (plural as string) : `${plural}.${group}`;
}
