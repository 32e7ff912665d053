import {
  apiVersionOf,
  goKindText,
  groupVersionOf,
  groupVersionPath,
  groupVersionProblem,
} from '../../../src/kubernetes/apimachinery/index.js';

test.each([
  ['apps/v1', { group: 'apps', version: 'v1' }, '/apis/apps/v1', 'apps/v1, Kind=A'],
  ['v1', { group: '', version: 'v1' }, '/api/v1', '/v1, Kind=A'],
])('%s is taken apart, joined, and named in paths and texts', (apiVersion, parts, path, text) => {
  expect(groupVersionOf(apiVersion)).toEqual(parts);
  expect(apiVersionOf(parts)).toBe(apiVersion);
  expect(groupVersionPath(apiVersion)).toBe(path);
  expect(goKindText(apiVersion, 'A')).toBe(text);
  expect(groupVersionProblem(apiVersion)).toBeUndefined();
});

test.each(['', '/', '/v1', 'apps/'])('Go reads %j', (apiVersion) => {
  expect(groupVersionProblem(apiVersion)).toBeUndefined();
});

test('two slashes are an error, with the text that Go has for it', () => {
  expect(groupVersionProblem('a/b/c')).toBe('unexpected GroupVersion string: a/b/c');
});

test('an empty apiVersion is that of no group and no version', () => {
  expect(groupVersionOf('')).toEqual({ group: '', version: '' });
  expect(goKindText('', '')).toBe('/, Kind=');
});
