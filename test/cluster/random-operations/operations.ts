import { stringify } from 'yaml';
import type { Step } from '../differential/exchange.js';
import { isRecord, merged, withOddity, withValue } from './documents.js';
import type { Field } from './field.js';
import type { Random } from './random.js';
import { type Subject, subjects } from './subjects.js';

/** What one server has said of its objects, by {@link Operation.target}: the last state of each, and the one before. */
export interface Known {
  readonly last: ReadonlyMap<string, object>;
  readonly before: ReadonlyMap<string, object>;
}

/** A step that a history of any length can hold: it names objects, and takes revisions from what the server has said. */
export interface Operation {
  /** Operations of one target can be played without the others. */
  readonly target: string;
  /** It is left out unless this finds the object. */
  readonly onlyIf?: Step;
  step(known: Known): Step;
}

const MANAGERS = ['one', 'two', 'three'] as const;
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

const VERBS = {
  create: 14,
  update: 14,
  json: 10,
  merge: 14,
  strategic: 10,
  apply: 26,
  delete: 6,
  finalize: 5,
  status: 10,
  scale: 4,
  read: 3,
} as const;

export function randomOperation(random: Random): Operation {
  const subject = random.pick(subjects);
  const name = random.pick(subject.names);
  const target = `${subject.kind}/${name}`;
  const verb = random.weighted(VERBS);
  const path = `${subject.path}/${name}`;
  return {
    target,
    step: MAKERS[verb]({ random, subject, name, target, path }),
    // The status of a Service that is not there makes one without addresses, a slip that the embedded server does not follow.
    ...(verb === 'status' && subject.kind === 'Service' ? { onlyIf: { method: 'GET', path } } : {}),
  };
}

interface Site {
  readonly random: Random;
  readonly subject: Subject;
  readonly name: string;
  readonly target: string;
  readonly path: string;
}
type Maker = (site: Site) => Operation['step'];

const MAKERS: Readonly<Record<keyof typeof VERBS, Maker>> = {
  create: ({ random, subject, name }) => {
    const body = odd(random, named(subject, name, filled(random, subject.base, subject.fields, 4)));
    return always(written(random, { method: 'POST', path: `${subject.path}${query(random)}`, body }));
  },
  update: (site) => {
    const { random, subject, name, target } = site;
    const edit = filled(random, {}, subject.fields, 3);
    const base = random.weighted({ last: 6, before: 1, fresh: 3 });
    const [path, oddity, unversioned] = [`${site.path}${query(random)}`, oddityOf(random), random.chance(0.3)];
    const fresh = named(subject, name, merged(subject.base, edit));
    return (known) => {
      const found = base === 'fresh' ? undefined : known[base].get(target);
      const body = oddity(
        found === undefined ? fresh : { ...merged(unversioned ? withoutRevision(found) : found, edit), apiVersion: subject.apiVersion },
      );
      return { method: 'PUT', path, body };
    };
  },
  json: ({ random, subject, path }) =>
    always(patch(`${path}${query(random)}`, 'application/json-patch+json', jsonPatch(random, subject.fields))),
  merge: ({ random, subject, path }) => always(patch(`${path}${query(random)}`, MERGE, odd(random, patchBody(random, subject.fields)))),
  strategic: ({ random, subject, path }) => {
    // That custom resources have none is soon seen.
    const type = subject.strategic || random.chance(0.1) ? STRATEGIC : MERGE;
    return always(patch(`${path}${query(random)}`, type, directed(random, patchBody(random, subject.fields))));
  },
  apply: (site) =>
    always(applied(site, '', (random) => filled(random, random.chance(0.6) ? site.subject.base : {}, site.subject.fields, 4))),
  delete: ({ random, target, path }) => {
    const options = random.weighted({
      none: 6,
      Background: 2,
      Foreground: 2,
      Orphan: 2,
      orphans: 1,
      uid: 1,
      wrongUid: 1,
      revision: 1,
      now: 2,
      dry: 1,
    });
    return (known) => ({ method: 'DELETE', path, ...deleteBody(options, known.last.get(target)) });
  },
  finalize: ({ random, path }) =>
    always(
      patch(path, MERGE, {
        metadata: { finalizers: random.pick([null, null, [], ['example.com/a'], ['orphan'], ['foregroundDeletion']]) },
      }),
    ),
  status: (site) => {
    const { random, subject, target } = site;
    const fields = [...(subject.statusFields ?? []), ...(subject.statusFields ?? []), ...subject.fields];
    const path = `${site.path}/status`;
    const way = random.weighted({ merge: 4, strategic: subject.strategic ? 2 : 0, json: 1, apply: 4, put: 4 });
    if (way === 'apply') return always(applied({ ...site, path }, 'status', (source) => filled(source, {}, fields, 3)));
    if (way === 'json') return always(patch(`${path}${query(random)}`, 'application/json-patch+json', jsonPatch(random, fields)));
    const edit = odd(random, patchBody(random, fields));
    if (way !== 'put') return always(patch(`${path}${query(random)}`, way === 'merge' ? MERGE : STRATEGIC, edit));
    const put = `${path}${query(random)}`;
    const fresh = named(subject, site.name, merged(subject.base, edit));
    return (known) => {
      const found = known.last.get(target);
      return { method: 'PUT', path: put, body: found === undefined ? fresh : { ...merged(found, edit), apiVersion: subject.apiVersion } };
    };
  },
  scale: ({ random, subject, path, target, name }) => {
    const at = `${path}/scale`;
    const replicas = random.pick([0, 1, 2, 5, -1, 12]);
    const way = random.weighted({ get: 1, merge: 3, put: 2, apply: 2 });
    if (way === 'get') return always({ method: 'GET', path: at });
    if (way === 'merge') return always(patch(`${at}${query(random)}`, MERGE, { spec: { replicas } }));
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas } };
    if (way === 'apply') return always(patch(`${at}?fieldManager=${random.pick(MANAGERS)}&force=${random.chance(0.5)}`, APPLY, scale));
    return (known) => {
      const resourceVersion = revisionOf(known.last.get(target));
      return {
        method: 'PUT',
        path: at,
        body: { ...scale, metadata: { name, namespace: '{ns}', ...(subject.scale === true ? { resourceVersion } : {}) } },
      };
    };
  },
  read: ({ random, subject, path }) =>
    always({
      method: 'GET',
      path: random.pick([
        path,
        path,
        `${subject.path}?labelSelector=l%3D1`,
        `${subject.path}?fieldSelector=metadata.name%3D${subject.names[0]}`,
        `${path}/status`,
      ]),
    }),
};

function always(step: Step): Operation['step'] {
  return () => step;
}

function patch(path: string, contentType: string, body: unknown): Step {
  return { method: 'PATCH', path, contentType, body };
}

function applied({ random, subject, name, path }: Site, subresource: string, make: (random: Random) => object): Step {
  const manager = subresource === '' ? random.pick(MANAGERS) : random.pick([...MANAGERS, 'status']);
  const parameters = [`fieldManager=${manager}`, ...(random.chance(0.5) ? ['force=true'] : []), ...more(random)];
  return patch(`${path}?${parameters.join('&')}`, APPLY, odd(random, named(subject, name, make(random))));
}

/** A body in YAML now and then. */
function written(random: Random, step: Step & { readonly body: object }): Step {
  return random.chance(0.05) ? { ...step, contentType: 'application/yaml', body: stringify(step.body) } : step;
}

function query(random: Random): string {
  const parameters = [...(random.chance(0.5) ? [`fieldManager=${random.pick(['updater', ...MANAGERS])}`] : []), ...more(random)];
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

function more(random: Random): string[] {
  return [
    ...(random.chance(0.15) ? [`fieldValidation=${random.pick(['Strict', 'Warn', 'Ignore'])}`] : []),
    ...(random.chance(0.04) ? ['dryRun=All'] : []),
  ];
}

function named({ apiVersion, kind }: Subject, name: string, object: object): object {
  return merged({ apiVersion, kind, metadata: { name } }, object);
}

function filled(random: Random, base: object, fields: readonly Field[], most: number): object {
  let object = base;
  for (const { path, values } of random.atMost(most, fields)) object = withValue(object, path, random.pick(values));
  return object;
}

/** As {@link filled}, and a field may be taken away. */
function patchBody(random: Random, fields: readonly Field[]): object {
  let object = {};
  for (const { path, values } of random.atMost(3, fields))
    object = withValue(object, path, random.chance(0.2) ? null : random.pick(values));
  return object;
}

function jsonPatch(random: Random, fields: readonly Field[]): object[] {
  return random.atMost(3, fields).map(({ path, values }) => {
    const value = random.pick(values);
    const pointer = `/${path.join('/')}`;
    const item = Array.isArray(value) && value.length > 0 && random.chance(0.5);
    const place = item ? `${pointer}/${random.pick(['-', '0', '1'])}` : pointer;
    const op = random.pick(['add', 'add', 'replace', 'remove', 'test', 'copy', 'move']);
    const from = `/${random.pick(fields).path.join('/')}`;
    if (op === 'copy' || op === 'move') return { op, from, path: place };
    return op === 'remove' ? { op, path: place } : { op, path: place, value: item ? value[0] : value };
  });
}

/** Directives of strategic merge patches, in some object or some entry of a list. */
function directed(random: Random, body: object): object {
  // The server tells a patch that it refuses as far as it has taken it apart, nulls first.
  if (!random.chance(0.3) || JSON.stringify(body).includes('null')) return body;
  const directive = random.pick<object>([{ $patch: 'delete' }, { $patch: 'replace' }, { $patch: 'merge' }, { $retainKeys: ['type'] }]);
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => (index === 0 && isRecord(item) ? { ...item, ...directive } : item));
    if (!isRecord(value)) return value;
    const [first, ...others] = Object.entries(value);
    if (first === undefined || random.chance(0.3)) return { ...value, ...directive };
    return Object.fromEntries([[first[0], inner(first[1])], ...others]);
  };
  return inner(body) as object;
}

/** Something nobody sends on purpose, now and then. */
function odd(random: Random, body: object): object {
  return oddityOf(random)(body);
}

function oddityOf(random: Random): (body: object) => object {
  if (!random.chance(0.06)) return (body) => body;
  const choice = { depth: random.below(6), turn: random.below(1000), value: random.pick(ODD_VALUES) };
  return (body) => withOddity(body, choice);
}

const ODD_VALUES: readonly unknown[] = [
  null,
  '',
  0,
  -1,
  1.5,
  true,
  'text',
  [],
  {},
  [null],
  ['x'],
  { x: 'y' },
  'x'.repeat(70),
  4_294_967_296,
];

function deleteBody(choice: string, known: object | undefined): { readonly body?: object } {
  const metadata = (known as { metadata?: { uid?: string; resourceVersion?: string } } | undefined)?.metadata;
  switch (choice) {
    case 'none':
      return {};
    case 'orphans':
      return { body: { orphanDependents: true } };
    case 'uid':
      return { body: { preconditions: { uid: metadata?.uid ?? 'none' } } };
    case 'wrongUid':
      return { body: { preconditions: { uid: 'another' } } };
    case 'revision':
      return { body: { preconditions: { resourceVersion: metadata?.resourceVersion ?? '1' } } };
    case 'now':
      return { body: { gracePeriodSeconds: 0 } };
    case 'dry':
      return { body: { dryRun: ['All'] } };
    default:
      return { body: { propagationPolicy: choice } };
  }
}

function revisionOf(object: object | undefined): string | undefined {
  return (object as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion;
}

function withoutRevision(object: object): object {
  return merged(object, { metadata: { resourceVersion: '' } });
}
