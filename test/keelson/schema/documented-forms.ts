import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { defineCustomResource } from '../../../src/keelson/definition/index.js';
import { k, type ZodLike } from '../../../src/keelson/schema/index.js';

interface Documented {
  readonly name: string;
  readonly code: string;
  /** The YAML that docs/schema.md shows. */
  readonly yaml: string;
}

export interface DocumentedForm extends Documented {
  readonly schema: () => ZodLike;
}

/** Options of a custom resource, with the part of the CRD that the YAML shows, for example `spec.names`. */
export interface DocumentedOptions extends Documented {
  readonly part: string;
  readonly definition: () => ReturnType<typeof defineCustomResource>;
}

const ENTRY = /^### (.+)\n\n(?:controller-gen: .+\n\n)?```ts\n([\s\S]*?)\n```\n\n```yaml(?: (\S+))?\n([\s\S]*?)\n```$/gm;

const page = readFileSync(join(__dirname, '../../../docs/schema.md'), 'utf8');

const entries = [...page.matchAll(ENTRY)].map(([, name = '', code = '', part, yaml = '']) => ({ name, code, part, yaml }));

/** Number of headings of the third level: each of them must have been read as an entry. */
export const headings: number = page.match(/^### /gm)?.length ?? 0;

export const documentedForms: readonly DocumentedForm[] = entries
  .filter(({ part }) => part === undefined)
  .map((entry) => ({ ...entry, schema: () => evaluate(entry.code) as ZodLike }));

export const documentedOptions: readonly DocumentedOptions[] = entries.flatMap(({ part, ...entry }) =>
  part === undefined ? [] : [{ ...entry, part, definition: () => evaluate(entry.code) as ReturnType<typeof defineCustomResource> }],
);

/** The page's own code is what is tested: no second copy of it that could differ. */
function evaluate(code: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is our own page
  return new Function('z', 'k', 'defineCustomResource', `return (${code});`)(z, k, defineCustomResource);
}
