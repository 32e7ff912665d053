import { injectionSuite } from './examples-sidecarset/injection.js';
import { outageSuite } from './examples-sidecarset/outages.js';
import { rightsSuite } from './examples-sidecarset/rights.js';
import { rolloutSuite } from './examples-sidecarset/rollout.js';
import { World } from './examples-sidecarset/world.js';
import { describeCluster } from './harness/index.js';

describeCluster(
  'sidecarset on a real control plane',
  () => {
    let world: World;
    beforeAll(async () => {
      world = await World.start();
    });
    afterAll(() => world?.close());

    describe('new Pods', () => injectionSuite(() => world));
    describe('running Pods', () => rolloutSuite(() => world));
    describe('outages', () => outageSuite(() => world));
    describe('rights', () => rightsSuite(() => world));
  },
  { controllerManager: true },
);
