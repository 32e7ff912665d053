import { required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, nonNegative } from '../checks/index.js';
import type { ControllerRevision } from '../drafts.js';

/** Source: kubernetes `pkg/registry/apps/controllerrevision`, `pkg/apis/apps/validation`. */
export const controllerRevisions: Behaviour<ControllerRevision> = {
  revalidatesMetadata: true,
  validate: ({ revision, data }) => [...nonNegative(revision, 'revision'), ...dataErrors(data)],
  validateUpdate: ({ revision, data }, old) => [
    ...nonNegative(revision, 'revision'),
    // Bytes that another decoder would read print as nothing.
    ...immutable(data, old.data, 'data', data),
  ],
};

function dataErrors(data: unknown): Errors {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return typeof data === 'object' && !Array.isArray(data) ? [] : [required('data', 'data must be a valid JSON object')];
}
