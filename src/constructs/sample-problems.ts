import type { ApiObject } from 'cdk8s';
import type { KindInfo } from '../kubernetes/index.js';

export function sampleProblems(_definition: KindInfo, _object: ApiObject): string[] {
  return [];
}
