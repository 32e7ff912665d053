/** Controllers: what one reconciles, owns, watches and reads, and the function that does it. The way in is `defineController`. */
export type { Annotations } from './annotations.js';
export type { Background, BackgroundContext, BackgroundOf, BackgroundState } from './background.js';
export type { Base, EventOptions, Events, Logger, Trigger } from './base.js';
export type {
  Context,
  FinalContext,
  FinalizeContext,
  HandleFor,
  OwnsMap,
  ReadHandles,
  ReadsMap,
  ReconcileContext,
  ReservedName,
  WatchesMap,
} from './context.js';
export type { Controller, ControllerOptions, Declared, WrittenStatus } from './controller-options.js';
export { type Access, type ContextOf, declareAccess } from './declare-access.js';
export { defineController } from './define-controller.js';
export { type Enqueue, type OwnersOf, type Towards, toOwner } from './enqueue.js';
export type { Cached, DeleteOptions, Handle, Indexed, ListOptions, Live, Patch, Stored, StoredMeta, Target, Writes } from './handle.js';
export {
  type Counter,
  counter,
  type Gauge,
  gauge,
  type Histogram,
  type HistogramOptions,
  histogram,
  type LabelValues,
  type MetricOptions,
} from './metric.js';
export type {
  ObserveBuilder,
  ObservesMap,
  OutsideBase,
  Poll,
  Polled,
  PollOptions,
  ReadContext,
  SubscribeContext,
  Subscribed,
  Subscription,
} from './observes.js';
export type { MarkedOptional, OptionalHandle } from './optional.js';
export {
  type ConditionInput,
  type Done,
  type FinalOutcome,
  type Merged,
  merge,
  type ObjectOf,
  type Outcome,
  type Owned,
  type OwnedWriting,
  type Primary,
  type StatusWriting,
} from './outcome.js';
export { type Own, type OwnOptions, own } from './own.js';
export { type Read, read } from './read.js';
export { isReferrers, type Referenced, type Referrers, referenced, referencedKeys, toReferrers } from './referrers.js';
export { type Released, type ReleaseOptions, release } from './release.js';
export { fieldProblem, type PrimarySelection, primaryOf, type SelectablePath, type Selected, select, selectableFields } from './select.js';
export {
  type All,
  followsNamespaces,
  isAll,
  isSelecting,
  type OwnNamespaceSelectors,
  type Selecting,
  type Selectors,
  toAll,
  toSelectors,
} from './selecting.js';
export {
  isSettings,
  type SettingSource,
  type Settings,
  SettingsError,
  type SettingsOptions,
  type SettingsValues,
  settings,
  settingsFrom,
  settingText,
} from './settings.js';
export { ABNORMAL, READY, type StatusShare, statusSchemaOf } from './status-share.js';
export { isThrough, leadsOn, type Through, through } from './through.js';
export {
  type External,
  type ExternalOptions,
  type ExternalsContext,
  type ExternalsIn,
  external,
  type Given,
  type Joined,
  type Needs,
  type Nothing,
  type Use,
  type UsesMap,
  usesProblems,
} from './uses.js';
export { isWatch, type Known, type Watch, type WatchOptions, watch, watchOf } from './watch.js';
