import { Slots } from '../../../src/runtime/outside/slots.js';
import { flush } from './flush.js';

test('callers beyond the bound wait in the order in which they came', async () => {
  const slots = new Slots(2);
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const come = (name: string): void =>
    void slots.take().then((end) => {
      order.push(name);
      ends.set(name, end);
    });
  for (const name of ['a', 'b', 'c', 'd']) come(name);
  await flush();
  expect(order).toEqual(['a', 'b']);
  ends.get('b')?.();
  await flush();
  expect(order).toEqual(['a', 'b', 'c']);
  // A turn ends once.
  ends.get('b')?.();
  await flush();
  expect(order).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) ends.get(name)?.();
  await flush();
  ends.get('d')?.();
  for (const name of ['e', 'f', 'g']) come(name);
  await flush();
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});
