import { dns1123SubdomainProblems, type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { Draft, JsonObject } from '../../../contract/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, internalValue, invalidEach, labelName, pathNames, those } from '../checks/index.js';
import type { CoreV1Event as Event } from '../drafts.js';
import { fieldLabels, textAt } from '../field-labels.js';
import type { VersionConversion } from '../version-conversion.js';

const SUBJECT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Events of the core group, of which old recorders make what they like. Source: kubernetes `pkg/registry/core/event`, `pkg/apis/core/validation/events.go`. */
export const events: Behaviour<Event> = {
  validate: (event) => looseErrors(event, 'reportingComponent'),
  validateUpdate: (event) => looseErrors(event, 'reportingComponent'),
  nameProblems: pathNames,
  allowsCreateOnUpdate: true,
  defaultPropagation: 'Unsupported',
  fieldLabels: fieldLabels([...SUBJECT.map((field) => `involvedObject.${field}`), 'reason', 'reportingComponent', 'type'], {
    source: (event) => textAt(event, 'source.component') || textAt(event, 'reportingComponent'),
  }),
};

/** The same objects at `events.k8s.io`, where new ones are held to more. */
export const eventsOfEventsGroup: Behaviour<Event> = {
  validate: (event) => [...looseErrors(event, 'reportingController'), ...strictErrors(event)],
  validateUpdate: (event, old) => [...looseErrors(event, 'reportingController'), ...changedErrors(event, old)],
  allowsCreateOnUpdate: true,
  defaultPropagation: 'Unsupported',
  fieldLabels: fieldLabels([...SUBJECT.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type']),
};

const MOST = 128;
const LONGEST_NOTE = 1_024;

/** A time says that a new recorder has made it. */
function looseErrors(event: Event, controllerField: string): Errors {
  const { namespace = '' } = event.metadata as { readonly namespace?: string };
  const { namespace: subject = '' } = event.involvedObject;
  const errors = hasTime(event.eventTime) ? recordedErrors(event, controllerField, namespace) : legacyNamespaceErrors(namespace, subject);
  return [...errors, ...invalidEach('namespace', namespace, dns1123SubdomainProblems(namespace))];
}

function hasTime(time: unknown): boolean {
  return typeof time === 'string' && time !== '';
}

function elsewhere(subject: string): Errors {
  return [invalid('involvedObject.namespace', subject, 'does not match event.namespace')];
}

function legacyNamespaceErrors(namespace: string, subject: string): Errors {
  const isSame = subject === '' ? namespace === '' || namespace === 'default' : subject === namespace;
  return isSame ? [] : elsewhere(subject);
}

function recordedErrors(event: Event, controllerField: string, namespace: string): Errors {
  const {
    involvedObject,
    reportingComponent: controller = '',
    reportingInstance: instance = '',
    action = '',
    reason = '',
    message = '',
  } = event;
  const isNowhere = (involvedObject.namespace ?? '') === '' && namespace !== 'default' && namespace !== 'kube-system';
  const limited = (value: string, field: string): Errors => [...(value === '' ? [required(field)] : []), ...atMost(value, MOST, field)];
  return those(
    isNowhere && elsewhere(''),
    controller === '' && required(controllerField),
    labelName(controller, controllerField),
    limited(instance, 'reportingInstance'),
    limited(action, 'action'),
    limited(reason, 'reason'),
    atMost(message, LONGEST_NOTE, 'message'),
  );
}

function atMost(value: string, most: number, field: string): Errors {
  return Buffer.byteLength(value) > most ? [invalid(field, '', `can have at most ${most} characters`)] : [];
}

function strictErrors(event: Event): Errors {
  const { type = '', source = {} } = event;
  const unset = (isSet: boolean, field: string): Errors => (isSet ? [invalid(field, '', 'needs to be unset')] : []);
  return those(
    seriesErrors(event),
    !hasTime(event.eventTime) && required('eventTime'),
    !(type === 'Normal' || type === 'Warning') && invalid('type', '', `has invalid value: ${type}`),
    unset(hasTime(event.firstTimestamp), 'firstTimestamp'),
    unset(hasTime(event.lastTimestamp), 'lastTimestamp'),
    unset((event.count ?? 0) !== 0, 'count'),
    unset((source.component ?? '') !== '' || (source.host ?? '') !== '', 'source'),
  );
}

function seriesErrors({ series }: Event): Errors {
  if (series === undefined) return [];
  return those(
    (series.count ?? 0) < 2 && invalid('series.count', '', 'should be at least 2'),
    !hasTime(series.lastObservedTime) && required('series.lastObservedTime'),
  );
}

/** All but the series is for good. */
function changedErrors(event: Event, old: Event): Errors {
  const same = (
    field: keyof Event & string,
    { name = field, printed }: { readonly name?: string; readonly printed?: unknown } = {},
  ): Errors => {
    const zero = typeof event[field] === 'number' || typeof old[field] === 'number' ? 0 : '';
    return immutable(event[field] ?? zero, old[field] ?? zero, name, printed ?? event[field] ?? zero);
  };
  const time = (field: 'eventTime' | 'firstTimestamp' | 'lastTimestamp'): Errors =>
    immutable(event[field] ?? null, old[field] ?? null, field);
  const isOtherSeries = JSON.stringify(event.series) !== JSON.stringify(old.series);
  const reason: readonly FieldError[] = same('reason');
  return those(
    isOtherSeries && seriesErrors(event),
    same('involvedObject', { printed: internalValue('core/v1.ObjectReference', event.involvedObject) }),
    reason,
    same('message'),
    same('source', { printed: internalValue('core/v1.EventSource', event.source ?? {}) }),
    time('firstTimestamp'),
    time('lastTimestamp'),
    same('count'),
    reason,
    same('type'),
    time('eventTime'),
    same('action'),
    immutable(event.related, old.related, 'related', internalValue('core/v1.ObjectReference', event.related)),
    same('reportingComponent', { name: 'reportingController' }),
    same('reportingInstance'),
  );
}

const EVENTS_GROUP = 'events.k8s.io/v1';

/** One table holds both. Source: kubernetes `pkg/apis/events/v1/conversion.go`. */
export const eventConversion: VersionConversion = {
  storedAs: { group: '', version: 'v1' },
  convert: (object, apiVersion) => (apiVersion === EVENTS_GROUP ? toEventsGroup(object) : toCore(object)) as Draft,
};

/** Without what Go leaves out. */
function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value !== 0));
}

function toEventsGroup(object: JsonObject): unknown {
  const event = structuredClone(object) as Readonly<Record<string, unknown>>;
  return withoutEmpty({
    kind: 'Event',
    apiVersion: EVENTS_GROUP,
    metadata: event['metadata'],
    eventTime: event['eventTime'] ?? null,
    series: event['series'],
    reportingController: event['reportingComponent'],
    reportingInstance: event['reportingInstance'],
    action: event['action'],
    reason: event['reason'],
    regarding: event['involvedObject'] ?? {},
    related: event['related'],
    note: event['message'],
    type: event['type'],
    deprecatedSource: event['source'] ?? {},
    deprecatedFirstTimestamp: event['firstTimestamp'] ?? null,
    deprecatedLastTimestamp: event['lastTimestamp'] ?? null,
    deprecatedCount: event['count'],
  });
}

function toCore(object: JsonObject): unknown {
  const event = structuredClone(object) as Readonly<Record<string, unknown>>;
  const { reportingController = '', reportingInstance = '' } = event;
  return {
    ...withoutEmpty({
      kind: 'Event',
      apiVersion: 'v1',
      metadata: event['metadata'],
      involvedObject: event['regarding'] ?? {},
      reason: event['reason'],
      message: event['note'],
      source: event['deprecatedSource'] ?? {},
      firstTimestamp: event['deprecatedFirstTimestamp'] ?? null,
      lastTimestamp: event['deprecatedLastTimestamp'] ?? null,
      count: event['deprecatedCount'],
      type: event['type'],
      eventTime: event['eventTime'] ?? null,
      series: event['series'],
      action: event['action'],
      related: event['related'],
    }),
    reportingComponent: reportingController,
    reportingInstance,
  };
}
