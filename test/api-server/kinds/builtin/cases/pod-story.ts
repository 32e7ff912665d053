import type { Json } from '../../../../../src/kubernetes/index.js';
import type { Fields, Step, Story } from './story.js';

export const main = { name: 'main', image: 'nginx' };

export function pod(
  title: string,
  spec: Fields,
  more: { readonly metadata?: Json; readonly status?: Json; readonly steps?: readonly Step[] } = {},
): Story {
  const { steps, ...rest } = more;
  return {
    title,
    apiVersion: 'v1',
    kind: 'Pod',
    plural: 'pods',
    object: { ...rest, spec: { containers: [main], ...spec } },
    ...(steps === undefined ? {} : { steps }),
  };
}

export const container = (title: string, fields: Fields, spec: Fields = {}): Story =>
  pod(title, { containers: [{ ...main, ...fields }], ...spec });
export const volume = (title: string, source: Fields): Story => pod(title, { volumes: [{ name: 'v', ...source }] });

export const gated = { schedulingGates: [{ name: 'example.com/wait' }] };
