import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevView } from '../../../src/cli/dev/dev-view.js';
import { Footer } from '../../../src/cli/dev/footer.js';
import { MovingClock } from '../../../src/cli/dev/moving-clock.js';
import { objectTable, stateOf } from '../../../src/cli/dev/object-table.js';
import { projectModules } from '../../../src/cli/dev/project-modules.js';
import { watchSources } from '../../../src/cli/dev/source-files.js';
import type { KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import { runIn } from '../commands.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-cli-dev-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const NOW = new Date('2026-05-01T12:00:00Z');

function memcached(name: string, conditions?: readonly object[], metadata: object = {}): KubernetesObject {
  return {
    apiVersion: 'cache.example.com/v1',
    kind: 'Memcached',
    metadata: { name, namespace: 'shop', creationTimestamp: '2026-05-01T11:58:00Z', ...metadata },
    ...(conditions === undefined ? {} : { status: { conditions } }),
  } as KubernetesObject;
}

const WAITING = { type: 'Ready', status: 'False', reason: 'WaitingForPods', message: '1 of 3 Pods\nis ready' };

describe('the table of objects', () => {
  test('shows each object with its age, the condition that sums it up, and the message on one line', () => {
    const objects = [
      memcached('a', [{ type: 'Other', status: 'True' }, WAITING]),
      memcached('main', [{ type: 'Available', status: 'True' }]),
      memcached('new'),
    ];
    expect(objectTable(objects, { now: NOW, filter: '', rows: 10 })).toEqual([
      '  Memcached shop/a       2m  Ready=False WaitingForPods  1 of 3 Pods is ready',
      '  Memcached shop/main    2m  Available=True',
      '  Memcached shop/new     2m  no condition yet',
    ]);
  });

  test('is cut to its rows, and filtered by any text of a row', () => {
    const objects = ['a', 'b', 'c'].map((name) => memcached(name, name === 'b' ? [WAITING] : undefined));
    expect(objectTable(objects, { now: NOW, filter: '', rows: 2 }).at(-1)).toBe('  ... and 1 more');
    expect(objectTable(objects, { now: NOW, filter: 'waitingforpods', rows: 2 })).toHaveLength(1);
  });

  test('says when an object ran last, why, and how it ended', () => {
    const run = {
      kind: 'Memcached',
      object: 'shop/a',
      startedAt: '2026-05-01T11:59:57Z',
      triggers: [{ cause: 'changed' }, { cause: 'owned' }, { cause: 'owned' }],
      outcome: { result: 'success', tookMs: 12.4 },
    };
    const table = objectTable([memcached('a'), memcached('b', [WAITING])], {
      now: NOW,
      filter: '',
      rows: 5,
      runs: new Map([['Memcached shop/a', run as never]]),
    });
    expect(table).toEqual([
      '  Memcached shop/a    2m  no condition yet            3s ago, 12 ms, changed and owned: success',
      '  Memcached shop/b    2m  Ready=False WaitingForPods                                             1 of 3 Pods is ready',
    ]);
  });

  test('an object that is being deleted says so; a text of an object cannot move the cursor', () => {
    expect(stateOf(memcached('a', [WAITING], { deletionTimestamp: '2026-05-01T11:59:00Z' }))).toBe(
      'being deleted, Ready=False WaitingForPods: 1 of 3 Pods is ready',
    );
    expect(stateOf(memcached('a', [{ ...WAITING, message: '\u001B[2Jgone' }]))).toBe('Ready=False WaitingForPods: \\u001b[2Jgone');
  });
});

describe('the footer', () => {
  const written = (columns: number, rows: number): { footer: Footer; text: () => string } => {
    let text = '';
    const terminal = {
      ...TERMINAL,
      out: (more: string) => {
        text += more;
      },
      screen: { columns: () => columns, rows: () => rows, onKey: () => () => undefined },
    };
    return { footer: new Footer(terminal), text: () => text };
  };

  test('is erased before a line of the log, and drawn again below it', () => {
    const { footer, text } = written(80, 24);
    footer.show(['one', 'two']);
    footer.write('log\n');
    expect(text()).toBe('one\ntwo\n\r\u001B[2A\u001B[Jlog\none\ntwo\n');
  });

  test('is cut to the screen, and not drawn again without a change', () => {
    const { footer, text } = written(4, 2);
    footer.show(['wider than it', 'second']);
    footer.show(['wider than it', 'second']);
    expect(text()).toBe('wid\n');
  });
});

describe('the keys of the table', () => {
  const MEMCACHED = {
    group: 'cache.example.com',
    version: 'v1',
    kind: 'Memcached',
    plural: 'memcacheds',
    scope: 'Namespaced',
    subresources: [],
  } as const;

  /** A view of two objects, with what its actions were called with. */
  async function view(
    isReady = true,
  ): Promise<{ readonly press: (keys: string) => string; readonly done: unknown[]; readonly close: () => void }> {
    let press: (key: string) => void = () => undefined;
    let text = '';
    let hasListed: () => void = () => undefined;
    const listed = new Promise<void>((resolve) => {
      hasListed = resolve;
    });
    const done: unknown[] = [];
    const objects = [memcached('a', [WAITING]), memcached('b')];
    const shown = new DevView(
      {
        ...TERMINAL,
        out: (more: string) => {
          text += more;
          if (more.includes('objects: 2')) hasListed();
        },
        screen: {
          columns: () => 200,
          rows: () => 40,
          onKey: (listener) => {
            press = listener;
            return () => undefined;
          },
        },
      },
      {
        cluster: { revision: 1, disturbances: undefined, time: undefined, objectsOf: async () => objects } as never,
        session: { phase: 'ready', kinds: [MEMCACHED], reconciled: [MEMCACHED] },
      },
      {
        restart: (how) => done.push(how),
        runAgain: (targets) => {
          done.push(targets.map(({ group, kind, object }) => [group, kind, object].join(' ')));
          return isReady;
        },
        quit: () => done.push('quit'),
      },
    );
    await listed;
    const said = (keys: string): string => {
      text = '';
      for (const key of keys) press(key);
      return text;
    };
    return { press: said, done, close: () => shown.close() };
  }

  test('r runs the objects that the filter leaves, s starts the operator again', async () => {
    const { press, done, close } = await view();
    expect(press('r')).toContain('keelson dev: 2 objects are run again\n');
    expect(press('/waiting\rr')).toContain('keelson dev: Memcached shop/a is run again\n');
    expect(press('/x\rr')).toContain('keelson dev: no object to run again has waitingx in its row\n');
    press('skq');
    expect(done).toEqual([
      ['cache.example.com Memcached shop/a', 'cache.example.com Memcached shop/b'],
      ['cache.example.com Memcached shop/a'],
      'gently',
      'kill',
      'quit',
    ]);
    expect(press('d')).toContain('only the API server of keelson dev itself can be disturbed');
    close();
  });

  test('an operator that is not ready runs nothing, and the line says so', async () => {
    const { press, close } = await view(false);
    expect(press('r')).toContain('the operator is not ready: nothing is run again');
    close();
  });
});

describe('a time that can be moved', () => {
  test('a leap fires each timer that falls due once, in their order and at the new time; the others come earlier', () => {
    const clock = new MovingClock(0, { keepsAlive: false });
    const fired: string[] = [];
    const cancels = [
      clock.schedule(50_000_000, () => fired.push('late')),
      clock.schedule(7_200_000, () => {
        fired.push(`hour 2 at ${Math.floor((clock.now().getTime() - start) / 3_600_000)}`);
        cancels[2]?.();
      }),
      clock.schedule(8_000_000, () => fired.push('taken back by the one before')),
      clock.schedule(3_600_000, () => {
        fired.push('hour 1');
        cancels.push(clock.schedule(1_000_000, () => fired.push('set while it leaps')));
      }),
    ];
    const start = Date.now();
    clock.forward(10_800_000);
    expect(fired).toEqual(['hour 1', 'hour 2 at 3']);
    expect(clock.offsetMs).toBe(10_800_000);
    clock.forward(40_000_000);
    expect(fired).toEqual(['hour 1', 'hour 2 at 3', 'set while it leaps', 'late']);
    for (const cancel of cancels) cancel();
  });

  test('it begins where the session is, and runs on with the machine', async () => {
    const clock = new MovingClock(86_400_000, { keepsAlive: true });
    expect(clock.wallMs() - Date.now()).toBeGreaterThan(86_390_000);
    const before = clock.monotonicMs();
    await new Promise<void>((resolve) => clock.schedule(1, resolve));
    expect(clock.monotonicMs()).toBeGreaterThan(before);
  });
});

const TERMINAL = {
  directory: '',
  program: '',
  out: () => undefined,
  error: () => undefined,
  readInput: async () => '',
  interrupted: () => new Promise<string>(() => undefined),
};

const failure = async (...args: readonly string[]): Promise<{ readonly status: number; readonly error: string }> => {
  const { status, error } = await runIn(directory, ['dev', ...args]);
  return { status, error };
};

describe('a wrong command line', () => {
  test.each([
    [[], 'keelson dev: there is no src/operator.ts here; name the module that exports the operator: keelson dev path/to/operator.ts'],
    [['app.ts'], 'keelson dev: app.ts: there is no such file'],
    [['a.js', 'b.js'], 'keelson dev: one operator is expected, got a.js b.js'],
    [['operator.js', '--run', 'main.js'], 'keelson dev: --run main.js: there is no such file'],
    [
      ['operator.js', '--port', '99999'],
      'keelson dev: --port 99999: is not a port; give a number up to 65535, or 0 for any port that is free',
    ],
    [['operator.js', '--containers', 'none.js'], 'keelson dev: --containers none.js: cannot be loaded:'],
    [['operator.ts'], 'keelson dev: tsx, which loads TypeScript, is not installed here; run npm install --save-dev tsx'],
  ])('%j', async (args, message) => {
    for (const name of ['operator.js', 'operator.ts']) writeFileSync(join(directory, name), '');
    const { status, error } = await failure(...args);
    expect(error).toContain(message);
    expect(status).toBe(2);
  });

  test('a manifest that cannot be read is named, and nothing is started', async () => {
    writeFileSync(join(directory, 'operator.js'), '');
    expect(await failure('operator.js', '-f', 'none.yaml')).toEqual({
      status: 1,
      error: expect.stringContaining('none.yaml: there is no such file or folder'),
    });
  });
});

test('the entry point beside the operator is found; JavaScript needs no loader', () => {
  mkdirSync(join(directory, 'src'));
  for (const name of ['operator.js', 'run.js']) writeFileSync(join(directory, 'src', name), '');
  expect(projectModules({ operator: 'src/operator.js', run: undefined }, directory)).toEqual({
    operator: join(directory, 'src/operator.js'),
    run: join(directory, 'src/run.js'),
    loader: [],
  });
});

test('a source that is saved again as soon as its change was heard is heard again', async () => {
  const source = join(directory, 'a.ts');
  writeFileSync(source, '0');
  let onHeard: () => void = () => undefined;
  const watching = await watchSources([directory], () => onHeard());
  try {
    for (let round = 0; round < 5; round += 1)
      await new Promise<void>((resolve) => {
        onHeard = () => {
          onHeard = resolve;
          writeFileSync(source, `${round} again`);
        };
        writeFileSync(source, `${round}`);
      });
  } finally {
    await watching.close();
  }
});

test('a change of a source is heard once, in new folders too; packages and output are left out', async () => {
  for (const folder of ['src', 'node_modules', 'dist']) mkdirSync(join(directory, folder));
  const heard: string[] = [];
  let onHeard: () => void = () => undefined;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      onHeard = resolve;
    });
  const watching = await watchSources([directory], (path) => {
    heard.push(path);
    onHeard();
  });
  try {
    const first = next();
    for (const file of ['node_modules/a.js', 'dist/b.yaml', 'src/notes.txt', '.env.json']) writeFileSync(join(directory, file), '1');
    mkdirSync(join(directory, 'src/deep'));
    writeFileSync(join(directory, 'src/deep/a.ts'), '1');
    await first;
    const second = next();
    writeFileSync(join(directory, 'src/b.ts'), '1');
    await second;
    expect(heard.map((path) => path.replace(/.*keelson-cli-dev-\w+\//, ''))).toEqual(['src/deep/a.ts', 'src/b.ts']);
  } finally {
    await watching.close();
  }
});
