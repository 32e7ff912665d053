import { LoopbackNetwork } from '../../../../../src/api-server/workloads/processes/machine/index.js';

test('servers of one machine have different networks, though both ask for the same', async () => {
  const first = await LoopbackNetwork.take(200);
  const second = await LoopbackNetwork.take(Number(first.prefix.split('.')[1]));
  await Promise.all([first.release(), second.release()]);
  expect(first.prefix).toMatch(/^127\.\d+$/);
  expect(second.prefix).toMatch(/^127\.\d+$/);
  expect(second.prefix).not.toBe(first.prefix);
});
