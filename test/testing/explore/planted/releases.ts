import { type ExploreOptions, explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, k, own } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const group = 'releases.example.com';
const Note = defineCustomResource({
  group,
  kind: 'Note',
  versions: {
    v1: {
      spec: z.object({ text: z.string() }),
      status: z.object({ phase: z.string().optional(), length: k.int32().optional(), mark: z.string().optional() }),
    },
  },
});
const config = (name: string, text: string, labels: Record<string, string> = {}) =>
  ConfigMap({ metadata: { name, labels }, data: { text } });
const handMade = { name: 'notes', for: Note, owns: { configs: own(ConfigMap, { verbs: ['create', 'delete', 'patch'] }) } } as const;
const owning = { name: 'notes', for: Note, owns: { configs: ConfigMap } } as const;

interface Parts {
  readonly before: Controller;
  /** The older release of the twin. @defaultValue `before` */
  readonly mendedBefore?: Controller;
  readonly bug: Controller;
  readonly twin: Controller;
  readonly says: readonly RegExp[];
}

function planted(name: string, { before, mendedBefore = before, bug, twin, says }: Parts): Planted {
  const operatorOf = (controller: Controller) => defineOperator({ name: 'note-operator', controllers: [controller] });
  const story: ExploreOptions['story'] = ({ apply, change }) => [
    apply(Note({ metadata: { name: 'a' }, spec: { text: 'one' } })),
    change(Note, 'a', { spec: { text: 'three' } }),
    change(Note, 'a', { metadata: { labels: { tier: 'cold' } } }),
  ];
  return {
    name,
    bug: (seeds) => explore({ releases: [operatorOf(before), operatorOf(bug)] }, { story, seeds, name, judges: { fresh: false } }),
    twin: (seeds) => explore({ releases: [operatorOf(mendedBefore), operatorOf(twin)] }, { story, seeds, name, judges: { fresh: false } }),
    says,
  };
}

const byHand = (nameOf: (name: string) => string, former: (name: string) => readonly string[] = () => []) =>
  defineController({
    ...handMade,
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      const name = nameOf(metadata.name);
      const found = configs.get(name);
      if (found === undefined) await configs.create(config(name, spec.text));
      else if (found.data?.['text'] !== spec.text) await configs.patch(found, { data: { text: spec.text } });
      for (const old of former(metadata.name)) if (configs.get(old) !== undefined) await configs.delete(old);
      return done();
    },
  });

export const renamedChild: Planted = planted('a child that a release renamed, and left', {
  before: byHand((name) => name),
  mendedBefore: byHand(
    (name) => name,
    (name) => [`${name}-text`],
  ),
  bug: byHand((name) => `${name}-text`),
  twin: byHand(
    (name) => `${name}-text`,
    (name) => [name],
  ),
  says: [/\+ ConfigMap a$|\+ ConfigMap a\n/m, /release 2 takes over/, /release 1 runs first/],
});

const phased = (settled: string, known: readonly string[]) =>
  defineController({
    ...owning,
    reconcile({ object: { metadata, spec, status }, done }) {
      const isKnown = status?.phase === undefined || known.includes(status.phase);
      if (!isKnown) return done();
      return done({ owned: { configs: [config(metadata.name, spec.text)] }, status: { phase: settled } });
    },
  });

export const unknownPhase: Planted = planted('a phase of the newer release that the older one does not know', {
  before: phased('Ready', ['Ready']),
  mendedBefore: phased('Ready', ['Ready', 'Settled']),
  bug: phased('Settled', ['Ready', 'Settled']),
  twin: phased('Settled', ['Ready', 'Settled']),
  says: [/release 1 takes over/, /status\.phase: "Settled"/],
});

const marked = (write: (text: string) => string, read: (mark: string) => string) =>
  defineController({
    ...owning,
    reconcile({ object: { metadata, spec, status }, done }) {
      const before = status?.mark === undefined ? 'none' : read(status.mark);
      return done({
        owned: { configs: [config(metadata.name, before === spec.text ? before : spec.text)] },
        status: { mark: write(spec.text) },
      });
    },
  });
const inJson = (text: string): string => JSON.stringify({ text });
const outOfJson = (mark: string): string => String((JSON.parse(mark) as { readonly text: string }).text);

export const otherFormat: Planted = planted('a mark that a release writes in another format', {
  before: marked(
    (text) => text,
    (mark) => mark,
  ),
  bug: marked(inJson, outOfJson),
  twin: marked(inJson, (mark) => (mark.startsWith('{') ? outOfJson(mark) : mark)),
  says: [/release 2 takes over/],
});

const labelled = (label: string, others: readonly string[] = []) =>
  defineController({
    ...handMade,
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      const isMine = (one: ConfigMap): boolean => [label, ...others].some((key) => one.metadata.labels?.[key] === metadata.name);
      const found = configs.list().find((one) => isMine(one as ConfigMap));
      const name = found?.metadata.name ?? `${metadata.name}-${label}`;
      if (found !== undefined && found.data?.['text'] === spec.text && found.metadata.labels?.[label] === metadata.name) return done();
      if (found !== undefined) await configs.delete(found);
      if (found === undefined) await configs.create(config(name, spec.text, { [label]: metadata.name }));
      return done();
    },
  });

export const otherLabel: Planted = planted('children that a release looks for by another label', {
  before: labelled('of'),
  mendedBefore: labelled('note', ['of']),
  bug: labelled('note'),
  twin: labelled('note', ['of']),
  says: [/\+ ConfigMap a-of/, /release 2 takes over/],
});

const measured = (unit: number, keeps: boolean) =>
  defineController({
    ...owning,
    reconcile({ object: { metadata, spec, status }, done }) {
      const length = (keeps ? status?.length : undefined) ?? spec.text.length * unit;
      return done({ owned: { configs: [config(metadata.name, String(length))] }, status: { length } });
    },
  });

export const otherUnit: Planted = planted('a number that a release keeps in another unit', {
  before: measured(1, false),
  bug: measured(8, true),
  twin: measured(8, false),
  says: [/status\.length/, /release 2 takes over/],
});
