import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { Container, EphemeralContainer, PodSpec } from '@keelson/kubernetes/kinds';

/** The input of a check: a pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Why a check does not let a pod pass. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type Check = (pod: CheckedPod) => Violation | undefined;
export type CheckedContainer = Container | EphemeralContainer;

/** All containers, in the order in which messages name them. */
export function containersOf({ initContainers = [], containers, ephemeralContainers = [] }: PodSpec): readonly CheckedContainer[] {
  return [...initContainers, ...(containers ?? []), ...ephemeralContainers];
}

export function isWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === 'windows';
}

/** `container "a"`, `containers "a", "b"`. */
export function namedContainers(containers: readonly CheckedContainer[]): string {
  return named('container', containers);
}

export function named(noun: string, things: readonly { readonly name: string }[]): string {
  return `${counted(noun, things.length)} ${quoted(things.map(({ name }) => name))}`;
}

/** The noun in its number. */
export function counted(noun: string, count: number): string {
  return count === 1 ? noun : `${noun}s`;
}

export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

/** Each text once, in the order of their bytes. */
export function sortedSet(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort(compareUtf8);
}

/** The pod itself and its containers, as far as they do what is forbidden; undefined: none does. */
export function setters(isPodBad: boolean, containers: readonly CheckedContainer[]): string | undefined {
  const parts = [...(isPodBad ? ['pod'] : []), ...(containers.length === 0 ? [] : [namedContainers(containers)])];
  return parts.length === 0 ? undefined : parts.join(' and ');
}
