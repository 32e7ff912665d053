import type { EtcdAlarm, EtcdMember, EtcdMembers, EtcdStatus, KeyValue } from './api.js';
import { EtcdError } from './errors.js';

type Json = Readonly<Record<string, unknown>>;

/*
 * Answers of the gateway. Fields of the value zero are left out; 64-bit numbers are texts; bytes are base64.
 */

/** A 64-bit id, as decimal digits. */
function idOf(json: Json, field: string): string {
  const value = json[field];
  if (value === undefined) return '0';
  if (typeof value !== 'string' || !/^\d+$/.test(value)) throw invalid(field, 'a text of digits', value);
  return value;
}

/** A counter. @throws EtcdError for one that a JavaScript number cannot hold */
export function countOf(json: Json, field: string): number {
  const value = json[field] ?? '0';
  const count = Number(value);
  if ((typeof value !== 'string' && typeof value !== 'number') || !Number.isSafeInteger(count)) throw invalid(field, 'a number', value);
  return count;
}

export function objectOf(json: Json, field: string): Json {
  const value = json[field] ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(field, 'an object', value);
  return value as Json;
}

export function objectsOf(json: Json, field: string): readonly Json[] {
  const value = json[field] ?? [];
  if (!Array.isArray(value)) throw invalid(field, 'a list', value);
  return value as readonly Json[];
}

function textsOf(json: Json, field: string): readonly string[] {
  return objectsOf(json, field).map(String);
}

function textOf(json: Json, field: string): string | undefined {
  const value = json[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function memberOf(json: Json): EtcdMember {
  const name = textOf(json, 'name');
  return {
    id: idOf(json, 'ID'),
    ...(name === undefined ? {} : { name }),
    peerUrls: textsOf(json, 'peerURLs'),
    clientUrls: textsOf(json, 'clientURLs'),
    isLearner: json['isLearner'] === true,
  };
}

export function membersOf(json: Json): EtcdMembers {
  return { clusterId: idOf(objectOf(json, 'header'), 'cluster_id'), members: objectsOf(json, 'members').map(memberOf) };
}

export function statusOf(json: Json): EtcdStatus {
  const header = objectOf(json, 'header');
  const leader = idOf(json, 'leader');
  return {
    clusterId: idOf(header, 'cluster_id'),
    memberId: idOf(header, 'member_id'),
    version: textOf(json, 'version') ?? '',
    revision: countOf(header, 'revision'),
    dbSize: countOf(json, 'dbSize'),
    dbSizeInUse: countOf(json, 'dbSizeInUse'),
    ...(leader === '0' ? {} : { leader }),
    raftTerm: countOf(json, 'raftTerm'),
    raftIndex: countOf(json, 'raftIndex'),
    raftAppliedIndex: countOf(json, 'raftAppliedIndex'),
    isLearner: json['isLearner'] === true,
    errors: textsOf(json, 'errors'),
  };
}

export function alarmsOf(json: Json): readonly EtcdAlarm[] {
  return objectsOf(json, 'alarms').flatMap((item) => {
    const alarm = item['alarm'];
    return alarm === 'NOSPACE' || alarm === 'CORRUPT' ? [{ memberId: idOf(item, 'memberID'), alarm }] : [];
  });
}

export function keyValueOf(json: Json): KeyValue {
  return {
    key: decoded(json['key']),
    value: decoded(json['value']),
    createRevision: countOf(json, 'create_revision'),
    modRevision: countOf(json, 'mod_revision'),
    version: countOf(json, 'version'),
  };
}

export function revisionOf(json: Json): number {
  return countOf(objectOf(json, 'header'), 'revision');
}

export const encoded = (text: string): string => Buffer.from(text).toString('base64');

function decoded(value: unknown): string {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
}

/** The end of the range of all keys that begin with a prefix: the prefix with its last byte that is not 0xff raised by one. */
export function prefixEnd(prefix: string): string {
  const bytes = Buffer.from(prefix);
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0xff) return Buffer.from([...bytes.subarray(0, index), byte + 1]).toString('base64');
  }
  return Buffer.from([0]).toString('base64');
}

function invalid(field: string, expected: string, found: unknown): EtcdError {
  return new EtcdError('InvalidAnswer', `the field ${field} of an answer must be ${expected}, got ${JSON.stringify(found)}`);
}
