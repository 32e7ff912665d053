import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const CONTAINERD_SOCKET = '/run/containerd/containerd.sock';

/** Parameters of nsenter, before the command. */
export const enterNode = (initPid: number): readonly string[] => [`--target=${initPid}`, '--net', '--mount', '--pid', '--wd=/', '--'];

/** ctr is containerd's own client. */
export const containerdClient = (...parameters: readonly string[]): readonly string[] => [
  'ctr',
  `--address=${CONTAINERD_SOCKET}`,
  '--namespace=k8s.io',
  ...parameters,
];

/** Runs a command in the namespaces of the node. @throws Error with what it wrote */
export function runInNode(initPid: number, command: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('nsenter', [...enterNode(initPid), ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, problems] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problems += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command.join(' ')} ended with code ${code}: ${problems.trimEnd()}`));
    });
  });
}

/** Asks a program to end that an nsenter of this pid has started: nsenter passes no signal on. */
export function endInNode(pid: number): void {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  if (child !== undefined && child !== '') process.kill(Number(child), 'SIGTERM');
}
