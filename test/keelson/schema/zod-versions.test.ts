/** zod's internals drift: the same sources must give the same schemas and problems with the oldest supported zod and with the newest. */
interface Outputs {
  readonly version: string;
  readonly results: Readonly<Record<string, unknown>>;
}

function outputsWith(zodPackage: string): Outputs {
  let outputs: Outputs | undefined;
  jest.isolateModules(() => {
    jest.doMock('zod', () => jest.requireActual(zodPackage));
    outputs = (require('./every-case.js') as { outputs(): Outputs }).outputs();
  });
  if (outputs === undefined) throw new Error(`${zodPackage} was not loaded`);
  return outputs;
}

const oldest = outputsWith('zod-4.3');
const newest = outputsWith('zod');

test('two versions are compared', () => {
  expect(oldest.version).toMatch(/^4\.3\./);
  expect(newest.version).not.toBe(oldest.version);
  expect(Object.keys(oldest.results).length).toBeGreaterThan(200);
});

test.each(Object.keys(newest.results))('%s', (name) => {
  expect(oldest.results[name]).toEqual(newest.results[name]);
});
