import { autoscalerConversion } from './autoscaler-conversion.js';
import { eventConversion } from './event.js';
import type { VersionConversion } from './version-conversion.js';

/** By group and plural, as the behaviours. A kind of several versions that is missing here is served at its stored version; the others answer 501. */
export const versionConversions: Readonly<Record<string, VersionConversion>> = {
  'autoscaling/horizontalpodautoscalers': autoscalerConversion,
  'events.k8s.io/events': eventConversion,
};
