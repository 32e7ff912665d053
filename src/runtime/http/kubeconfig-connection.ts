import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../clock/index.js';
import type { Impersonation } from './access.js';
import { type Connection, type ConnectionOptions, connectionOf, type Material } from './connection.js';
import { ConnectionSettingsError } from './errors.js';
import { type Fields, type Kubeconfig, type KubeconfigEntry, pathField, textField } from './kubeconfig.js';
import { type LoadClientNode, PluginAccess } from './plugin-access.js';

/** Options of {@link kubeconfigConnection}. */
export interface KubeconfigConnectionOptions {
  /** Name of a context of the kubeconfig. @defaultValue the current context */
  readonly context?: string | undefined;
  /** Decides when credentials are read again. @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** Loads the package that runs login plugins. @defaultValue imports `@kubernetes/client-node`, only for users that log in by a plugin */
  readonly loadClientNode?: LoadClientNode | undefined;
}

/**
 * The connection that a context of a kubeconfig describes.
 *
 * Users that log in by `exec` or `auth-provider` are served by `@kubernetes/client-node`, which is loaded with the first request.
 *
 * @example
 * ```ts
 * const config = await readKubeconfig(['/home/me/.kube/config']);
 * const client = createClient({ connection: kubeconfigConnection(config, { context: 'staging' }) });
 * ```
 *
 * @throws ConnectionSettingsError naming the file, the context and what it lacks
 */
export function kubeconfigConnection(config: Kubeconfig, options: KubeconfigConnectionOptions = {}): Connection {
  const context = contextOf(config, options.context);
  const where = `kubeconfig ${context.file}, context ${context.name}`;
  const cluster = referenced(context, { list: config.clusters, field: 'cluster', where });
  if (cluster === undefined) throw new ConnectionSettingsError(`${where}: names no cluster`);
  const user = referenced(context, { list: config.users, field: 'user', where });
  const connection: ConnectionOptions = {
    ...clusterOptions(cluster, `${where}, cluster ${cluster.name}`),
    ...(user === undefined ? {} : userOptions(user, `${where}, user ${user.name}`)),
    namespace: textField(context.fields, 'namespace', where),
    origin: where,
    clock: options.clock,
  };
  const plain = connectionOf(connection);
  if (user === undefined || !needsPlugin(user.fields)) return plain;
  const login = { cluster, user, base: plain.access, origin: `${where}, user ${user.name}` };
  return Object.freeze({ ...plain, access: new PluginAccess(login, { load: options.loadClientNode, clock: options.clock }) });
}

function contextOf(config: Kubeconfig, wanted: string | undefined): KubeconfigEntry {
  const files = `kubeconfig ${config.files.join(', ')}`;
  const known = [...config.contexts.keys()].join(', ') || 'none';
  const name = wanted ?? config.currentContext;
  if (name === undefined) throw new ConnectionSettingsError(`${files}: there is no current-context; choose one of: ${known}`);
  const context = config.contexts.get(name);
  if (context === undefined)
    throw new ConnectionSettingsError(`${files}: there is no context ${JSON.stringify(name)}; there are: ${known}`);
  return context;
}

interface Reference {
  readonly list: ReadonlyMap<string, KubeconfigEntry>;
  readonly field: 'cluster' | 'user';
  readonly where: string;
}

function referenced(context: KubeconfigEntry, { list, field, where }: Reference): KubeconfigEntry | undefined {
  const name = textField(context.fields, field, where);
  if (name === undefined) return undefined;
  const entry = list.get(name);
  if (entry === undefined)
    throw new ConnectionSettingsError(
      `${where}: there is no ${field} ${JSON.stringify(name)}; there are: ${[...list.keys()].join(', ') || 'none'}`,
    );
  return entry;
}

function clusterOptions(
  cluster: KubeconfigEntry,
  where: string,
): Pick<ConnectionOptions, 'server' | 'ca' | 'tlsServerName' | 'insecureSkipTlsVerify' | 'proxyUrl'> {
  const server = textField(cluster.fields, 'server', where);
  if (server === undefined) throw new ConnectionSettingsError(`${where}: has no server`);
  const insecure = cluster.fields['insecure-skip-tls-verify'] ?? false;
  if (typeof insecure !== 'boolean')
    throw new ConnectionSettingsError(`${where}: insecure-skip-tls-verify is a ${typeof insecure}, not true or false; remove its quotes`);
  return {
    server,
    ca: material(cluster, 'certificate-authority', where),
    tlsServerName: textField(cluster.fields, 'tls-server-name', where),
    insecureSkipTlsVerify: insecure,
    proxyUrl: textField(cluster.fields, 'proxy-url', where),
  };
}

function userOptions(user: KubeconfigEntry, where: string): Partial<ConnectionOptions> {
  const username = textField(user.fields, 'username', where);
  return {
    certificate: material(user, 'client-certificate', where),
    key: material(user, 'client-key', where),
    token: tokenOf(user, where),
    basic: username === undefined ? undefined : { username, password: textField(user.fields, 'password', where) ?? '' },
    impersonate: impersonationOf(user.fields, where),
  };
}

/** The file wins where both are given: it is renewed, and the text beside it is what it held once. Source: client-go, `rest.Config.BearerTokenFile`. */
function tokenOf(user: KubeconfigEntry, where: string): Material | undefined {
  const file = pathField(user, 'tokenFile', where);
  return file === undefined ? textField(user.fields, 'token', where) : { file };
}

/** Inline data wins over a file, as in client-go. */
function material(entry: KubeconfigEntry, name: string, where: string): Material | undefined {
  const data = textField(entry.fields, `${name}-data`, where);
  if (data !== undefined) {
    if (!/^[A-Za-z0-9+/\s]+=*\s*$/.test(data)) throw new ConnectionSettingsError(`${where}: ${name}-data is not base64`);
    return Buffer.from(data, 'base64');
  }
  const file = pathField(entry, name, where);
  return file === undefined ? undefined : { file };
}

function impersonationOf(fields: Fields, where: string): Impersonation | undefined {
  const user = textField(fields, 'as', where);
  const uid = textField(fields, 'as-uid', where);
  const groups = fields['as-groups'] ?? [];
  const extra = fields['as-user-extra'] ?? {};
  if (!isTexts(groups)) throw new ConnectionSettingsError(`${where}: as-groups is not a list of texts`);
  if (!isRecord(extra) || !Object.values(extra).every(isTexts))
    throw new ConnectionSettingsError(`${where}: as-user-extra is not a mapping to lists of texts`);
  const more = uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0;
  if (user === undefined && more) throw new ConnectionSettingsError(`${where}: as-uid, as-groups and as-user-extra need a user: as`);
  return user === undefined ? undefined : { user, uid, groups, extra: extra as Record<string, string[]> };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function needsPlugin(user: Fields): boolean {
  // A token beside a plugin wins, as in client-go: then nothing has to be loaded.
  if (user['token'] || user['tokenFile']) return false;
  return isRecord(user['exec']) || isRecord(user['auth-provider']);
}
