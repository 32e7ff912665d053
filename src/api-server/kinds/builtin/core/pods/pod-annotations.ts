import { type FieldError, forbidden, goQuote, invalid } from '@keelson/kubernetes/apimachinery';
import type { Errors } from '../../checks/index.js';
import type { PodSpec } from '../../drafts.js';

/** Annotations of pods that mean something to the server. Source: kubernetes `pkg/apis/core/validation` (`ValidatePodSpecificAnnotations`). */
type Annotations = Readonly<Record<string, string>>;

const MIRROR = 'kubernetes.io/config.mirror';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const APP_ARMOR_PROFILES = ['', 'runtime/default', 'unconfined'];

export function podAnnotationErrors(annotations: Annotations, spec: PodSpec, path: string): Errors {
  const errors: FieldError[] = [];
  const mirror = annotations[MIRROR];
  if (mirror !== undefined && (spec.nodeName ?? '') === '') {
    errors.push(invalid(`${path}[${MIRROR}]`, mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  }
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !isInt32(cost)) errors.push(invalid(`${path}[${DELETION_COST}]`, cost, 'must be a 32bit integer'));
  for (const [key, profile] of Object.entries(annotations)) {
    if (!key.startsWith(APP_ARMOR)) continue;
    const name = key.slice(APP_ARMOR.length);
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
    if (!containers.some((container) => container.name === name)) errors.push(invalid(`${path}[${key}]`, name, 'container not found'));
    if (!APP_ARMOR_PROFILES.includes(profile) && !profile.startsWith('localhost/')) {
      errors.push(invalid(`${path}[${key}]`, profile, `invalid AppArmor profile name: ${goQuote(profile)}`));
    }
  }
  return errors;
}

function isInt32(text: string): boolean {
  return /^(?:0|[1-9][0-9]*|-[0-9]+)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

/** Annotations that are bound to how a pod was started cannot change. */
export function podAnnotationUpdateErrors(annotations: Annotations, old: Annotations, path: string): Errors {
  const errors: FieldError[] = [];
  const isFixed = (key: string): boolean => key === MIRROR || key.startsWith(APP_ARMOR);
  const what = (key: string): string => (key === MIRROR ? 'mirror pod annotation' : 'AppArmor annotations');
  for (const [key, value] of Object.entries(old)) {
    if (isFixed(key) && annotations[key] !== value) errors.push(forbidden(`${path}[${key}]`, `may not remove or update ${what(key)}`));
  }
  for (const key of Object.keys(annotations)) {
    if (isFixed(key) && old[key] === undefined) errors.push(forbidden(`${path}[${key}]`, `may not add ${what(key)}`));
  }
  return errors;
}
