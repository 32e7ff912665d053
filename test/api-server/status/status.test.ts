import { type Status, StatusError, statusBody } from '../../../src/api-server/status/index.js';
import { OperatorError } from '../../../src/kubernetes/apimachinery/index.js';

const bodyOf = (status: Partial<Status>): string => JSON.stringify(statusBody({ status: 'Failure', code: 404, ...status }));

test('a body has its fields in the order of the Go type, however they were written', () => {
  const details = {
    retryAfterSeconds: 1,
    causes: [{ field: 'spec', message: 'm', reason: 'r' }],
    uid: 'u',
    kind: 'k',
    group: 'g',
    name: 'n',
  };
  expect(bodyOf({ code: 409, details, reason: 'Conflict', message: 'text' })).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"text","reason":"Conflict",' +
      '"details":{"name":"n","group":"g","kind":"k","uid":"u","causes":[{"reason":"r","message":"m","field":"spec"}],"retryAfterSeconds":1},"code":409}',
  );
});

test('fields that are empty are left out, the details themselves are not', () => {
  expect(bodyOf({ message: '', reason: '', details: { name: '', causes: [], retryAfterSeconds: 0 } })).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","details":{},"code":404}',
  );
});

test('a deletion has no code in its body, a list that cannot go on has a token', () => {
  expect(bodyOf({ status: 'Success', code: 200, isCodeless: true })).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}',
  );
  expect(bodyOf({ code: 410, continue: 'token' })).toContain('"metadata":{"continue":"token"}');
});

test('an error says what its status says, and is known from another copy of the package', () => {
  expect(new StatusError({ status: 'Failure', code: 404, message: 'text', reason: 'NotFound' }).message).toBe('text');
  expect(new StatusError({ status: 'Failure', code: 404, reason: 'NotFound' }).message).toBe('NotFound');
  class Other extends OperatorError {
    readonly actor = 'user';
    readonly code = 'KEELSON_OTHER';
  }
  expect([new StatusError({ status: 'Failure', code: 500 }), new Other('x'), new Error('x')].map(StatusError.isStatusError)).toEqual([
    true,
    false,
    false,
  ]);
});
