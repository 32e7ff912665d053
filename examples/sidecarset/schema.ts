import { type DeepReadonly, k } from 'keelson';
import type { Container, Volume } from 'keelson/kinds';
import { z } from 'zod';

const sidecar = k
  .builtin('Container')
  .check(
    k.rule("has(self.image) && self.image != ''", { message: 'must name an image', fieldPath: '.image', reason: 'FieldValueRequired' }),
  );

const selector = k
  .labelSelector()
  .check(
    k.rule('(has(self.matchLabels) && size(self.matchLabels) > 0) || (has(self.matchExpressions) && size(self.matchExpressions) > 0)', {
      message: 'must ask for some label: an empty selector would select every Pod of the cluster',
    }),
  )
  .describe('Which Pods get the sidecars, by their labels.');

/** `3`, or a share of the Pods: `10%`. */
const share = z.union([k.int32().min(0), z.string().regex(/^(100|[1-9]?[0-9])%$/)]);

// #region strategy
const updateStrategy = z
  .object({
    type: z.enum(['RollingUpdate', 'NotUpdate']).default('RollingUpdate').describe('Whether running Pods are updated at all.'),
    paused: z.boolean().default(false).describe('Stops the update of running Pods where it is; new Pods get their sidecars all the same.'),
    partition: share.default(0).describe('How many Pods keep the sidecars that they have.'),
    maxUnavailable: share.default(1).describe('How many Pods may be unavailable at a time; a percentage is rounded up.'),
    selector: k.labelSelector().optional().describe('Only Pods with these labels are updated: canaries.'),
  })
  .check(
    k.rule("!has(self.selector) || self.partition == 0 || self.partition == '0%'", {
      message: 'is set beside selector, which says too which Pods are updated; leave one out',
      fieldPath: '.partition',
    }),
  );
// #endregion

/** With defaults, for the sake of failures: before anything has been counted, a status says only what went wrong. */
const counts = {
  observedGeneration: k.int64().optional().describe('Generation of the spec that the counts speak of.'),
  matchedPods: k.int32().default(0).describe('Pods that have the sidecars.'),
  updatedPods: k.int32().default(0).describe('Pods whose sidecars are those of the spec.'),
  readyPods: k.int32().default(0).describe('Pods that are ready.'),
};

/** The stored version. */
export const v1beta1 = {
  spec: z.object({
    selector,
    namespaceSelector: k.labelSelector().optional().describe('Only Pods in namespaces with these labels.'),
    initContainers: k
      .listMap(sidecar, 'name')
      .max(16)
      .optional()
      .describe('Run before the containers of the Pod; with `restartPolicy: Always` they go on beside them.'),
    containers: k.listMap(sidecar, 'name').min(1).max(32).describe('The sidecars.'),
    volumes: k.listMap(k.builtin('Volume'), 'name').max(32).optional().describe('Volumes that the sidecars mount.'),
    imagePullSecrets: k.listMap(k.builtin('LocalObjectReference'), 'name').max(16).optional(),
    injectPolicy: z
      .enum(['AfterAppContainers', 'BeforeAppContainers'])
      .default('AfterAppContainers')
      .describe('Where the sidecars stand among the containers of the Pod.'),
    transferEnv: k
      .listMap(
        z.object({
          name: z.string().min(1).max(253).describe('Name of the variable.'),
          from: k.name().describe('Container of the Pod that has it.'),
        }),
        'name',
      )
      .max(32)
      .optional()
      .describe('Variables that the sidecars take over from a container of the Pod.'),
    injectionPaused: z.boolean().default(false).describe('New Pods get no sidecars.'),
    updateStrategy: updateStrategy.prefault({}),
    revisionHistoryLimit: k.int32().min(0).max(100).default(10).describe('How many revisions that no Pod has are kept.'),
  }),
  status: z.object({
    ...counts,
    updatedReadyPods: k.int32().optional().describe('Pods that are ready, with the sidecars of the spec.'),
    latestRevision: z.string().optional().describe('ControllerRevision of the spec.'),
    conditions: k.conditions(),
  }),
};

/** The first version, as it was: it knows the containers and nothing about how they get there. */
export const v1alpha1 = {
  spec: z.object({
    selector,
    containers: k.listMap(sidecar, 'name').min(1).max(32).describe('The sidecars.'),
    paused: z.boolean().optional().describe('Stops the update of running Pods.'),
    namespace: z.string().max(63).optional().describe('No longer heeded; v1beta1 has namespaceSelector.'),
  }),
  status: z.object(counts),
};

export type Selector = DeepReadonly<z.output<typeof selector>>;
export type Share = DeepReadonly<z.output<typeof share>>;

/** The fields that end up in Pods, and so make a revision. */
export interface Sidecars {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
}
