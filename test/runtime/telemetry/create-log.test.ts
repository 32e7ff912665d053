import * as fc from 'fast-check';
import { createLog, type LogOptions } from '../../../src/runtime/telemetry/index.js';
import { FakeClock } from '../clock/fake-clock.js';

async function logged(act: (log: Awaited<ReturnType<typeof createLog>>) => void, options: LogOptions = {}): Promise<string[]> {
  const lines: string[] = [];
  const log = await createLog({ clock: new FakeClock(), write: (line) => void lines.push(line), ...options });
  act(log);
  return lines;
}

async function oneLine(fields: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const [line = ''] = await logged((log) => log.info('told', fields));
  return JSON.parse(line) as Record<string, unknown>;
}

describe('a line', () => {
  test('is JSON with level, time, message and fields', async () => {
    const lines = await logged((log) => log.warn('50 %s of it', { count: 3n, at: new Date(0), none: undefined }));
    expect(lines).toEqual([
      '{"level":"warn","time":"2030-01-01T00:00:00.000Z","count":"3","at":"1970-01-01T00:00:00.000Z","msg":"50 %s of it"}\n',
    ]);
  });

  test('has the fields of the log that it comes from, each once, the nearest winning', async () => {
    const lines = await logged((log) => {
      const child = log.child({ controller: 'website', object: { namespace: 'b', name: 'a' } }).child({ reconcileID: '1' });
      child.info('told', { controller: 'another', level: 'no', msg: 'no', time: 'no' });
    });
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: '2030-01-01T00:00:00.000Z',
      controller: 'another',
      object: { namespace: 'b', name: 'a' },
      reconcileID: '1',
      level_: 'no',
      msg_: 'no',
      time_: 'no',
      msg: 'told',
    });
    expect(lines[0]?.match(/"controller"/g)).toHaveLength(1);
  });

  test('is written from the level on', async () => {
    const act: Parameters<typeof logged>[0] = (log) => {
      for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const) log[level](level);
    };
    const levels = async (level: LogOptions['level']): Promise<string[]> =>
      (await logged(act, { level })).map((line) => (JSON.parse(line) as { level: string }).level);
    expect(await levels(undefined)).toEqual(['info', 'warn', 'error', 'fatal']);
    expect(await levels('trace')).toEqual(['debug', 'info', 'warn', 'error', 'fatal']);
    expect(await levels('error')).toEqual(['error', 'fatal']);
    expect(await levels('fatal')).toEqual(['fatal']);
  });
});

describe('an error', () => {
  test('shows its stack, what it is, and its causes', async () => {
    const root = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', response: { body: 'long' } });
    const error = new TypeError('cannot be read', { cause: root });
    const line = await oneLine({ error });
    expect(line['error']).toEqual({
      type: 'TypeError',
      message: 'cannot be read',
      stack: expect.stringContaining('create-log.test') as string,
      cause: { type: 'Error', message: 'refused', code: 'ECONNREFUSED', stack: expect.any(String) as string },
    });
  });

  test('of several errors shows them; a chain that bites its tail ends', async () => {
    const error = new AggregateError([new Error('one'), 'two'], 'both');
    error.cause = error;
    const { error: shown } = (await oneLine({ error })) as { error: { errors: unknown[]; cause: unknown } };
    expect(shown.errors).toEqual([expect.objectContaining({ message: 'one' }), 'two']);
    expect(shown.cause).toBe('[circular]');
  });
});

describe('what must not be read', () => {
  const jwt = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJtZSIsImlzcyI6ImEifQ.c2lnbmF0dXJl';
  const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEI\n-----END EC PRIVATE KEY-----';
  const password = 'hunter2hunter2';

  test.each([
    ['a header', { headers: { authorization: password, Cookie: password } }],
    ['fields named so', { token: password, bearerToken: password, 'client-key-data': password, clientSecret: password, apiKey: password }],
    ['passwords', { db: [{ password }, { passwd: password }] }],
    [
      'a Secret',
      { object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: password }, stringData: { a: password } } },
    ],
    ['a Secret without metadata', { object: { kind: 'Secret', data: { a: password } }, other: { stringData: { a: password } } }],
    ['an item of a list of Secrets', { items: [{ metadata: { name: 's' }, type: 'Opaque', data: { a: password } }] }],
    [
      'names of Secrets and of credentials',
      { secret: password, credentials: { user: 'me', key: password }, dbSecret: password, secretKey: password },
    ],
    [
      'more names',
      { jwt: password, pwd: password, auth: password, AWS_SECRET_ACCESS_KEY: password, 'X-Api-Key': password, pgPassword: [password] },
    ],
    ['files of a Secret', { data: { 'tls.key': password, id_rsa: password, '.dockerconfigjson': password } }],
    ['assignments in texts', { note: `PGPASSWORD=${password} --db-password=${password}; secret='${password}' "token": "${password}"` }],
    ['headers in texts', { note: `X-Api-Key: ${password}`, other: `password: ${password}, x` }],
    [
      'JSON in texts',
      { note: `{"secretKey":"${password}"}`, nested: JSON.stringify(JSON.stringify({ clientSecret: password, other: 1 })) },
    ],
    ['a value that an API server refuses', { note: `spec.password: Invalid value: "${password}": must be longer` }],
    ['a bearer token in a text', { note: `sent Authorization: Bearer ${password}.x` }],
    ['a JSON web token', { note: `was ${jwt}`, error: new Error(`with ${jwt}`, { cause: `${jwt}` }) }],
    ['a private key', { note: key }],
    ['a private key that is cut', { note: `${' '.repeat(8_000)}${key.replace('MHcCAQEEI', 'MHcCAQEEI'.repeat(100))}` }],
    ['a password in a URL', { url: `https://me:${password}@example.com/x`, parsed: new URL(`https://me:${password}@example.com/x`) }],
    [
      'variables of a container',
      {
        env: ['DB_PASSWORD', 'MYSQL_ROOT_PASSWORD', 'API_TOKEN'].map((name) => ({ name, value: password })),
        header: { value: password, name: 'Cookie' },
      },
    ],
    [
      'arguments of a container',
      { args: ['--password', password, `--db-password=${password}`, '-token', password, `--password ${password}`] },
    ],
    ['a block of YAML', { values: `db:\n  password: |\n    ${password}\n` }],
    ['bytes', { body: Buffer.from(password), more: new Uint8Array(Buffer.from(password)) }],
    ['harmless words in quotes, with more, or behind =', { note: `password: "none${password}" pwd: none-${password} pwd=${password}` }],
  ])('is left out: %s', async (_, fields) => {
    const line = JSON.stringify(await oneLine(fields));
    for (const secret of [password, jwt.slice(20, 40), 'MHcCAQEEI', Buffer.from(password).toString('base64')])
      expect(line).not.toContain(secret);
  });

  test.each([
    ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['GitHub', `ghp_${'a1B2'.repeat(9)}`],
    ['GitLab', `glpat-${'a1B2'.repeat(5)}`],
    ['Slack', `xoxb-${'1234567890'.repeat(3)}`],
    ['Google', `AIza${'a1B2_'.repeat(7)}`],
    ['a private key in base64', Buffer.from(key).toString('base64')],
  ])('a token of %s is known by how it begins', async (_, token) => {
    expect(JSON.stringify(await oneLine({ note: `refused ${token}, url=https://x/${token}?a=${token}` }))).not.toContain(token);
  });

  test('sentences about credentials stay', async () => {
    const notes = [
      'token: expired',
      'secret: not found',
      'spec.password: Required value: say one',
      'secrets "tls" is forbidden: no access',
      'auth: no such host',
      'caSecret: there, serverSecret: missing; kubeconfig: none.',
      'db.password: unset',
      `certificate ${Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64')}`,
    ];
    for (const note of notes) expect(await oneLine({ note })).toMatchObject({ note });
  });

  test('variables and arguments of a container stay where they are no credentials', async () => {
    const fields = {
      env: [
        { name: 'COLOR', value: 'blue' },
        { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'pass' } } },
      ],
      args: ['--user', 'me', '--password', '--verbose', '--password'],
    };
    expect(await oneLine(fields)).toMatchObject(fields);
  });

  test('an entry whose name cannot be read shows no value', async () => {
    const entry = { value: password };
    Object.defineProperty(entry, 'name', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(await oneLine({ entry })).toMatchObject({ entry: { value: '[hidden]', name: '[unreadable: Error: no]' } });
  });

  test('a word is harmless as a whole, after a colon and without quotes', async () => {
    const { note } = await oneLine({ note: 'password: nonesuch, pwd: "none", passwd=none, dbSecret: There, kubeconfig: none/of-it' });
    expect(note).toBe('password: [hidden], pwd: "[hidden]", passwd=[hidden], dbSecret: [hidden], kubeconfig: [hidden]');
  });

  test('and what only sounds like it stays', async () => {
    const fields = {
      secretName: 'my-secret',
      secretRef: 'a',
      key: 'default/a',
      namespace: 'tokens',
      tokens: 3,
      keys: ['a'],
      author: 'me',
      auth: true,
    };
    expect(await oneLine(fields)).toMatchObject(fields);
  });

  test('is left out of messages and of fields bound to a log', async () => {
    const lines = await logged((log) => log.child({ token: password }).error(`refused: bearer ${password}`));
    expect(lines.join('')).not.toContain(password);
  });
});

describe('bounds', () => {
  test('objects of Kubernetes are told by reference', async () => {
    const metadata = { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '7', labels: { long: 'x' } };
    const { object } = await oneLine({ object: { apiVersion: 'v1', kind: 'Pod', metadata, spec: {} } });
    expect(object).toEqual({ apiVersion: 'v1', kind: 'Pod', name: 'a', namespace: 'b', uid: 'u', resourceVersion: '7' });
  });

  test('a line is bounded, whatever it is given', async () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, 'x'.repeat(100)]));
    const deep: Record<string, unknown> = {};
    let at = deep;
    for (let index = 0; index < 10_000; index += 1) at = at['deeper'] = {};
    const bushy = (depth: number): unknown => (depth === 0 ? 'leaf' : Array.from({ length: 50 }, () => bushy(depth - 1)));
    const lines = await logged((log) => log.info('x'.repeat(1e6), { wide, deep, text: 'y'.repeat(1e6), bushy: bushy(3) }));
    expect(lines[0]?.length).toBeLessThan(250_000);
    expect(lines[0]).toContain('9900 more');
  });

  test('no field makes the log throw, and every line stays JSON', async () => {
    const hostile = {
      get bad() {
        throw new Error('no');
      },
      revoked: revokedProxy(),
      toJSON: () => {
        throw new Error('never');
      },
    };
    const lines = await logged((log) => {
      log.info('told', hostile);
      log.info('told', { nested: hostile, symbol: Symbol('s'), run: () => {}, map: new Map([[{}, 1]]), odd: Object.create(null) });
      log.info('told', revokedProxy());
    });
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['told', 'told', 'told']);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withMap: true, withSet: true, withNullPrototype: true })),
        fc.string(),
        async (fields, message) => {
          const [line = ''] = await logged((log) => log.error(message, fields));
          expect(line.indexOf('\n')).toBe(line.length - 1);
          expect((JSON.parse(line) as { level: string }).level).toBe('error');
        },
      ),
      { numRuns: 200 },
    );
  });
});

function revokedProxy(): Record<string, unknown> {
  const { proxy, revoke } = Proxy.revocable<Record<string, unknown>>({}, {});
  revoke();
  return proxy;
}

test('people get text: time, level, message, fields, stacks, and no control character of an object', async () => {
  const error = new Error('no\u001B[2J', { cause: new Error('deeper') });
  error.stack = 'Error: no\n    at here';
  (error.cause as Error).stack = 'Error: deeper\n    at there';
  const lines = await logged((log) => log.error('it\nfailed', { object: 'b/a', text: 'two words', bell: '\u0007', tries: 2, error }), {
    format: 'text',
  });
  expect(lines.join('')).toBe(
    [
      '00:00:00.000 ERROR it\\nfailed object=b/a text="two words" bell="\\u0007" tries=2 error="no\\u001b[2J: deeper"',
      '    Error: no',
      '        at here',
      '    caused by Error: deeper',
      '        at there',
      '',
    ].join('\n'),
  );
});
