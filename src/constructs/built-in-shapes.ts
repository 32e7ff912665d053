/** The built-in API's own shapes that props are made of; types only, nothing is loaded. */
export type {
  Affinity,
  Container,
  EnvFromSource,
  EnvVar,
  PodSecurityContext,
  Probe,
  ResourceRequirements,
  SecurityContext,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
} from '../../imports/kinds/core/v1.js';
export type { NetworkPolicyPeer } from '../../imports/kinds/networking/v1.js';
