import type { JsonObject } from '../../contract/index.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: string;
}

function query(fields: Readonly<Record<string, string>>): readonly Parameter[] {
  return Object.entries(fields).map(([name, type]) => ({ name, in: 'query', type }));
}

const LIST = {
  allowWatchBookmarks: 'boolean',
  continue: 'string',
  fieldSelector: 'string',
  labelSelector: 'string',
  limit: 'integer',
  resourceVersion: 'string',
  resourceVersionMatch: 'string',
  sendInitialEvents: 'boolean',
  shardSelector: 'string',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};
const WRITE = { dryRun: 'string', fieldManager: 'string', fieldValidation: 'string' };
const ATTACH = { container: 'string', stderr: 'boolean', stdin: 'boolean', stdout: 'boolean', tty: 'boolean' };

/** Query parameters of the verbs. Source: apimachinery `pkg/apis/meta/v1/types.go`. */
export const PRETTY: readonly Parameter[] = query({ pretty: 'string' });
export const GET_OPTIONS: readonly Parameter[] = query({ resourceVersion: 'string' });
export const LIST_OPTIONS: readonly Parameter[] = query(LIST);
export const LIST_WITHOUT_WATCH: readonly Parameter[] = LIST_OPTIONS.filter(
  ({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks',
);
export const WRITE_OPTIONS: readonly Parameter[] = query(WRITE);
export const PATCH_OPTIONS: readonly Parameter[] = query({ ...WRITE, force: 'boolean' });
export const DELETE_OPTIONS: readonly Parameter[] = query({
  dryRun: 'string',
  gracePeriodSeconds: 'integer',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'boolean',
  orphanDependents: 'boolean',
  propagationPolicy: 'string',
});

/** Query parameters of subresources that have their own, by kind (`log` has that of its resource). Source: api `core/v1/types.go`. */
export const OWN_OPTIONS: Readonly<Record<string, readonly Parameter[]>> = {
  log: query({
    container: 'string',
    follow: 'boolean',
    insecureSkipTLSVerifyBackend: 'boolean',
    limitBytes: 'integer',
    previous: 'boolean',
    sinceSeconds: 'integer',
    stream: 'string',
    tailLines: 'integer',
    timestamps: 'boolean',
  }),
  attach: query(ATTACH),
  exec: query({ ...ATTACH, command: 'string' }),
  portforward: query({ ports: 'integer' }),
  proxy: query({ path: 'string' }),
};

export function pathParameter(name: string): Parameter {
  return { name, in: 'path', type: 'string' };
}

/** As documents have them: in the order of their names. */
export function parameterSchemas(parameters: readonly Parameter[]): readonly JsonObject[] {
  return [...parameters]
    .sort((a, b) => compareTexts(a.name, b.name) || compareTexts(a.in, b.in))
    .map(({ name, in: place, type }) => ({
      name,
      in: place,
      ...(place === 'path' ? { required: true } : {}),
      schema: { type, uniqueItems: true },
    }));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
