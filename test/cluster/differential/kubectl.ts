import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEADLINE_MS } from '../../deadline.cjs';
import type { KubectlResult } from '../harness/index.js';

/** A kubectl command, the same for both servers: its arguments by blanks (quotes hold them together), and what it reads. */
export interface Command {
  readonly line: string;
  readonly stdin?: string;
  /**
   * Asked again until there is an answer: the schemas of a definition are published a moment after it is established, and `wait` refuses a definition that has no conditions
   * yet.
   */
  readonly isPublishedLater?: boolean;
  /** It is stopped when it has printed so many lines: `get -w`. */
  readonly stopAfterLines?: number;
  /** Of `explain`: the embedded server has no descriptions of built-in kinds, so that only names and types are compared. */
  readonly withoutProse?: boolean;
}

/** kubectl for one server. Files that commands name are written into a folder of its own. */
export class Kubectl {
  readonly #binary: string;
  readonly #directory: string;

  constructor(binary: string, kubeconfig: string) {
    this.#binary = binary;
    this.#directory = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    this.write('kubeconfig', kubeconfig);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#directory, name), text, { mode: 0o600 });
  }

  run({ line, stdin = '', stopAfterLines }: Command): Promise<KubectlResult> {
    const fixed = ['--kubeconfig=kubeconfig', '--cache-dir=cache'];
    const environment = { HOME: this.#directory, PATH: process.env['PATH'] ?? '', KUBECTL_KUBERC: 'false' };
    return new Promise((resolve, reject) => {
      const child = spawn(this.#binary, [...fixed, ...wordsOf(line)], {
        cwd: this.#directory,
        env: environment,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (stopAfterLines !== undefined && stdout.split('\n').length > stopAfterLines) child.kill('SIGTERM');
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const deadline = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`kubectl ${line} does not end; so far: ${stdout}${stderr}`));
      }, DEADLINE_MS);
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(deadline);
        // Who is stopped may or may not live long enough to say so.
        resolve({ code: stopAfterLines === undefined ? (code ?? -1) : -1, stdout, stderr });
      });
      // One that ends early breaks the pipe; its exit code says more.
      child.stdin.on('error', () => undefined).end(stdin);
    });
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** What a terminal shows, without what two servers cannot agree on. */
export function shownText({ code, stdout, stderr }: KubectlResult, { withoutProse = false }: Pick<Command, 'withoutProse'>): string {
  const text = `exit ${code}\n${withoutProse ? withoutDescriptions(stdout) : stdout}${stderr === '' ? '' : `stderr:\n${stderr}`}`;
  return withoutRepairs(withoutProblems(text))
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, '<server>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, '<time>')
    .replaceAll(/(resource ?version\\*"?: *\\*"?)\d+/gi, '$1<version>')
    .replaceAll(/\b(?:\d+(?:ms|s|m|h))+(?=\s|$)/gm, '<age>')
    .replaceAll(/ey[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/\b10\.0\.0\.\d+ */g, '<address> ')
    .replaceAll(/\S*\/(LIVE|MERGED)-\d+(\S*)(?:\t.*)?/g, '$1$2')
    .replaceAll(/^([WE])\d{4} [\d:.]+ +\d+ /gm, '$1 ')
    .replaceAll(/^Warning: .* the in-process API server of keelson .*\n/gm, '')
    .replaceAll(/<age> +/g, '<age> ')
    .replaceAll(/ +$/gm, '')
    .replace(/stderr:\n$/, '');
}

/** Names, types and enums of `explain`. */
function withoutDescriptions(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^(?:KIND|GROUP|VERSION|FIELD):|^ *(?:\w+\t<|enum: )/.test(line))
    .join('\n');
}

/** Each server has its own reasons why a part is not healthy: the columns are as wide as they are. A real one lists the two parts in an order of chance. */
function withoutProblems(text: string): string {
  const masked = text.replaceAll(
    /^(?:scheduler|controller-manager) +Unhealthy +(?:Get "https:|this server has no ).*$/gm,
    '<part> Unhealthy <problem>',
  );
  return masked === text ? text : masked.replaceAll(/^(?:NAME +STATUS|etcd-0 +Healthy) .*$/gm, (line) => line.replaceAll(/ +/g, ' '));
}

/**
 * A kube-apiserver whose watch of addresses is behind that of Services repairs what is not broken, and reports it by an event of the Service.
 * Upstream: syncService of repairip.go in k8s.io/kubernetes/pkg/registry/core/service/ipallocator/controller.
 */
function withoutRepairs(text: string): string {
  return text
    .replaceAll(/^.* (?:ip|port)allocator-repair-controller .*\n/gm, '')
    .replaceAll(/^Events:\n +Type +Reason .*\n +---- .*\n(?! )/gm, 'Events: <none>\n')
    .replaceAll(/^Events: +<none>$/gm, 'Events: <none>');
}
