import {
  cidrErrors,
  cidrWarnings,
  endpointIpErrors,
  ipErrors,
  ipWarnings,
} from '../../../../../src/api-server/kinds/builtin/checks/index.js';

/** Behind the place and the value. */
const messages = (errors: readonly { readonly message: string }[]): readonly string[] =>
  errors.map(({ message }) => message.slice(message.indexOf('": ') + 3));

test.each([
  ['10.0.0.1', []],
  ['fd00::1', []],
  ['10.0.0.01', ['must not have leading 0s']],
  ['::ffff:10.0.0.1', ['must not be an IPv4-mapped IPv6 address']],
  ['10.0.0', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
])('an address that programs read in two ways is refused: %j with %j', (text, texts) => {
  expect(messages(ipErrors(text, 'ip'))).toEqual(texts);
});

test.each([
  ['10.0.0.1', []],
  ['fd00::1', []],
  ['10.0.0.01', ['"10.0.0.01" is invalid: use "10.0.0.1"']],
  ['FD00:0::1', ['"FD00:0::1" should be in RFC 5952 canonical format ("fd00::1")']],
])('an old spelling that an object has already is borne with a warning: %j', (text, endings) => {
  const warnings = ipWarnings(text, 'ip');
  expect(warnings).toHaveLength(endings.length);
  for (const [index, ending] of endings.entries()) expect(warnings[index]?.endsWith(ending)).toBe(true);
});

test.each([
  ['10.0.0.0/24', []],
  ['10.0.0.7/24', ['ip: CIDR value "10.0.0.7/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.7/32"?)']],
  ['010.0.0.0/24', ['ip: non-standard CIDR value "010.0.0.0/24" is invalid: use "10.0.0.0/24"']],
  ['FD00::/64', ['ip: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")']],
])('a range that an object has already is borne with a warning if it can be read in two ways: %j', (text, warnings) => {
  expect(cidrWarnings(text, 'ip')).toEqual(warnings);
});

test.each([
  ['10.0.0.0/24', []],
  ['FD00::/64', []],
  ['10.0.0.0/33', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
  ['10.0.0.7/24', ['must not have bits set beyond the prefix length']],
  ['010.0.0.0/24', ['must not have leading 0s in IP or prefix length']],
  ['::ffff:10.0.0.0/120', ['must not have an IPv4-mapped IPv6 address']],
])('a range that programs read in two ways is refused: %j with %j', (text, texts) => {
  expect(messages(cidrErrors(text, 'ip'))).toEqual(texts);
});

test.each([
  ['10.0.0.1', []],
  ['0.0.0.0', ['may not be unspecified (0.0.0.0)']],
  ['127.3.2.1', ['may not be in the loopback range (127.0.0.0/8, ::1/128)']],
  ['fe80::1', ['may not be in the link-local range (169.254.0.0/16, fe80::/10)']],
  ['224.0.0.5', ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)']],
])('an endpoint is somewhere where it can be reached: %j', (text, texts) => {
  expect(messages(endpointIpErrors(text, 'ip'))).toEqual(texts);
});

test('a loopback address is an endpoint where Pods are processes', () => {
  expect(endpointIpErrors('127.16.0.1', 'ip', { allowsLoopback: true })).toEqual([]);
});
