import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mutating } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { FORMS, listOf } from './bodies.js';
import { responseOf, Served, stopAll } from './served.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

afterEach(stopAll);

const BYTES = 100_000;
/** For the text of the body, the shapes of copied objects, and what else the process does. */
const SLACK = 1_500_000;
/**
 * Most measurements. A review may also hold code that is compiled meanwhile, so the least is judged: one copy more would be in each. A collection of older
 * objects hides part of a parsed value, so the most of it is taken. More measurements can only make a failure a success.
 */
const ROUNDS = 4;

function heapUsed(): number {
  // The second collection takes what the first one has only marked.
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

/** Bytes of a value on the heap. */
function parsedBytes(text: string): number {
  const before = heapUsed();
  const value: unknown = JSON.parse(text);
  const bytes = heapUsed() - before;
  // Read after the measurement, so that it lives until then.
  return value === undefined ? 0 : bytes;
}

test.each(Object.entries(FORMS))('while a handler works, a review of %s is held twice: as it came, and as its draft', async (_, piece) => {
  const object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"items":${listOf(piece, BYTES)}}}`;
  const kind = '{"group":"","version":"v1","kind":"ConfigMap"}';
  const request = `{"uid":"1","operation":"CREATE","kind":${kind},"object":${object}}`;
  let held = 0;
  const webhook = mutating(ConfigMap, {
    path: '/draft',
    apply: () => {
      held = heapUsed();
    },
  });
  const served = await Served.start([webhook]);
  let [parsed, grown] = [0, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS && grown >= 2 * parsed + SLACK; round += 1) {
    parsed = Math.max(parsed, parsedBytes(object));
    const before = heapUsed();
    const answer = await served.post('/draft', `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":${request}}`);
    expect(responseOf(answer).allowed).toBe(true);
    grown = Math.min(grown, held - before);
  }
  expect(grown).toBeLessThan(2 * parsed + SLACK);
});
