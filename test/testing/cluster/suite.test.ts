import { FakeClock } from '@keelson/testing';
import { suiteOn } from '../../cluster/test-cluster/suite.js';

/** The suite that also runs on real servers (`test/cluster/test-cluster.cluster.test.ts`), where there are no binaries. */
describe('over TLS, with controllers', () => {
  suiteOn(() => ({ namespace: 'tested' }));
});

describe('over plain HTTP, without controllers, at a time that stands still', () => {
  suiteOn(() => ({ namespace: 'tested', protocol: 'http', mode: 'envtest', clock: new FakeClock() }));
});
