/** Handlers beside plain storage: reviews, tokens, bindings, evictions, scale. */
import type { BuiltinHandlers } from '../../kinds/index.js';
import { admittedHandlers } from './admitted.js';
import { bindingHandlers } from './bind-pod.js';
import { componentStatusHandler } from './component-statuses.js';
import { evictPod } from './evict-pod.js';
import { kubeletHandlers } from './reach-kubelet.js';
import { reviewHandlers } from './reviews.js';
import type { HandlerSurroundings } from './surroundings.js';
import { tokenHandler } from './token.js';
import { typedHandlers } from './typed-body.js';

export type { RunningComponents } from './component-statuses.js';
export type { HandlerSurroundings } from './surroundings.js';

/** Subresources and create-only resources of a kube-apiserver that operators use. Logs, exec and port-forward need a kubelet: in the end they answer 501. */
export function builtinHandlers(surroundings: HandlerSurroundings): BuiltinHandlers {
  const handlers = {
    ...bindingHandlers(surroundings),
    'pods/eviction': evictPod(surroundings),
    'serviceaccounts/token': tokenHandler(surroundings),
    ...reviewHandlers(surroundings),
  };
  return {
    ...typedHandlers(admittedHandlers(handlers, surroundings), surroundings),
    ...admittedHandlers(kubeletHandlers(surroundings), surroundings),
    componentstatuses: componentStatusHandler(surroundings.running),
  };
}
