import {
  conflict,
  forbidden,
  generateNameConflict,
  internalError,
  invalidObject,
  methodNotSupported,
  notFound,
  type StatusError,
  statusBody,
} from '../../../src/api-server/status/index.js';
import { invalid, required } from '../../../src/kubernetes/apimachinery/index.js';

const PODS = { group: '', plural: 'pods' };
const DEPLOYMENTS = { group: 'apps', plural: 'deployments' };

/** The texts are those of `apierrors` of apimachinery. */
test.each<[StatusError, number, string]>([
  [notFound(PODS, 'a'), 404, 'pods "a" not found'],
  [notFound(DEPLOYMENTS, 'a'), 404, 'deployments.apps "a" not found'],
  [conflict(DEPLOYMENTS, 'a', 'it was changed'), 409, 'Operation cannot be fulfilled on deployments.apps "a": it was changed'],
  [forbidden(PODS, 'a', 'no'), 403, 'pods "a" is forbidden: no'],
  [forbidden(PODS, '', 'no'), 403, 'pods is forbidden: no'],
  [forbidden({ group: '', plural: '' }, '', 'no'), 403, 'forbidden: no'],
  [forbidden({ group: '', plural: '' }, 'a', 'no'), 403, ' "a" is forbidden: no'],
  [methodNotSupported(DEPLOYMENTS, 'list'), 405, 'list is not supported on resources of kind "deployments.apps"'],
  [internalError('boom'), 500, 'Internal error occurred: boom'],
])('%s', ({ status }, code, message) => {
  expect([status.code, status.message]).toEqual([code, message]);
});

test('of an invalid object each error is a cause, and a text that comes twice stands once in the message', () => {
  const of = (...errors: Parameters<typeof invalidObject>[2]): StatusError =>
    invalidObject({ group: 'apps', kind: 'Deployment' }, 'a', errors);
  const missing = required('spec.a');
  expect(of().message).toBe('Deployment.apps "a" is invalid: <nil>');
  expect(of(missing).message).toBe('Deployment.apps "a" is invalid: spec.a: Required value');
  const { message, status } = of(missing, missing, invalid('spec.b', 1, 'too small'));
  expect(message).toBe('Deployment.apps "a" is invalid: [spec.a: Required value, spec.b: Invalid value: 1: too small]');
  expect(status.details).toMatchObject({ kind: 'Deployment', causes: [{ field: 'spec.a' }, { field: 'spec.a' }, { field: 'spec.b' }] });
});

test('a generated name that is taken is worth another try after a second', () => {
  expect(statusBody(generateNameConflict(PODS, 'a-x').status)).toMatchObject({
    reason: 'AlreadyExists',
    details: { name: 'a-x', kind: 'pods', retryAfterSeconds: 1 },
  });
});
