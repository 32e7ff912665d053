import { DNS_1123_LABEL } from '@keelson/kubernetes/apimachinery';
import type { Container, Volume } from '@keelson/kubernetes/kinds';
import type { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { ConstructError, isName, labelProblems } from '../object/index.js';
import type { OperatorPodProps } from './operator-pod-props.js';

/**
 * A user's additions to the pod have to fit what is there. The API server would refuse the Deployment's pods, some of it only when the first pod is made: a
 * Deployment that was taken and never gets ready.
 *
 * @throws ConstructError for the first thing that does not fit
 */
export function checkPodProps(scope: Construct, props: OperatorPodProps): void {
  const problem = [imageProblem(props), ...environmentProblems(props), ...labelProblems(props.podMetadata ?? {}, 'podMetadata')].find(
    (found) => found !== undefined,
  );
  if (problem !== undefined) throw new ConstructError(scope, problem);
}

function imageProblem({ image }: OperatorPodProps): string | undefined {
  if (typeof image === 'string' && image.trim() !== '' && !/\s/.test(image)) return undefined;
  const found = typeof image === 'string' ? `image '${image}' is not an image reference` : 'image is missing';
  return `${found}; write registry/name:tag or registry/name@sha256:…`;
}

/** Whether an image is `latest`, written or meant. A placeholder of a template, such as `{{ .Values.image }}`, is not judged. */
export function hasMovingTag(image: string): boolean {
  if (!/^[\w./:@-]+$/.test(image) || image.includes('@')) return false;
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest';
}

/** Any printable character but the sign between name and value, as the API server has it since 1.32. */
const VARIABLE_NAME = /^[ -<>-~]+$/;
const OURS: ReadonlySet<string> = new Set(Object.values(RUNTIME_CONTRACT.env));

function environmentProblems({ env = {} }: OperatorPodProps): (string | undefined)[] {
  return Object.entries(env).map(([name, value]) => {
    if (OURS.has(name)) return `env.${name} is written by keelson from the other settings; change the setting instead of the variable`;
    if (!VARIABLE_NAME.test(name)) return `env: '${name}' is not a name of a variable; write printable characters without '='`;
    if (value === undefined || typeof value === 'string' || (typeof value === 'object' && value !== null)) return undefined;
    return `env.${name} is a ${typeof value}; a variable holds text: write '${String(value)}'`;
  });
}

/** The containers and volumes of the finished pod, ours and the user's. */
export function checkPodParts(scope: Construct, containers: readonly Container[], volumes: readonly Volume[]): void {
  const problem = [
    ...nameProblems('container', containers),
    ...nameProblems('volume', volumes),
    ...containers.flatMap((container) => mountProblems(container, volumes)),
  ][0];
  if (problem !== undefined) throw new ConstructError(scope, problem);
}

function nameProblems(what: string, parts: readonly { readonly name: string }[]): string[] {
  return parts.flatMap(({ name }, index) => {
    if (!isName(DNS_1123_LABEL, name)) return [`the name of a ${what}, '${name}', must be ${DNS_1123_LABEL.says}`];
    const isTaken = parts.findIndex((other) => other.name === name) !== index;
    return isTaken ? [`two ${what}s of the pod are called '${name}'; choose another name for yours`] : [];
  });
}

function mountProblems({ name, volumeMounts = [] }: Container, volumes: readonly Volume[]): string[] {
  return volumeMounts.flatMap((mount, index) => {
    if (!volumes.some((volume) => volume.name === mount.name)) {
      const known = volumes.map((volume) => volume.name).join(', ');
      return [
        `container '${name}' mounts the volume '${mount.name}', which the pod does not have (it has ${known || 'none'}); add it to volumes`,
      ];
    }
    const isTaken = volumeMounts.findIndex((other) => other.mountPath === mount.mountPath) !== index;
    if (!isTaken) return [];
    const hint = mount.mountPath === RUNTIME_CONTRACT.temporaryDirectory ? '; with temporaryDirectory: false the place is yours' : '';
    return [`container '${name}' mounts two volumes at ${mount.mountPath}${hint}`];
  });
}
