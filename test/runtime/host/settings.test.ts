import { TestCluster } from '@keelson/testing';
import { RUNTIME_DEFAULTS } from '../../../src/keelson/definition/index.js';
import { start } from '../../../src/runtime/host/index.js';
import { connectionTo } from '../harness/connection.js';
import { MemoryLog } from '../harness/running-controller.js';
import { websiteOperator } from '../reconcile/website.js';

test('the log tells which namespaces are watched, and which variables nothing reads', async () => {
  await using cluster = await TestCluster.start({ operator: websiteOperator });
  const connection = connectionTo(cluster);
  const log = new MemoryLog();
  const environment = { POD_NAMESPACE: 'website-operator-system', KEELSON_LOG_LVL: 'debug', KEELSON_PORT: 'tcp://10.0.0.1:443' };
  const settings = { ...RUNTIME_DEFAULTS, watchNamespaces: ['nosuch'], healthPort: 0, metrics: undefined };
  const running = await start(websiteOperator, { connection, log, environment, settings, processMetrics: false });
  await running.stop();
  expect(log.lines.find(({ message }) => message === 'starting')?.fields).toMatchObject({ namespaces: ['nosuch'] });
  expect(log.texts).toContainEqual(
    expect.stringMatching(/^warn nothing reads the environment variables KEELSON_LOG_LVL; known are POD_NAME, .*KEELSON_LOG_LEVEL/),
  );
});

test('a selector that the kinds cannot be selected by is refused before anything is started', async () => {
  const settings = { ...RUNTIME_DEFAULTS, fieldSelector: 'spec.nosuch=a', healthPort: 0, metrics: undefined };
  await expect(start(websiteOperator, { settings, environment: {} })).rejects.toThrow(
    /^fieldSelector 'spec\.nosuch=a': controller \w+: spec\.nosuch is not a selectable field of Website/,
  );
});
