import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { DEADLINE_MS } from '../../deadline.cjs';
import { eventually } from '../../eventually.js';

/** Where Debian's package puts it. */
const PROGRAM = '/usr/bin/chromium';

/** Empty: there is a browser. */
export const noBrowser: string = existsSync(PROGRAM) ? '' : 'chromium is not installed; run npx tsx scripts/cluster/prepare-packages.ts';

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: object;
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/** Debian's chromium without a screen, with one page. It is driven by the DevTools protocol over a pipe, so that no port is open. */
export class HeadlessBrowser {
  /** Addresses that the page has asked for. */
  readonly asked: string[] = [];
  /** What the browser has complained about: refusals by the policy, exceptions, warnings. */
  readonly complaints: string[] = [];
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #session: string | undefined;
  #calls = 0;

  private constructor() {
    this.#profile = mkdtempSync(join(tmpdir(), 'keelson-browser-'));
    const flags = [
      '--headless=new',
      '--remote-debugging-pipe',
      '--no-first-run',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--hide-scrollbars',
    ];
    // It refuses root its sandbox; the only page is ours.
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    this.#child = spawn(PROGRAM, [...flags, ...sandbox, '--window-size=1200,800', `--user-data-dir=${this.#profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let rest = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#heard(JSON.parse(message) as Reply);
    });
  }

  static async open(url: string): Promise<HeadlessBrowser> {
    const browser = new HeadlessBrowser();
    const { targetId } = await browser.call<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.call<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    browser.#session = sessionId;
    for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await browser.call(`${domain}.enable`);
    await browser.call('Page.navigate', { url });
    return browser;
  }

  call<T extends object>(method: string, params: object = {}): Promise<T> {
    this.#calls += 1;
    const id = this.#calls;
    const message = { id, method, params, ...(this.#session === undefined ? {} : { sessionId: this.#session }) };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: the browser does not answer`)), DEADLINE_MS);
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result as T);
        else reject(new Error(`${method}: ${error.message}`));
      });
      (this.#child.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    });
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.call<{ result: { value: T }; exceptionDetails?: object }>('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  }

  /** Waits until the text of the page holds what is given. */
  async shows(expected: RegExp): Promise<void> {
    await this.shown(`${expected}.test(document.body?.innerText ?? '')`);
  }

  /** Waits until an expression in the page is true. */
  async shown(expression: string): Promise<void> {
    let text = '';
    const isSo = async (): Promise<boolean> => {
      text = await this.value<string>('document.body?.innerText');
      return this.value<boolean>(expression);
    };
    await eventually(isSo, () => `${expression}\n${text}`);
  }

  /** Clicks what a person would: the first button or summary whose text begins so. */
  async click(text: string): Promise<void> {
    const found = await this.value<boolean>(
      `(() => { const found = [...document.querySelectorAll('button, summary')].find((one) => one.textContent.includes(${JSON.stringify(text)}));
        found?.click(); return found !== undefined; })()`,
    );
    if (!found) throw new Error(`there is no button "${text}"`);
  }

  /** A PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.call<{ data: string }>('Page.captureScreenshot');
    return Buffer.from(data, 'base64');
  }

  async close(): Promise<void> {
    const { pid, exitCode } = this.#child;
    if (pid !== undefined && exitCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      // Its group: the processes of its pages with it.
      process.kill(-pid, 'SIGKILL');
      await ended;
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #heard({ id, method, params, ...reply }: Reply): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(reply);
      this.#waiting.delete(id);
    } else if (method === 'Network.requestWillBeSent') this.asked.push((params as { request: { url: string } }).request.url);
    else if (method === 'Log.entryAdded' || method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
  }
}
