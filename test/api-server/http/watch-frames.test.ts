import type { ApiEvent, Served } from '../../../src/api-server/contract/index.js';
import { CachedFrames } from '../../../src/api-server/http/cached-frames.js';
import { CachedTexts } from '../../../src/api-server/http/cached-texts.js';
import { WatchFrames } from '../../../src/api-server/http/watch-frames.js';
import { fakeCatalog } from './fake-api.js';

const now = () => new Date(0);
const served = fakeCatalog().served('', 'v1', 'configmaps') as Served;
const cm = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', resourceVersion: '7' }, data: { k: 'v' } };
const FORMS = {
  plain: undefined,
  'metadata of v1': { kind: 'PartialObjectMetadata', version: 'v1' },
  'metadata of v1beta1': { kind: 'PartialObjectMetadata', version: 'v1beta1' },
} as const;

/** Watches of one server. */
function watches(): (form: keyof typeof FORMS) => WatchFrames {
  const [frames, texts] = [new CachedFrames(), new CachedTexts()];
  const table = { version: 'v1', includeObject: 'Metadata', now: now() } as const;
  return (form) => {
    const transformation = FORMS[form];
    const media = { format: 'json', isPretty: false, ...(transformation && { transformation }) } as const;
    return new WatchFrames(served, { frames, texts, table, now, media } as ConstructorParameters<typeof WatchFrames>[1]);
  };
}

test.each(Object.keys(FORMS) as (keyof typeof FORMS)[])('two watches of an object send the very same bytes: %s', (form) => {
  const watch = watches();
  const [first, second] = [watch(form), watch(form)];
  const event: ApiEvent = { type: 'MODIFIED', object: cm };
  const frame = first.of(event);
  expect(frame).toBeInstanceOf(Buffer);
  expect(second.of(event)).toBe(frame);
  // The store hands out the object, not the event, again.
  expect(watch(form).of({ ...event })).toBe(frame);
});

test('bytes are shared neither between forms nor between types of events', () => {
  const watch = watches();
  const frames = (['ADDED', 'MODIFIED', 'DELETED'] as const).flatMap((type) =>
    (Object.keys(FORMS) as (keyof typeof FORMS)[]).map((form) => String(watch(form).of({ type, object: cm }))),
  );
  expect(new Set(frames).size).toBe(9);
  for (const frame of frames) expect(JSON.parse(frame)).toMatchObject({ object: { metadata: { name: 'a' } } });
});
