import { compareUtf8, goJson, goQuote, type Json, type ManagedFieldsEntry } from '@keelson/kubernetes/apimachinery';
import { FieldsV1Error } from './errors.js';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
import type { Managers, OwnedSet } from './managers.js';

/** The contents of `metadata.managedFields`, by manager identifier. */
export interface Managed {
  readonly managers: Managers;
  /** When an entry last changed, RFC 3339. */
  readonly times: ReadonlyMap<string, string>;
}

export const NOTHING_MANAGED: Managed = { managers: new Map(), times: new Map() };

/** The parts by which two entries are the same. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** Counts for updates only: a manager that applies has one entry for all versions. */
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The identity as a text. It is JSON as Go writes it, since messages and the cap on entries go by its order. */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const fields: [string, string][] = [
    ['manager', manager],
    ['operation', operation],
    ['apiVersion', operation === 'Apply' ? '' : apiVersion],
    ['subresource', subresource],
  ];
  return goJson(new Map(fields.filter(([, value]) => value !== '')));
}

export function identityOf(identifier: string): ManagerIdentity {
  return { manager: '', apiVersion: '', subresource: '', ...(JSON.parse(identifier) as Pick<ManagerIdentity, 'operation'>) };
}

/** @throws FieldsV1Error when an entry cannot be read. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[]): Managed {
  const managers = new Map<string, OwnedSet>();
  const times = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion = '', fieldsType = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') throw new FieldsV1Error('operation must be `Apply` or `Update`');
    if (apiVersion === '') throw new FieldsV1Error('apiVersion must not be empty');
    if (fieldsType === '') throw new FieldsV1Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1') throw new FieldsV1Error(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
    const identifier = managerIdentifier({ manager: entry.manager ?? '', operation, apiVersion, subresource: entry.subresource ?? '' });
    managers.set(identifier, {
      set: decodeFieldsV1((entry.fieldsV1 ?? {}) as Json),
      apiVersion,
      applied: operation === 'Apply',
    });
    if (entry.time !== undefined) times.set(identifier, entry.time);
    else times.delete(identifier);
  }
  return { managers, times };
}

/** The entries in the order of the wire: applies first, then by time, manager, version, subresource. */
export function encodeManagedFields({ managers, times }: Managed): ManagedFieldsEntry[] {
  return [...managers].map(([identifier, owned]) => entryOf(identifier, owned, times.get(identifier))).sort(compareEntries);
}

function entryOf(identifier: string, { set, apiVersion, applied }: OwnedSet, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = identityOf(identifier);
  return {
    ...(manager === '' ? {} : { manager }),
    operation: applied ? 'Apply' : operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(set),
    ...(subresource === '' ? {} : { subresource }),
  };
}

function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  return (
    compareUtf8(left.operation ?? '', right.operation ?? '') ||
    secondsOf(left.time) - secondsOf(right.time) ||
    compareUtf8(left.manager ?? '', right.manager ?? '') ||
    compareUtf8(left.apiVersion ?? '', right.apiVersion ?? '') ||
    compareUtf8(left.subresource ?? '', right.subresource ?? '')
  );
}

/** Unix seconds of a time; 0 for none. */
export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
