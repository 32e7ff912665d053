import { PendingConversion, withConversions } from '../../../src/api-server/contract/index.js';

test('where nothing has to be waited for the result is there at once', () => {
  expect(withConversions(() => 'done')).toBe('done');
});

test('the question is asked again after each conversion that it waits for', async () => {
  const converted = new Set<string>();
  const asked: string[] = [];
  const attempt = (): string => {
    for (const version of ['v1', 'v2']) {
      asked.push(version);
      if (!converted.has(version)) throw new PendingConversion(async () => void converted.add(version));
    }
    return 'done';
  };
  expect(await withConversions(attempt)).toBe('done');
  expect(asked).toEqual(['v1', 'v1', 'v2', 'v1', 'v2']);
});

test('a conversion that fails, and any other error, is the end', async () => {
  const failing = (): never => {
    throw new PendingConversion(() => Promise.reject(new Error('the webhook is away')));
  };
  await expect(withConversions(failing)).rejects.toThrow('the webhook is away');
  expect(() =>
    withConversions(() => {
      throw new Error('other');
    }),
  ).toThrow('other');
});

test('one of another copy of the package is known by its brand', () => {
  const foreign = Object.create({ [Symbol.for('keelson.PendingConversion')]: true }) as object;
  expect([foreign, new Error('x'), undefined, 'x'].map(PendingConversion.isPendingConversion)).toEqual([true, false, false, false]);
});
