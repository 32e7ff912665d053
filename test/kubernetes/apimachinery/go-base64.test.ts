import { goBase64Problem } from '../../../src/kubernetes/apimachinery/index.js';

// Source of the offsets: Go's encoding/base64, 1.26, by DecodeString of StdEncoding and URLEncoding.
test.each([
  ['', undefined, undefined],
  ['YWI=', undefined, undefined],
  ['YWI+', undefined, 3],
  ['YWI-', 3, undefined],
  ['//host/x', undefined, 0],
  ['YW\nI=\r\n', undefined, undefined],
  ['YWI', 0, 0],
  ['YWJjYW', 4, 4],
  ['YWI=x', 4, 4],
  ['YW=x', 2, 2],
  ['Y===', 1, 1],
  ['YW=', 3, 3],
  ['é', 0, 0],
])('%j', (text, standard, url) => {
  expect([goBase64Problem(text, 'standard'), goBase64Problem(text, 'url')]).toEqual([standard, url]);
});
