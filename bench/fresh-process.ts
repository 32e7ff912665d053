import { spawnSync } from 'node:child_process';

export interface FreshProcess {
  /** Arguments for node. */
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs node anew and gives the JSON that it prints: what one process has loaded or compiled must not help the next. */
export function runFresh<T>({ arguments: args, env = {} }: FreshProcess): T {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64_000_000,
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Interleaved rounds over all subjects: what disturbs the machine for a while disturbs all of them. */
export function interleaved<TSubject, T>(rounds: number, subjects: readonly TSubject[], run: (subject: TSubject) => T): Map<TSubject, T[]> {
  const results = new Map<TSubject, T[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round++) for (const subject of subjects) results.get(subject)?.push(run(subject));
  return results;
}
