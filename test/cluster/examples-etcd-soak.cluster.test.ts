import { findTool } from '../../scripts/cluster/go-tool.js';
import { HANG_MS } from '../deadline.cjs';
import { programsBeside, RealWorld } from './examples-etcd/real-world.js';
import { ProcessScene } from './examples-etcd/soak/process-scene.js';
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
        const world = await RealWorld.open(programsBeside(real.connection.kubectl, older.found ? older.path : ''));
        try {
          const scene = await ProcessScene.make(world);
          const report = await new Soak({ scene, seed: SEED, again: `KEELSON_SOAK_SEED=${SEED} make soak` }).run(SECONDS);
          process.stdout.write(`soak of ${SECONDS} s, KEELSON_SOAK_SEED=${SEED}: ${report}\n`);
        } finally {
          await world.close();
        }
      },
      SECONDS * 1_000 + HANG_MS,
    );
  });
});
