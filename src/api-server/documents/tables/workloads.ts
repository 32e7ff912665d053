import { groupVersionOf, humanDuration, type Json, nameInGroup } from '@keelson/kubernetes/apimachinery';
import type {
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  PodDisruptionBudget,
  PodTemplateSpec,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '@keelson/kubernetes/kinds';
import type { TableConvertor } from '../../contract/index.js';
import { type Moment, table } from './table.js';
import { containerCells, isTrue, labelsText, NONE, selectorText, UNSET } from './texts.js';

const WIDE = ['Containers*', 'Images*', 'Selector*'];
const REPLICAS = ['Name', 'Desired:integer', 'Current:integer', 'Ready:integer', 'Age', ...WIDE];

function templateCells(template: PodTemplateSpec | undefined): readonly Json[] {
  return containerCells(template?.spec?.containers);
}

export const deployments: TableConvertor = table<Deployment>(
  ['Name', 'Ready', 'Up-to-date', 'Available', 'Age', ...WIDE],
  (deployment, moment) => {
    const { metadata, spec, status } = deployment;
    const selector = selectorText(spec.selector);
    return [
      metadata.name,
      `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      moment.age(deployment),
      ...templateCells(spec.template),
      // Here alone, what chooses everything is empty.
      selector === NONE ? '' : selector === '<error>' ? '<invalid>' : selector,
    ];
  },
);

function replicaCells({ metadata, spec, status }: ReplicaSet | ReplicationController, moment: Moment): readonly Json[] {
  return [
    metadata.name,
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    moment.age({ metadata }),
    ...templateCells(spec?.template),
  ];
}

export const replicaSets: TableConvertor = table<ReplicaSet>(REPLICAS, (set, moment) => [
  ...replicaCells(set, moment),
  selectorText(set.spec.selector),
]);

export const replicationControllers: TableConvertor = table<ReplicationController>(REPLICAS, (controller, moment) => [
  ...replicaCells(controller, moment),
  labelsText(controller.spec?.selector),
]);

export const statefulSets: TableConvertor = table<StatefulSet>(['Name', 'Ready', 'Age', 'Containers*', 'Images*'], (set, moment) => [
  set.metadata.name,
  `${set.status?.readyReplicas ?? 0}/${set.spec.replicas ?? 0}`,
  moment.age(set),
  ...templateCells(set.spec.template),
]);

export const daemonSets: TableConvertor = table<DaemonSet>(
  [
    ...['Name', 'Desired:integer', 'Current:integer', 'Ready:integer', 'Up-to-date:integer', 'Available:integer'],
    ...['Node Selector', 'Age', ...WIDE],
  ],
  ({ metadata, spec, status }, moment) => [
    metadata.name,
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelsText(spec.template.spec?.nodeSelector),
    moment.age({ metadata }),
    ...templateCells(spec.template),
    selectorText(spec.selector),
  ],
);

/** Conditions; of several, the first counts. `Terminating` is not a condition, but a deletion that has begun. */
const JOB_STATES = ['Complete', 'Failed', 'Terminating', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

export const jobs: TableConvertor = table<Job>(['Name', 'Status', 'Completions', 'Duration', 'Age', ...WIDE], (job, moment) => {
  const { metadata, spec, status } = job;
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const state = JOB_STATES.find((name) => (name === 'Terminating' ? isDeleted : isTrue(status?.conditions, name)));
  return [
    metadata.name,
    state ?? 'Running',
    completionsText(job),
    durationText(job, moment),
    moment.age(job),
    ...templateCells(spec.template),
    selectorText(spec.selector),
  ];
});

function completionsText({ spec: { completions, parallelism = 0 }, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: Job, moment: Moment): string {
  const { startTime, completionTime } = status ?? {};
  if (startTime === undefined) return '';
  if (completionTime === undefined) return moment.since(startTime);
  return humanDuration(Date.parse(completionTime) - Date.parse(startTime));
}

export const cronJobs: TableConvertor = table<CronJob>(
  ['Name', 'Schedule', 'Timezone', 'Suspend:boolean', 'Active:integer', 'Last Schedule', 'Age', ...WIDE],
  (cronJob, moment) => {
    const { metadata, spec, status } = cronJob;
    const suspend = spec.suspend === undefined ? UNSET : spec.suspend ? 'True' : 'False';
    return [
      metadata.name,
      spec.schedule,
      spec.timeZone ?? NONE,
      suspend,
      status?.active?.length ?? 0,
      status?.lastScheduleTime === undefined ? NONE : moment.since(status.lastScheduleTime),
      moment.age(cronJob),
      ...templateCells(spec.jobTemplate.spec?.template),
      selectorText(spec.jobTemplate.spec?.selector),
    ];
  },
);

export const controllerRevisions: TableConvertor = table<ControllerRevision>(
  ['Name', 'Controller', 'Revision', 'Age'],
  ({ metadata, revision = 0 }, moment) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    return [metadata.name, owner === undefined ? NONE : ownerText(owner), revision, moment.age({ metadata })];
  },
);

function ownerText({ apiVersion, kind, name }: { readonly apiVersion: string; readonly kind: string; readonly name: string }): string {
  const { group } = groupVersionOf(apiVersion);
  return `${nameInGroup(kind, group).toLowerCase()}/${name}`;
}

export const podDisruptionBudgets: TableConvertor = table<PodDisruptionBudget>(
  ['Name', 'Min Available', 'Max Unavailable', 'Allowed Disruptions:integer', 'Age'],
  ({ metadata, spec, status }, moment) => [
    metadata.name,
    String(spec?.minAvailable ?? 'N/A'),
    String(spec?.maxUnavailable ?? 'N/A'),
    status?.disruptionsAllowed ?? 0,
    moment.age({ metadata }),
  ],
);
