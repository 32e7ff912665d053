import { dirname, isAbsolute, join } from 'node:path';
import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { Clock } from '../clock/index.js';
import type { Access, AccessSource, TlsMaterial } from './access.js';
import { ClientNodeAccess, type ClientNodeKubeConfig } from './client-node.js';
import { CLIENT_NODE, installationFor } from './client-node-line.js';
import { ConnectionSettingsError, CredentialsError, textOf } from './errors.js';
import type { Fields, KubeconfigEntry } from './kubeconfig.js';

/** Imports `@kubernetes/client-node`. */
export type LoadClientNode = () => Promise<unknown>;

/** A user that logs in by `exec` or `auth-provider`. */
export interface PluginLogin {
  readonly cluster: KubeconfigEntry;
  readonly user: KubeconfigEntry;
  /** The kubeconfig without the plugin: authority, client certificate, impersonation. */
  readonly base: AccessSource;
  /** File, context and user, for messages. */
  readonly origin: string;
}

export interface PluginAccessOptions {
  readonly load?: LoadClientNode | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Lets client-node run a login plugin, and adds what it gives to what the kubeconfig says itself.
 *
 * A refused credential starts anew with a KubeConfig of its own: client-node keeps a plugin's token until its end, even when the server does not take it (N15).
 */
export class PluginAccess implements AccessSource {
  readonly #login: PluginLogin;
  readonly #options: PluginAccessOptions;
  #plugin: ClientNodeAccess;
  #last: { readonly base: Access; readonly plugin: Access; readonly access: Access } | undefined;

  constructor(login: PluginLogin, options: PluginAccessOptions) {
    refuseUnusable(login);
    this.#login = login;
    this.#options = options;
    this.#plugin = this.#start();
  }

  async current(): Promise<Access> {
    const base = await this.#login.base.current();
    const plugin = await this.#plugin.current();
    const last = this.#last;
    if (last !== undefined && last.base === base && last.plugin === plugin) return last.access;
    const unchanged = last !== undefined && last.base.tls === base.tls && last.plugin.tls === plugin.tls;
    const tls = unchanged ? last.access.tls : { ...base.tls, ...clientCertificateOf(plugin.tls) };
    const access = { headers: { ...base.headers, ...plugin.headers }, tls };
    this.#last = { base, plugin, access };
    return access;
  }

  refused(access: Access): boolean {
    // Another request may have been refused first and have started anew already.
    if (access !== this.#last?.access) return true;
    this.#login.base.refused(this.#last.base);
    this.#last = undefined;
    this.#plugin = this.#start();
    return true;
  }

  #start(): ClientNodeAccess {
    let config: Promise<ClientNodeKubeConfig> | undefined;
    const { origin } = this.#login;
    return new ClientNodeAccess(
      () => {
        config ??= loadKubeConfig(this.#login, this.#options.load ?? importClientNode);
        return config;
      },
      { origin, clock: this.#options.clock },
    );
  }
}

/** Whom to trust is for the kubeconfig to say, never for a plugin. */
function clientCertificateOf({ cert, key, pfx, passphrase }: TlsMaterial): TlsMaterial {
  return Object.fromEntries(Object.entries({ cert, key, pfx, passphrase }).filter(([, value]) => value !== undefined));
}

function refuseUnusable({ user, origin }: PluginLogin): void {
  const exec = user.fields['exec'];
  if (isRecord(exec) && isRecord(user.fields['auth-provider']))
    throw new ConnectionSettingsError(`${origin}: exec and auth-provider exclude each other; remove one`);
  if (!isRecord(exec)) return;
  if (typeof exec['command'] !== 'string' || exec['command'] === '') throw new ConnectionSettingsError(`${origin}: exec has no command`);
  if (exec['interactiveMode'] === 'Always')
    throw new ConnectionSettingsError(
      `${origin}: exec wants a terminal (interactiveMode: Always), which an operator has not; use a token or a client certificate`,
    );
}

function importClientNode(): Promise<unknown> {
  // The name stands in a variable so that neither compilers nor bundlers look for a package that most installations do not have.
  const name: string = CLIENT_NODE;
  return import(name) as Promise<unknown>;
}

interface ClientNodeModule {
  readonly KubeConfig: new () => ClientNodeKubeConfig & { loadFromClusterAndUser(cluster: unknown, user: unknown): void };
}

async function loadKubeConfig(login: PluginLogin, load: LoadClientNode): Promise<ClientNodeKubeConfig> {
  const { cluster, user, origin } = login;
  const how = isRecord(user.fields['exec']) ? 'exec' : 'auth-provider';
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (error) {
    const advice = `install it beside keelson (${installationFor(process.versions.node)}), or use a token or a client certificate`;
    throw new CredentialsError(
      `${origin}: logs in by ${how}, for which ${CLIENT_NODE} is needed and cannot be loaded: ${textOf(error)}; ${advice}`,
      { cause: error },
    );
  }
  const { KubeConfig } = loaded as Partial<ClientNodeModule>;
  if (typeof KubeConfig !== 'function')
    throw new CredentialsError(`${origin}: ${CLIENT_NODE} was loaded but has no KubeConfig; install version 1 or 2`);
  const config = new KubeConfig();
  // Only what the plugins read: authority, certificates and impersonation are ours. Not the server's address either: no plugin is given it this way, and for
  // plain HTTP client-node would demand the setting that certificates need not be checked.
  config.loadFromClusterAndUser(
    { name: cluster.name, server: 'https://unused.invalid' },
    { name: user.name, exec: execOf(login), authProvider: user.fields['auth-provider'] },
  );
  return config;
}

/** The `exec` part with what client-node leaves out: a command relative to its file, and the variable that describes the request to the plugin. */
function execOf({ cluster, user }: PluginLogin): Fields | undefined {
  const exec = user.fields['exec'];
  if (!isRecord(exec)) return undefined;
  const command = exec['command'] as string;
  const isRelativePath = /[\\/]/.test(command) && !isAbsolute(command);
  const info = {
    apiVersion: exec['apiVersion'] ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { ...(exec['provideClusterInfo'] === true ? { cluster: clusterInfoOf(cluster.fields) } : {}), interactive: false },
  };
  const given: readonly unknown[] = Array.isArray(exec['env']) ? exec['env'] : [];
  return {
    ...exec,
    command: isRelativePath ? join(dirname(user.file), command) : command,
    env: [...given, { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }],
  };
}

/** Source of the form: `client.authentication.k8s.io/v1`, `Cluster`. */
function clusterInfoOf(cluster: Fields): Fields {
  const names = ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'certificate-authority-data'];
  const extensions: readonly unknown[] = Array.isArray(cluster['extensions']) ? cluster['extensions'] : [];
  const own = extensions.find((entry) => isRecord(entry) && entry['name'] === 'client.authentication.k8s.io/exec') as Fields | undefined;
  return {
    ...Object.fromEntries(names.filter((name) => name in cluster).map((name) => [name, cluster[name]])),
    ...(own === undefined ? {} : { config: own['extension'] }),
  };
}
