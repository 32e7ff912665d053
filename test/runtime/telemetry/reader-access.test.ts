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

function scene({ token = { authenticated: true, user: PROMETHEUS }, access = { allowed: true } }: Answers = {}) {
  const reviews: Review[] = [];
  const client = {
    create: ({ kind }: { kind: string }, { spec }: { spec: unknown }) => {
      reviews.push({ kind, spec });
      return Promise.resolve({ status: kind === 'TokenReview' ? token : access });
    },
  };
  const reader = new ReaderAccess({ client: client as never, clock: new FakeClock(), log: keptLog().log });
  const judge = async (): Promise<number> => (await reader.judge({ authorization: 'Bearer secret', verb: 'get', path: '/metrics' })).status;
  return { judge, reviews };
}

test('the API server is asked about the whole user: its groups and extra fields grant rights too', async () => {
  const { judge, reviews } = scene();
  expect(await judge()).toBe(200);
  const { username, ...user } = PROMETHEUS;
  expect(reviews).toEqual([
    { kind: 'TokenReview', spec: { token: 'secret' } },
    { kind: 'SubjectAccessReview', spec: { user: username, ...user, nonResourceAttributes: { verb: 'get', path: '/metrics' } } },
  ]);
});

test.each<[string, Answers, number]>([
  ['one authorizer allows and another denies', { access: { allowed: true, denied: true } }, 403],
  ['nobody allows', { access: { allowed: false } }, 403],
  ['the review says nothing', { access: {} }, 403],
  ['the token is of nobody', { token: { authenticated: false, user: PROMETHEUS } }, 401],
  ['the token is of a user without a name', { token: { authenticated: true, user: { username: '' } } }, 401],
  ['the token review says nothing', { token: {} }, 401],
])('%s: refused', async (_name, answers, status) => {
  const { judge } = scene(answers);
  expect(await judge()).toBe(status);
});
