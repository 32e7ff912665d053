import { builtinDefinitions } from '../../../src/api-server/documents/openapi/index.js';
import {
  type ApiObject,
  ApplyRefused,
  applyPatch,
  builtinTypes,
  type Endpoint,
  emptyObject,
  trackUpdate,
} from '../../../src/api-server/values/apply/index.js';
import { applyStrategicMergePatch, PatchType } from '../../../src/api-server/values/strategic-merge/index.js';
import {
  apiVersionOf,
  applyJsonPatch,
  applyMergePatch,
  type Json,
  type JsonObject,
  PatchRefused,
} from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { runCampaign } from './campaign.js';
import { alteredJson, randomJson } from './json-values.js';
import { configuration, jsonPatch, mergePatch, strategicPatch } from './patches.js';
import { objectOf, SAMPLES, WIDGETS } from './samples.js';

const definitions = builtinDefinitions();
const BUILTINS = SAMPLES.filter(({ group }) => group !== WIDGETS.group).map((of) => {
  const name = definitions.nameOf(of);
  if (name === undefined) throw new Error(`${of.kind} has no definition`);
  return { of, name };
});
const typeOf = builtinTypes(definitions);

/** A refusal is an answer; what goes wrong otherwise is a bug. Nobody may change what they were given. */
function patched(input: readonly Json[], apply: () => Json): string {
  const before = JSON.stringify(input);
  const outcome = outcomeOf(apply);
  if (JSON.stringify(input) !== before) throw new Error('the input was changed');
  return outcome;
}

function outcomeOf(apply: () => Json): string {
  try {
    JSON.stringify(apply());
    return 'applied';
  } catch (error) {
    if (error instanceof PatchRefused || error instanceof ApplyRefused) return `refused: ${error.refusal.status}`;
    throw error;
  }
}

const targetOf = (random: Random): Json => (random.chance(0.3) ? randomJson(random) : objectOf(random.one(SAMPLES), 'a', 'default'));

test('JSON patches are applied, or refused', () => {
  const tally = runCampaign({
    subject: 'JSON patches',
    generate: (random) => {
      const target = targetOf(random);
      return { target, patch: jsonPatch(random, target) };
    },
    run: ({ target, patch }) => patched([target, patch], () => applyJsonPatch(target, patch)),
  });
  expect([...tally.keys()]).toEqual(expect.arrayContaining(['applied', 'refused: 400', 'refused: 422']));
});

test('merge patches are applied, or refused', () => {
  const tally = runCampaign({
    subject: 'merge patches',
    generate: (random) => {
      const target = targetOf(random);
      return { target, patch: mergePatch(random, target) };
    },
    run: ({ target, patch }) => patched([target, patch], () => applyMergePatch(target, patch)),
  });
  expect(tally.has('applied')).toBe(true);
});

test('strategic merge patches are applied, or refused', () => {
  const patchTypes = new Map(BUILTINS.map(({ name }) => [name, PatchType.of(name, definitions)]));
  const tally = runCampaign({
    subject: 'strategic merge patches',
    generate: (random) => {
      const { of, name } = random.one(BUILTINS);
      const target = objectOf(of, 'a', 'default');
      return { name, target, patch: strategicPatch(random, target) };
    },
    run: ({ name, target, patch }) =>
      patched([target, patch], () => applyStrategicMergePatch(target, patch, patchTypes.get(name) as PatchType)),
  });
  expect([...tally.keys()]).toEqual(expect.arrayContaining(['applied', 'refused: 400', 'refused: 500']));
});

test('apply configurations are merged, or refused, and so are updates of what they made', () => {
  const now = (): Date => new Date(0);
  const tally = runCampaign({
    subject: 'apply patches',
    generate: (random) => {
      const { of, name } = random.one(BUILTINS);
      const object = objectOf(of, 'a', 'default');
      const configurations = Array.from({ length: 3 }, () => configuration(random, object));
      return { of, name, object, configurations, update: alteredJson(random, object), force: random.chance(0.5) };
    },
    run: ({ of, name, configurations, update, force }) => {
      const apiVersion = apiVersionOf(of);
      const endpoint: Endpoint = {
        apiVersion,
        kind: of.kind,
        typeAt: (version) => (version === apiVersion ? typeOf(name) : undefined),
        convert: (object) => object,
      };
      const empty = { ...(emptyObject(name, definitions) as ApiObject), apiVersion, kind: of.kind };
      const managers = ['a', 'b', 'a'];
      return patched([...configurations, update], () => {
        let live: ApiObject = empty;
        for (const [index, config] of configurations.entries()) {
          if (typeof config !== 'object' || config === null || Array.isArray(config)) continue;
          live = applyPatch({ endpoint, live, empty, config: config as JsonObject, manager: managers[index] ?? '', force, now }).object;
        }
        if (typeof update !== 'object' || update === null || Array.isArray(update)) return live;
        return trackUpdate({ endpoint, live, updated: update as JsonObject, manager: 'c', now }).object;
      });
    },
  });
  expect([...tally.keys()]).toEqual(expect.arrayContaining(['applied', 'refused: 409', 'refused: 500']));
});
