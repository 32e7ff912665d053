import { seriesOf, shown, table } from '../statistics.js';
import { HostedServer, type StartFigures } from './servers.js';

interface Case {
  readonly protocol: 'http' | 'https';
  readonly mode: 'cluster' | 'envtest';
}

const CASES: readonly Case[] = [
  { protocol: 'http', mode: 'cluster' },
  { protocol: 'https', mode: 'cluster' },
  { protocol: 'http', mode: 'envtest' },
];

/** How long it takes until a server in a fresh process answers. */
export async function benchStart(module: string, rounds: number): Promise<string> {
  const figures = new Map<Case, StartFigures[]>(CASES.map((one) => [one, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const one of CASES) {
      const server = await HostedServer.start(module, one.protocol, { mode: one.mode });
      figures.get(one)?.push(server.figures);
      await server.close();
    }
  }
  const rows = CASES.map((one) => {
    const all = figures.get(one) ?? [];
    const cell = (of: (figure: StartFigures) => number): string[] => {
      const { min, median } = seriesOf(all.map(of));
      return [shown(min), shown(median)];
    };
    return [
      `${one.protocol}, mode ${one.mode}`,
      ...cell(({ importMs }) => importMs),
      ...cell(({ startMs }) => startMs),
      ...cell(({ startCpuMs }) => startCpuMs),
    ];
  });
  return table(['server', 'import ms: min', 'median', 'start ms: min', 'median', 'start, CPU ms: min', 'median'], rows);
}
