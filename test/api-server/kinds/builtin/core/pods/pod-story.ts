import type { Json } from '../../../../../../src/kubernetes/apimachinery/index.js';
import { type Fields, namespaced, type Step, type Story, story } from '../../stories/story.js';

const pods = namespaced('v1', 'Pod', 'pods');

export const main = { name: 'main', image: 'nginx' };

interface More {
  readonly metadata?: Json;
  readonly status?: Json;
  readonly steps?: readonly Step[];
}

export function pod(title: string, spec: Fields, { steps = [], ...rest }: More = {}): Story {
  return story(pods, title, { ...rest, spec: { containers: [main], ...spec } }, ...steps);
}

export const container = (title: string, fields: Fields, spec: Fields = {}): Story =>
  pod(title, { containers: [{ ...main, ...fields }], ...spec });
export const volume = (title: string, source: Fields): Story => pod(title, { volumes: [{ name: 'v', ...source }] });

export const gated = { schedulingGates: [{ name: 'example.com/wait' }] };
