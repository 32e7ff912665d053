import { Stage } from './stage.js';

test('workloads are refused where there are no controllers', async () => {
  await expect(Stage.start({ nodes: -1 })).rejects.toThrow('workloads.nodes: -1 is not a number of nodes');
  await expect(Stage.start({ readyAfter: 'soon' as never })).rejects.toThrow('workloads.readyAfter: "soon" is not a span of time');
});
