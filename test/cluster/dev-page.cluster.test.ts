import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGE_VARIABLE } from '../../examples/memcached/image.js';
import type { EndedRun } from '../../src/cli/dev/messages.js';
import { eventually } from '../eventually.js';
import { HeadlessBrowser, noBrowser } from './browser/headless-browser.js';

const SAMPLE = `
apiVersion: cache.example.com/v1alpha1
kind: Memcached
metadata: { name: sample, namespace: default }
spec: { size: 3, image: 'memcached:1.6' }
`;

const suite = noBrowser === '' || process.env['CI'] !== undefined ? describe : describe.skip;

suite(`the page of keelson dev in a browser${noBrowser && ` [skipped: ${noBrowser}]`}`, () => {
  let folder: string;
  let sample: string;
  let dev: ChildProcess;
  let output = '';
  let browser: HeadlessBrowser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keelson-dev-page-'));
    sample = join(folder, 'sample.yaml');
    writeFileSync(sample, SAMPLE);
    const operator = 'examples/memcached/memcached-operator.ts';
    const program = [
      '--import',
      'tsx',
      'src/cli/main.ts',
      'dev',
      operator,
      '--run',
      'examples/memcached/operator.ts',
      '-f',
      sample,
      '--page',
    ];
    dev = spawn(process.execPath, program, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [IMAGE_VARIABLE]: 'memcached:1.6' },
    });
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [dev.stdout, dev.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const [found] = /http:\S+\/[\w-]{32}\//.exec(output) ?? [];
          if (found !== undefined) resolve(found);
        });
      dev.once('exit', (code) => reject(new Error(`keelson dev has ended with code ${code}:\n${output}`)));
    });
    browser = await HeadlessBrowser.open(url);
  });
  const starts = (): number => output.split(' is ready after ').length - 1;
  /** Until what it has written makes this true. */
  const until = (isTrue: () => boolean): Promise<true> =>
    eventually(
      async () => isTrue(),
      () => `keelson dev writes it:\n${output}`,
    );
  afterAll(async () => {
    await browser?.close();
    if (dev.exitCode === null) {
      const ended = new Promise((resolve) => dev.once('exit', resolve));
      dev.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('shows the tree of objects with their conditions, and the runs of the one that is chosen', async () => {
    await browser.shows(/ready[\s\S]*Memcached default\/sample[\s\S]*Available=True/);
    await browser.shows(/Deployment default\/sample[\s\S]*ReplicaSet default\/sample[\s\S]*Pod default\/sample/);
    await browser.shows(/memcached, object: success, queued [\d.]+ m?s, ran [\d.]+ m?s/);
    await browser.value("[...document.querySelectorAll('.run')].at(-1).open = true");
    await browser.shows(/brought by[\s\S]*read[\s\S]*wrote[\s\S]*apply Deployment default\/sample/i);
    const widths = await browser.value<readonly number[]>(
      "[...document.querySelectorAll('.ran')].map((bar) => bar.getBoundingClientRect().width)",
    );
    expect(Math.min(...widths)).toBeGreaterThan(1);
    const { KEELSON_SCREENSHOTS: pictures } = process.env;
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      writeFileSync(join(pictures, 'dev-page.png'), await browser.screenshot());
    }
  });

  test('its buttons start and kill the operator, and disturb it', async () => {
    await browser.click('disturb');
    await until(() => output.includes('requests fail now and then'));
    await browser.shown("document.querySelector('[data-action=disturb][aria-pressed=true]') !== null");
    await browser.click('disturb');
    for (const button of ['kill here', 'start again']) {
      const before = starts();
      await browser.click(button);
      await until(() => starts() === before + 1);
      await browser.shown("state.phase === 'ready'");
    }
  });

  test('one object runs again without a start of the operator; its watch events and the calls of webhooks for it are shown', async () => {
    await browser.value("select('Memcached default/sample')");
    await browser.shown("state.phase === 'ready'");
    const before = starts();
    await browser.click('run again');
    await until(() => output.includes('Memcached default/sample is run again'));
    await browser.shows(/memcached, [^\n]*enqueued: success/);
    expect(starts()).toBe(before);
    await browser.shows(/webhook calls[\s\S]*validating\.memcacheds\.cache\.example\.com CREATE of \S+: allowed after [\d.]+ m?s/i);
    await browser.shows(/watch events[\s\S]*modified version \d+/i);
    // Its Deployment has no controller, and no button.
    await browser.value("select('Deployment default/sample')");
    await browser.shown("document.querySelector('.again') === null");
    await browser.value("select('Memcached default/sample')");
  });

  test('watches that are held back leave the operator with old objects, until they are let go', async () => {
    await browser.click('stale here');
    await until(() => output.includes('watches are held back'));
    await browser.shown("document.querySelector('[data-action=stale][aria-pressed=true]') !== null");
    const before = await browser.value<string>('state.version');
    writeFileSync(sample, SAMPLE.replace('size: 3', 'size: 5'));
    await until(() => output.includes('the manifests are applied again'));
    await browser.shown(`state.version !== '${before}'`);
    const released = Date.now();
    await browser.click('stale here');
    await browser.shown("state.objects.filter(({ name }) => name.startsWith('Pod ')).length === 5");
    const runs = await browser.value<readonly EndedRun[]>("ask('runs?of=Memcached%20default/sample')");
    const scaling = runs.find(({ writes }) => writes.some(({ changes }) => changes.includes('spec.replicas: 3 → 5')));
    expect(Date.parse(scaling?.startedAt ?? '')).toBeGreaterThanOrEqual(released);
  });

  test('the time moves forward for the server and the operator, also for one that starts later', async () => {
    const hour = 3_600_000;
    await browser.value("byId('leap-ms').value = '3600000'");
    await browser.click('time forward');
    await until(() => output.includes('the time has moved on by 60m'));
    await browser.shows(/time: 1\.0 h ahead/);
    const newest = async (): Promise<EndedRun | undefined> =>
      (await browser.value<readonly EndedRun[]>("ask('runs?of=Memcached%20default/sample')")).at(-1);
    const isAhead = async (): Promise<boolean> => Date.parse((await newest())?.startedAt ?? '') > Date.now() + hour / 2;
    const again = async (): Promise<void> => {
      const before = await newest();
      await browser.click('run again');
      await browser.shown(`ask('runs?of=Memcached%20default/sample').then((runs) => runs.at(-1).id !== ${JSON.stringify(before?.id)})`);
    };
    await again();
    expect(await isAhead()).toBe(true);
    const before = starts();
    await browser.click('start again');
    await until(() => starts() === before + 1);
    await browser.shown("state.phase === 'ready'");
    await again();
    expect(await isAhead()).toBe(true);
    const { KEELSON_SCREENSHOTS: pictures } = process.env;
    if (pictures !== undefined) writeFileSync(join(pictures, 'dev-page-after.png'), await browser.screenshot());
  });

  test('its policy lets its own code run and refuses all else; it asks nobody else', async () => {
    expect(browser.complaints).toEqual([]);
    const origin = await browser.value<string>('location.origin');
    expect(browser.asked.length).toBeGreaterThan(3);
    expect(browser.asked.filter((url) => !url.startsWith(`${origin}/`) && url !== 'about:blank')).toEqual([]);
    await browser.value("document.body.append(Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = true' }))");
    expect(await browser.value<string>('typeof globalThis.ran')).toBe('undefined');
    expect(await browser.value<boolean>("fetch('http://127.0.0.1:1/').then(() => true, () => false)")).toBe(false);
    expect(browser.complaints.join('\n')).toMatch(/script-src[\s\S]*connect-src/);
  });
});
