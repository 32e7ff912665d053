import { apiVersionOf, groupVersionPath } from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { mangledText, ODD_TEXTS } from './mangle.js';
import { SAMPLES } from './samples.js';

const LABEL_SELECTORS = [
  'a=b',
  'a==b,c!=d',
  'a in (b,c),d',
  '!a',
  'a notin (b, c)',
  'example.com/a=b',
  'a>1,b<2',
  'a',
  'a in ()',
  'in in (in)',
  'a=',
  'notin notin (notin)',
  ' a = b , c ',
  '!a,!b',
  'x in (a,,b)',
];
const FIELD_SELECTORS = [
  'metadata.name=a',
  'metadata.namespace!=b',
  'status.phase=Running,spec.nodeName=',
  'a=b\\,c',
  'a==b',
  'metadata.name=a,metadata.name=b',
  'a\\=b=c',
  'spec.color=red',
  'type=Opaque',
  'involvedObject.name=a',
  '=',
  'a',
];

export const labelSelector = (random: Random): string => some(random, LABEL_SELECTORS, ',');
export const fieldSelector = (random: Random): string => some(random, FIELD_SELECTORS, ',');

function some(random: Random, texts: readonly string[], separator: string): string {
  const text = Array.from({ length: 1 + random.below(2) }, () => random.one(texts)).join(separator);
  return random.chance(0.6) ? mangledText(random, text) : text;
}

const NUMBERS = ['0', '1', '2', '5', '-1', '500', '9223372036854775807', '9223372036854775808', '1e3', 'x', '', '0x1', '+1', ' 1'];
const TRUTHS = ['true', 'false', '1', '0', 'TRUE', 'x', ''];
const REVISIONS = ['0', '1', '5', '50', '999999999', '-1', 'x', '', '007', '18446744073709551616'];
const DURATIONS = ['1s', '10s', '0', '-1s', 'x', '', '1h1m', '99999999h'];

const PARAMETERS: Readonly<Record<string, (random: Random) => string>> = {
  labelSelector,
  fieldSelector,
  limit: (random) => random.one(NUMBERS),
  continue: (random) => continueToken(random),
  resourceVersion: (random) => random.one(REVISIONS),
  resourceVersionMatch: (random) => random.one(['Exact', 'NotOlderThan', 'x', '']),
  timeoutSeconds: (random) => random.one(NUMBERS),
  timeout: (random) => random.one(DURATIONS),
  watch: (random) => random.one(['false', '0', 'x', '']),
  allowWatchBookmarks: (random) => random.one(TRUTHS),
  sendInitialEvents: (random) => random.one(TRUTHS),
  pretty: (random) => random.one(TRUTHS),
  dryRun: (random) => random.one(['All', 'None', 'x', '']),
  fieldManager: (random) => random.one(['m', 'x'.repeat(129), '\u0000', '', 'é']),
  fieldValidation: (random) => random.one(['Strict', 'Warn', 'Ignore', 'x']),
  force: (random) => random.one(TRUTHS),
  gracePeriodSeconds: (random) => random.one(NUMBERS),
  propagationPolicy: (random) => random.one(['Background', 'Foreground', 'Orphan', 'x']),
  orphanDependents: (random) => random.one(TRUTHS),
  includeObject: (random) => random.one(['None', 'Metadata', 'Object', 'x']),
  ignoreStoreReadErrorWithClusterBreakingPotential: (random) => random.one(TRUTHS),
};

/** A query string; `wild`: with broken escapes and odd names. */
export function queryText(random: Random, isWild = random.chance(0.3)): string {
  const names = random.some(Object.keys(PARAMETERS), random.one([0.02, 0.08, 0.2]));
  const pairs = names.map((name) => `${name}=${encodeURIComponent(wellFormed((PARAMETERS[name] as (random: Random) => string)(random)))}`);
  const text = pairs.join('&');
  return isWild ? mangledText(random, text) : text;
}

const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/g, '?');

export function continueToken(random: Random): string {
  const start = random.one(['a', 'default/a', '/', '../x', '', '\u0000', 'default/a\u0000', 'é']);
  const token = { v: random.one(['meta.k8s.io/v1', 'meta.k8s.io/v2', '']), rv: random.one([1, -1, 0, 5, 1e30, 'x', null]), start };
  const text = random.chance(0.2) ? random.one(ODD_TEXTS) : JSON.stringify(token);
  const encoded = Buffer.from(random.chance(0.2) ? mangledText(random, text) : text).toString('base64url');
  return random.chance(0.2) ? mangledText(random, encoded) : encoded;
}

const DOCUMENTS = [
  '/',
  '/api',
  '/apis',
  '/api/v1',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis/fuzz.example.com/v1',
  '/version',
  '/healthz',
  '/livez',
  '/readyz',
  '/readyz/ping',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/metrics',
  '/logs',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/api/v1/watch',
  '/api/v1/watch/namespaces',
  '/api/v1/proxy',
  '/apis/',
  '//',
  '/api/v1/namespaces//configmaps',
];

export const NAMES = ['a', 'b', 'c', 'widgets.fuzz.example.com'];

export function pathText(random: Random): string {
  if (random.chance(0.15)) return random.chance(0.5) ? random.one(DOCUMENTS) : pathSafe(mangledText(random, random.one(DOCUMENTS)));
  const { group, version, plural, isNamespaced, subresources } = random.one(SAMPLES);
  const root = groupVersionPath(apiVersionOf({ group, version }));
  const namespace = isNamespaced && random.chance(0.95) ? `/namespaces/${random.one(['default', 'default', 'fuzz', 'absent'])}` : '';
  const name = random.chance(0.75) ? `/${random.one(NAMES)}` : '';
  const subresource = name !== '' && random.chance(0.2) ? `/${random.one([...subresources, 'status', 'x'])}` : '';
  const path = `${root}${namespace}/${plural}${name}${subresource}`;
  return random.chance(0.1) ? pathSafe(mangledText(random, path)) : path;
}

/** What a request line cannot hold would end it: that is for the suite of raw bytes. */
function pathSafe(path: string): string {
  const safe = path.replace(/[^\x21-\x7e]/g, (letter) => encodeURIComponent(wellFormed(letter)));
  return safe.startsWith('/') ? safe : `/${safe}`;
}
