import fc from 'fast-check';
import { selectorLabels, versionOf } from './labels.js';

const LABEL_VALUE = /^([a-z\d]([\w.-]{0,61}[a-z\d])?)$/i;

test.each([
  ['memcached:1.6', '1.6'],
  ['host:5000/cache/memcached:1.6.38-alpine', '1.6.38-alpine'],
  ['host:5000/memcached', 'latest'],
  ['memcached', 'latest'],
  ['memcached@sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9', '0a1b2c3d4e5f'],
  ['host:5000/memcached:1.6@sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9', '1.6'],
  [`memcached:${'x'.repeat(62)}-rc1`, 'x'.repeat(62)],
  ['memcached:_', 'latest'],
])('the version of %s is %s', (image, version) => {
  expect(versionOf(image)).toBe(version);
});

test('any text gives a version that is a valid label value', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w.:/@-]+$/)), (image) => LABEL_VALUE.test(versionOf(image))));
});

test('two Memcacheds do not select the pods of each other', () => {
  expect(selectorLabels('a')).not.toEqual(selectorLabels('b'));
});
