import { Addresses } from '../../../../src/api-server/workloads/nodes/index.js';

test('an owner keeps its address until it is given back', () => {
  const addresses = new Addresses('10.244');
  expect(['a', 'b', 'a'].map((owner) => addresses.of(owner))).toEqual(['10.244.0.2', '10.244.0.3', '10.244.0.2']);
});

test('an address that was just given back is not at once given to somebody else', () => {
  const addresses = new Addresses('10.244', { last: 4 });
  addresses.of('a');
  addresses.release('a');
  addresses.release('nobody');
  expect(['b', 'c', 'd'].map((owner) => addresses.of(owner))).toEqual(['10.244.0.3', '10.244.0.4', '10.244.0.2']);
});

test('addresses go on behind the first 256', () => {
  const addresses = new Addresses('10.244', { last: 300 });
  const all = Array.from({ length: 299 }, (_, index) => addresses.of(`pod-${index}`));
  expect(new Set(all).size).toBe(299);
  expect(all.slice(253, 256)).toEqual(['10.244.0.255', '10.244.1.0', '10.244.1.1']);
});

test('a network that is full says so, and has room again when one is given back', () => {
  const addresses = new Addresses('10.244', { last: 3 });
  for (const owner of ['a', 'b']) addresses.of(owner);
  expect(() => addresses.of('c')).toThrow('all addresses of 10.244.0.0/16 are taken');
  addresses.release('a');
  expect(addresses.of('c')).toBe('10.244.0.2');
});
