import { fetchedProgram } from './fetched-program.js';

/** Programs that run JavaScript and are not Node, each at one version. */
export const OTHER_RUNTIMES = {
  Bun: { version: '1.4.5', pack: '@oven/bun-linux-x64', path: 'bin/bun', run: [] },
  Deno: {
    version: '2.9.6',
    pack: '@deno/linux-x64-glibc',
    path: 'deno',
    run: ['run', '--quiet', '--allow-all', '--node-modules-dir=manual'],
  },
} as const;

export type OtherRuntime = keyof typeof OTHER_RUNTIMES;

/** The command that runs a file. @throws Error where npm cannot install the program */
export function commandOf(name: OtherRuntime): readonly string[] {
  const { version, pack, path, run } = OTHER_RUNTIMES[name];
  const program = fetchedProgram(`${name.toLowerCase()}-v${version}-linux-x64`, { spec: `${pack}@${version}`, program: `${pack}/${path}` });
  return [program, ...run];
}
