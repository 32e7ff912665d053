import { bootstrapPolicyTexts } from '../../imports/bootstrap-policy.js';
import { type PolicyObject, readPolicy } from '../../scripts/generate-bootstrap-policy/index.js';
import { describeCluster, SharedCluster } from './harness/index.js';

/** A server without controllers: nobody has written to its policy. */
describeCluster('bootstrap policy', () => {
  let cluster: SharedCluster;
  beforeAll(() => {
    cluster = SharedCluster.take('bare');
  });
  afterAll(() => cluster?.stop());

  test('is what a real server makes at its start', async () => {
    const real = await readPolicy((path) => cluster.must('GET', path));
    expect(bootstrapPolicyTexts().map((text) => JSON.parse(text) as PolicyObject)).toEqual(real);
    expect(real.length).toBeGreaterThan(100);
  });
});
