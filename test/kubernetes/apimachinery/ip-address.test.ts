import { isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { ipBytes, ipText, isCidrText, isIPText, isIPv4Mapped } from '../../../src/kubernetes/apimachinery/index.js';

test.each<[string, boolean, readonly number[] | undefined]>([
  ['1.2.3.4', false, [1, 2, 3, 4]],
  ['01.2.3.4', false, undefined],
  ['01.2.3.4', true, [1, 2, 3, 4]],
  ['1.2.3', true, undefined],
  ['256.1.1.1', true, undefined],
  ['0x1.2.3.4', true, undefined],
  ['::1', false, [...Array(15).fill(0), 1]],
  ['::ffff:1.2.3.4', false, [...Array(10).fill(0), 0xff, 0xff, 1, 2, 3, 4]],
  ['1:2:3:4:5:6:7::', false, [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
  ['1:2:3:4:5:6:7:8::', false, undefined],
  ['1::2::3', false, undefined],
  ['::1.2.3.4:5', false, undefined],
  ['1.2.3.4::', false, undefined],
  ['fe80::1%eth0', false, undefined],
  ['', false, undefined],
])('%s (sloppy: %p) is %j', (text, sloppy, bytes) => {
  expect(ipBytes(text, sloppy)).toEqual(bytes);
});

test('an address and its canonical text are the same bytes, and Node agrees on which texts are addresses', () => {
  const group = fc.oneof(
    fc.constant('0'),
    fc.constant(''),
    fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16)),
    fc.ipV4(),
  );
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(group, { minLength: 1, maxLength: 9 }).map((groups) => groups.join(':')),
  );
  fc.assert(
    fc.property(text, (address) => {
      const bytes = ipBytes(address);
      expect(bytes !== undefined).toBe(isIPv4(address) || isIPv6(address));
      if (bytes !== undefined && !isIPv4Mapped(bytes)) expect(ipBytes(ipText(bytes))).toEqual(bytes);
    }),
    { numRuns: 2_000 },
  );
});

test('canonical IPv6 follows RFC 5952: the longest run of zeros, the first of equals, never one group alone', () => {
  const canonical = (text: string): string => ipText(ipBytes(text) ?? []);
  expect(['2001:DB8:0:0:1:0:0:1', '1:0:2:3:4:5:6:7', '0:0:0:0:0:0:0:0', '1:0:0:2:0:0:0:3'].map(canonical)).toEqual([
    '2001:db8::1:0:0:1',
    '1:0:2:3:4:5:6:7',
    '::',
    '1:0:0:2::3',
  ]);
});

test('a network has a length of its family', () => {
  expect(['10.0.0.0/8', '10.0.0.0/33', '::/128', '::/129', '10.0.0.0', '10.0.0.0/', '10.0.0.0/-1'].map((text) => isCidrText(text))).toEqual(
    [true, false, true, false, false, false, false],
  );
  expect(isIPText('1.2.3.4')).toBe(true);
});
