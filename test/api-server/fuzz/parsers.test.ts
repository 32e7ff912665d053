import { requestInfoOf } from '../../../src/api-server/http/index.js';
import { decodeContinue } from '../../../src/api-server/store/index.js';
import { BodyProblem, jsonText, type ParsedBody, parseJson, parseYaml, yamlText } from '../../../src/api-server/values/codec/index.js';
import { GoDecodeError, type GoStruct, GoTypes } from '../../../src/api-server/values/go-types/index.js';
import {
  apiVersionOf,
  fieldSelectorText,
  type Json,
  labelSelectorText,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { runCampaign } from './campaign.js';
import { alteredJson, randomJson } from './json-values.js';
import { mangledBytes, mangledText, randomBytes } from './mangle.js';
import { objectOf, SAMPLES, type Sample, WIDGETS } from './samples.js';
import { continueToken, fieldSelector, labelSelector, pathText, queryText } from './texts.js';
import { TypedObjects } from './typed-objects.js';

const types = new GoTypes();
const typed = new TypedObjects(types);
const BUILTINS = SAMPLES.filter(({ group }) => group !== WIDGETS.group);

/** What a reader makes of bytes is whole, can be written, and is read again as the same. */
function readable(parse: (bytes: Uint8Array) => ParsedBody, bytes: Uint8Array): string {
  try {
    const { value } = parse(bytes);
    const text = jsonText(value);
    if (jsonText(parseJson(Buffer.from(text)).value) !== text) throw new Error('is read otherwise when it is written');
    return 'read';
  } catch (error) {
    if (BodyProblem.isBodyProblem(error)) return `refused: ${error.kind}`;
    throw error;
  }
}

const jsonOf = (random: Random): Json =>
  random.chance(0.5) ? randomJson(random) : alteredJson(random, objectOf(random.one(SAMPLES), 'a'));

function structOf(of: Sample): GoStruct {
  const struct = types.typeOf(of);
  if (struct === undefined) throw new Error(`${apiVersionOf(of)} ${of.kind} has no Go type`);
  return struct;
}

test('JSON is read, or refused', () => {
  const tally = runCampaign({
    subject: 'json',
    generate: (random) => {
      const bytes = Buffer.from(mangledText(random, JSON.stringify(jsonOf(random))));
      return random.chance(0.2) ? mangledBytes(random, bytes) : bytes;
    },
    run: (bytes) => readable(parseJson, bytes),
  });
  expect([...tally.keys()].sort()).toEqual(['read', 'refused: syntax', 'refused: value']);
});

test('YAML is read, or refused', () => {
  const tally = runCampaign({
    subject: 'yaml',
    generate: (random) => {
      const text = random.chance(0.1) ? '' : yamlText(jsonOf(random));
      const bytes = Buffer.from(random.chance(0.9) ? mangledText(random, text) : text);
      return random.chance(0.2) ? mangledBytes(random, bytes) : bytes;
    },
    run: (bytes) => readable(parseYaml, bytes),
  });
  expect(tally.has('read') && tally.has('refused: syntax')).toBe(true);
});

function decoded(decode: () => Record<string, unknown>): string {
  try {
    JSON.stringify(decode());
    return 'decoded';
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error)) return 'refused';
    throw error;
  }
}

test('protobuf is decoded, or refused', () => {
  const tally = runCampaign({
    subject: 'protobuf',
    generate: (random) => {
      if (random.chance(0.02)) return Buffer.concat([Buffer.from('k8s\0'), randomBytes(random, random.below(60))]);
      const of = random.one(BUILTINS);
      const bytes = typed.protobuf(typed.grafted(random, structOf(of), objectOf(of, 'a', 'default')), structOf(of));
      return random.chance(0.8) ? mangledBytes(random, bytes) : bytes;
    },
    run: (bytes) => decoded(() => types.decodeProtobuf(bytes, { group: '', version: 'v1', kind: 'Pod' }).value),
  });
  expect([...tally.keys()].sort()).toEqual(['decoded', 'refused']);
});

test('objects are decoded as Go types, or refused', () => {
  const tally = runCampaign({
    subject: 'Go types',
    generate: (random) => {
      const of = random.one(BUILTINS);
      const object = typed.grafted(random, structOf(of), objectOf(of, 'a', 'default'));
      return { of, value: random.chance(0.5) ? alteredJson(random, object, 0.03) : object };
    },
    run: ({ of, value }) =>
      decoded(() => {
        const { value: result } = types.decodeJson(structOf(of), value);
        types.unstructuredProblem(structOf(of), value);
        return types.storedForm(structOf(of), result);
      }),
  });
  expect([...tally.keys()].sort()).toEqual(['decoded', 'refused']);
});

test('label selectors are parsed and mean the same when written', () => {
  const labels = { a: 'b', d: '', 'example.com/a': 'b' };
  const tally = runCampaign({
    subject: 'label selectors',
    generate: labelSelector,
    run: (text) => {
      const parsed = parseLabelSelector(text);
      if ('problem' in parsed) return 'refused';
      const again = parseLabelSelector(labelSelectorText(parsed.requirements));
      if ('problem' in again) throw new Error(`is refused when it is written: ${again.problem}`);
      if (matchesLabels(parsed.requirements, labels) !== matchesLabels(again.requirements, labels)) throw new Error('means something else');
      return 'parsed';
    },
  });
  expect([...tally.keys()].sort()).toEqual(['parsed', 'refused']);
});

test('field selectors are parsed and mean the same when written', () => {
  const textOf = (field: string): string => (field.endsWith('name') ? 'a' : '');
  const tally = runCampaign({
    subject: 'field selectors',
    generate: fieldSelector,
    run: (text) => {
      const parsed = parseFieldSelector(text);
      if ('problem' in parsed) return 'refused';
      const again = parseFieldSelector(fieldSelectorText(parsed.requirements));
      if ('problem' in again) throw new Error(`is refused when it is written: ${again.problem}`);
      if (matchesFields(parsed.requirements, textOf) !== matchesFields(again.requirements, textOf)) throw new Error('means something else');
      return 'parsed';
    },
  });
  expect([...tally.keys()].sort()).toEqual(['parsed', 'refused']);
});

test('paths and queries are taken apart', () => {
  runCampaign({
    subject: 'paths and queries',
    generate: (random) => ({
      method: random.one(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'X']),
      path: pathText(random),
      query: queryText(random),
    }),
    run: ({ method, path, query }) => {
      const info = requestInfoOf({ method, path, query: new URLSearchParams(query) });
      if (info === undefined) return 'nothing';
      return info.isResourceRequest ? info.verb : 'document';
    },
  });
});

test('continue tokens are decoded, or refused', () => {
  const tally = runCampaign({
    subject: 'continue tokens',
    generate: continueToken,
    run: (text) => {
      const outcome = decodeContinue(text);
      if (!outcome.ok) return outcome.problem.kind;
      if (!(Math.abs(outcome.value.revision) < 2 ** 63)) throw new Error(`the revision is ${outcome.value.revision}`);
      return 'decoded';
    },
  });
  expect(tally.has('decoded')).toBe(true);
});
