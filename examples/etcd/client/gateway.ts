import {
  alarmsOf,
  countOf,
  encoded,
  keyValueOf,
  memberOf,
  membersOf,
  objectOf,
  objectsOf,
  prefixEnd,
  revisionOf,
  statusOf,
} from './answers.js';
import type { CallOptions, Compare, EtcdApi, EtcdMemberAdded, EtcdMembers, EtcdTarget, TxnOperation } from './api.js';
import type { EtcdError } from './errors.js';
import { acrossEndpoints, answered, type Call, callJson, callOne, DEFAULT_TIMEOUT_MS, jsonOf, problemOf, textOf } from './gateway-calls.js';
import { blobsOf } from './snapshot-stream.js';
import { begin, chunksOf, type Exchange } from './transport.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * etcd over its JSON gateway (`/v3/...`), which etcd 3.4 to 3.6 serve on the client URLs.
 *
 * @example
 * ```ts
 * await run(operator, { externals: { etcd: createEtcdGateway() } });
 * ```
 */
export function createEtcdGateway(): EtcdApi {
  return {
    status: async (target, options) => statusOf(await read(target, '/v3/maintenance/status', {}, options)),
    health,
    members,
    addMember: (target, peerUrls, options) => add(target, { peerURLs: peerUrls }, options),
    addLearner: (target, peerUrls, options) => add(target, { peerURLs: peerUrls, isLearner: true }, options),
    promoteMember: (target, id, options) => changeMembers(target, 'promote', { ID: id }, options),
    removeMember: (target, id, options) => changeMembers(target, 'remove', { ID: id }, options),
    updateMember: (target, id, peerUrls, options) => changeMembers(target, 'update', { ID: id, peerURLs: peerUrls }, options),
    async moveLeader(target, id, options) {
      const elsewhereAfter = ({ reason }: EtcdError): boolean => reason === 'NotLeader';
      const call = { path: '/v3/maintenance/transfer-leadership', body: { targetID: id }, isChange: true, elsewhereAfter };
      await callJson(target, call, options);
    },
    alarms: async (target, options) => alarmsOf(await read(target, '/v3/maintenance/alarm', { action: 'GET' }, options)),
    async disarm(target, { memberId, alarm }, options) {
      await change(target, '/v3/maintenance/alarm', { action: 'DEACTIVATE', memberID: memberId, alarm }, options);
    },
    async defragment(target, options) {
      await change(target, '/v3/maintenance/defragment', {}, options);
    },
    async range(target, key, { isPrefix = false, isSerializable = false, limit, revision, ...options } = {}) {
      const end = isPrefix ? { range_end: prefixEnd(key) } : {};
      const body = { key: encoded(key), ...end, serializable: isSerializable, limit: String(limit ?? 0), revision: String(revision ?? 0) };
      const answer = await read(target, '/v3/kv/range', body, options);
      return { revision: revisionOf(answer), keyValues: objectsOf(answer, 'kvs').map(keyValueOf), count: countOf(answer, 'count') };
    },
    put: async (target, key, value, options) =>
      revisionOf(await change(target, '/v3/kv/put', { key: encoded(key), value: encoded(value) }, options)),
    async delete(target, key, { isPrefix = false, ...options } = {}) {
      const end = isPrefix ? { range_end: prefixEnd(key) } : {};
      return countOf(await change(target, '/v3/kv/deleterange', { key: encoded(key), ...end }, options), 'deleted');
    },
    async txn(target, { compare, success, failure = [] }, options) {
      const body = { compare: compare.map(compareOf), success: success.map(operationOf), failure: failure.map(operationOf) };
      const answer = await change(target, '/v3/kv/txn', body, options);
      const responses = objectsOf(answer, 'responses').map((item) => objectsOf(objectOf(item, 'response_range'), 'kvs').map(keyValueOf));
      return { revision: revisionOf(answer), succeeded: answer['succeeded'] === true, responses };
    },
    async snapshot(target, { signal, idleTimeoutMs = 30_000 } = {}) {
      const call: Call = { path: '/v3/maintenance/snapshot', body: {}, isChange: false };
      const limits = { signal, timeoutMs: idleTimeoutMs * target.endpoints.length };
      return acrossEndpoints(target, limits, call, async (endpoint) => {
        const connectMs = Math.min(idleTimeoutMs, DEFAULT_TIMEOUT_MS);
        const exchange: Exchange = { endpoint, ...call, tls: target.tls, signal, connectMs, answerMs: idleTimeoutMs, isStream: true };
        const answer = await begin(exchange);
        if (answer.status !== 200) throw problemOf(answer.status, await textOf(answer, idleTimeoutMs, exchange), exchange);
        const blobs = blobsOf(chunksOf(answer, idleTimeoutMs, exchange), endpoint);
        return { endpoint, [Symbol.asyncIterator]: () => blobs };
      });
    },
  };
}

async function read(target: EtcdTarget, path: string, body: object, options?: CallOptions): Promise<Json> {
  return (await callJson(target, { path, body, isChange: false }, options)).answer;
}

async function change(target: EtcdTarget, path: string, body: object, options?: CallOptions): Promise<Json> {
  return (await callJson(target, { path, body, isChange: true }, options)).answer;
}

async function health(target: EtcdTarget, options: CallOptions = {}): ReturnType<EtcdApi['health']> {
  const call: Call = { path: '/health', isChange: false };
  return acrossEndpoints(target, options, call, async (endpoint, limits) => {
    const exchange: Exchange = { endpoint, ...call, tls: target.tls, ...limits };
    const { status, text } = await answered(exchange);
    const json = jsonOf(text);
    // 503 is an answer here: the member cannot read through the quorum.
    if (json === undefined || !('health' in json)) throw problemOf(status, text, exchange);
    const isHealthy = json['health'] === 'true';
    const reason = json['reason'];
    return { isHealthy, ...(typeof reason === 'string' && reason !== '' ? { reason } : {}) };
  });
}

/** etcd 3.4 always answers with the member's own list. After a read through the quorum that list is as new as the read, in every version. */
async function members(target: EtcdTarget, options: CallOptions = {}): Promise<EtcdMembers> {
  const barrier: Call = { path: '/v3/kv/range', body: { key: encoded('\0'), count_only: true }, isChange: false };
  const list: Call = { path: '/v3/cluster/member/list', body: {}, isChange: false };
  return acrossEndpoints(target, options, list, async (endpoint, limits) => {
    await callOne(endpoint, target, barrier, limits);
    return membersOf(await callOne(endpoint, target, list, limits));
  });
}

async function add(target: EtcdTarget, body: object, options?: CallOptions): Promise<EtcdMemberAdded> {
  const answer = await change(target, '/v3/cluster/member/add', body, options);
  return { ...membersOf(answer), member: memberOf(objectOf(answer, 'member')) };
}

async function changeMembers(target: EtcdTarget, verb: string, body: object, options?: CallOptions): Promise<EtcdMembers> {
  return membersOf(await change(target, `/v3/cluster/member/${verb}`, body, options));
}

function compareOf(condition: Compare): object {
  const key = encoded(condition.key);
  if ('version' in condition) return { key, result: 'EQUAL', target: 'VERSION', version: String(condition.version) };
  if ('modRevision' in condition) return { key, result: 'EQUAL', target: 'MOD', mod_revision: String(condition.modRevision) };
  return { key, result: 'EQUAL', target: 'VALUE', value: encoded(condition.value) };
}

function operationOf(operation: TxnOperation): object {
  if ('put' in operation) return { request_put: { key: encoded(operation.put), value: encoded(operation.value) } };
  if ('delete' in operation) return { request_delete_range: { key: encoded(operation.delete) } };
  return { request_range: { key: encoded(operation.range) } };
}
