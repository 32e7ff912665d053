import { findTool } from '../../scripts/cluster/go-tool.js';
import { programsBeside, RealWorld } from './examples-etcd/real-world.js';
import { SOAK_SECONDS as SECONDS, SOAK_SEED as SEED } from './examples-etcd/soak/settings.js';
import { Soak } from './examples-etcd/soak/soak.js';
import { describeCluster } from './harness/index.js';
import { linearizabilityChecker } from './linearizability/index.js';

const older = findTool('etcd-3.5');
if (!older.found && process.env['CI'] !== undefined) throw new Error(older.reason);
const lacking = [older, linearizabilityChecker].find(({ found }) => !found);
const reason = lacking?.found === false ? ` [skipped: ${lacking.reason}]` : '';

(reason === '' ? describe : describe.skip)(`a long life of an etcd cluster${reason}`, () => {
  describeCluster('real members', (real) => {
    test(
      'whatever is killed, stopped or cut off: it heals, nothing acknowledged is lost, and what clients saw is linearizable',
      async () => {
        const lines: string[] = [];
        const world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
        let soak: Soak | undefined;
        try {
          soak = await Soak.start({ world, seed: SEED, report: (line) => lines.push(line) });
          const end = performance.now() + SECONDS * 1_000;
          while (performance.now() < end) await soak.round();
          await soak.finish();
        } catch (error) {
          throw new Error(
            `${error instanceof Error ? error.message : String(error)}\n${lines.join('\n')}\nagain: KEELSON_SOAK_SEED=${SEED} make soak`,
            {
              cause: error,
            },
          );
        } finally {
          await soak?.stop();
          await world.close();
        }
        process.stdout.write(`soak of ${SECONDS} s, KEELSON_SOAK_SEED=${SEED}: ${soak.summary}\n${lines.join('\n')}\n`);
      },
      (SECONDS + 420) * 1_000,
    );
  });
});
