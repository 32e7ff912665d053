import { ReaderAccess } from '../../../src/runtime/telemetry/reader-access.js';
import { FakeClock } from '../clock/fake-clock.js';
import { keptLog } from './fetching.js';

interface Review {
  readonly kind: string;
  readonly spec: unknown;
}

interface Answers {
  readonly token?: object;
  readonly access?: object;
}

const PROMETHEUS = {
  username: 'system:serviceaccount:monitoring:prometheus',
  uid: 'u-1',
  groups: ['system:serviceaccounts', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/pod-name': ['prometheus-0'] },
};

/** A reader with a token, and what the API server was asked about it. */
function reader({ token = { authenticated: true, user: PROMETHEUS }, access = { allowed: true } }: Answers = {}) {
  const reviews: Review[] = [];
  const client = {
    create: ({ kind }: { kind: string }, { spec }: { spec: unknown }) => {
      reviews.push({ kind, spec });
      return Promise.resolve({ status: kind === 'TokenReview' ? token : access });
    },
  };
  const readers = new ReaderAccess({ client: client as never, clock: new FakeClock(), log: keptLog().log });
  const judge = async (): Promise<number> =>
    (await readers.judge({ authorization: 'Bearer secret', verb: 'get', path: '/metrics' })).status;
  return { judge, reviews };
}

test('the API server is asked about the whole user: its groups and extra fields grant rights too', async () => {
  const { judge, reviews } = reader();
  expect(await judge()).toBe(200);
  const { username, ...user } = PROMETHEUS;
  expect(reviews).toEqual([
    { kind: 'TokenReview', spec: { token: 'secret' } },
    { kind: 'SubjectAccessReview', spec: { user: username, ...user, nonResourceAttributes: { verb: 'get', path: '/metrics' } } },
  ]);
});

test.each<[string, Answers, number]>([
  ['one authorizer allows and another denies', { access: { allowed: true, denied: true } }, 403],
  ['no authorizer allows', { access: { allowed: false } }, 403],
  ['the access review has an empty status', { access: {} }, 403],
  ['the token is not authenticated', { token: { authenticated: false, user: PROMETHEUS } }, 401],
  ['the token is of a user without a name', { token: { authenticated: true, user: { username: '' } } }, 401],
  ['the token is authenticated without a user', { token: { authenticated: true } }, 401],
  ['the token review has an empty status', { token: {} }, 401],
])('refused: %s', async (_name, answers, status) => {
  const { judge } = reader(answers);
  expect(await judge()).toBe(status);
});

/** Reviews of unknown tokens that do not come to an end until the test says so. */
class SlowReviews {
  readonly #waiting: (() => void)[] = [];
  asked = 0;

  readonly client = {
    create: async (_: unknown, review: { spec: { token?: string } }) => {
      const { token } = review.spec;
      if (token === undefined) return { status: { allowed: true } };
      this.asked += 1;
      if (token === 'prometheus') return { status: { authenticated: true, user: { username: 'prometheus' } } };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      return { status: { authenticated: false } };
    },
  };

  end(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

test('made-up tokens crowd out no reader: neither from another address, nor one that was known before', async () => {
  const clock = new FakeClock();
  const reviews = new SlowReviews();
  const access = new ReaderAccess({ client: reviews.client as never, clock, log: keptLog().log });
  const judge = (token: string, source: string) =>
    access.judge({ authorization: `Bearer ${token}`, verb: 'get', path: '/metrics', source });
  expect((await judge('prometheus', 'b')).status).toBe(200);
  const strangers = Array.from({ length: 20 }, (_, index) => judge(`made-up-${index}`, 'a'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(reviews.asked).toBe(4);
  // Remembered; then to be asked about again, from the very address of the attack.
  expect((await judge('prometheus', 'a')).status).toBe(200);
  clock.advance(61_000);
  expect((await judge('prometheus', 'a')).status).toBe(200);
  expect(reviews.asked).toBe(5);
  const others = Array.from({ length: 20 }, (_, index) => judge(`other-${index}`, `c${index}`));
  await new Promise((resolve) => setImmediate(resolve));
  expect(reviews.asked).toBe(12);
  reviews.end();
  const statuses = (await Promise.all([...strangers, ...others])).map(({ status }) => status);
  expect([401, 503].map((wanted) => statuses.filter((status) => status === wanted).length)).toEqual([10, 30]);
});

test('a made-up token is asked about once a minute, and a thousand of them leave known ones remembered', async () => {
  const clock = new FakeClock();
  const reviews = new SlowReviews();
  const access = new ReaderAccess({ client: reviews.client as never, clock, log: keptLog().log });
  const judge = (token: string) => access.judge({ authorization: `Bearer ${token}`, verb: 'get', path: '/metrics', source: 'a' });
  expect((await judge('prometheus')).status).toBe(200);
  for (let index = 0; index < 1_100; index += 1) {
    const answer = judge(`made-up-${index}`);
    await new Promise((resolve) => setImmediate(resolve));
    reviews.end();
    expect((await answer).status).toBe(401);
  }
  expect(reviews.asked).toBe(1_101);
  expect((await judge('made-up-1099')).status).toBe(401);
  expect((await judge('prometheus')).status).toBe(200);
  expect(reviews.asked).toBe(1_101);
});
