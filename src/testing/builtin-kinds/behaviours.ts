import { pathSegmentProblems } from '../../kubernetes/index.js';
import { customResourceDefinitionBehaviour } from '../custom-resources/index.js';
import type { Behaviour, Surroundings } from './behaviour.js';

/** Makes the behaviour of a kind, at the first request for it. */
export type BehaviourMaker = (surroundings: Surroundings) => Behaviour<object>;

/** By group and plural (`/pods`: the core group has no name). A kind that is missing here is decoded, stored and given back. */
export const behaviours: Readonly<Record<string, BehaviourMaker>> = {
  'apiextensions.k8s.io/customresourcedefinitions': () => customResourceDefinitionBehaviour,
  'rbac.authorization.k8s.io/clusterrolebindings': () => ({ nameProblems: (name, isPrefix) => pathSegmentProblems(name, { prefix: isPrefix }) }),
  'rbac.authorization.k8s.io/clusterroles': () => ({ nameProblems: (name, isPrefix) => pathSegmentProblems(name, { prefix: isPrefix }) }),
  'rbac.authorization.k8s.io/rolebindings': () => ({ nameProblems: (name, isPrefix) => pathSegmentProblems(name, { prefix: isPrefix }) }),
  'rbac.authorization.k8s.io/roles': () => ({ nameProblems: (name, isPrefix) => pathSegmentProblems(name, { prefix: isPrefix }) }),
};
