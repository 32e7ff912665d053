import { isNativeError } from 'node:util/types';
import { type Clock, systemClock } from '../clock/index.js';
import type { Access, AccessSource, TlsMaterial } from './access.js';
import { type Connection, refuseUnusableServer } from './connection.js';
import { ConnectionSettingsError, CredentialsError, textOf } from './errors.js';
import { proxyUrlOf } from './proxy.js';

/** The options that `applyToHTTPSOptions` writes into. */
export interface ClientNodeOptions {
  headers?: Record<string, unknown>;
  auth?: string | null;
  ca?: unknown;
  cert?: unknown;
  key?: unknown;
  pfx?: unknown;
  passphrase?: string;
  servername?: string;
  rejectUnauthorized?: boolean;
}

/** As much of a `KubeConfig` of `@kubernetes/client-node` as is used: any version that has it will do. */
export interface ClientNodeKubeConfig {
  /** Name of the context that is used. */
  getCurrentContext(): string;
  /** The context of this name; `null` if it does not exist. */
  getContextObject(name: string): { readonly namespace?: string } | null;
  /** The API server of the current context; `null` if it names none. */
  getCurrentCluster(): {
    readonly server: string;
    readonly proxyUrl?: string;
    readonly tlsServerName?: string;
    readonly skipTLSVerify?: boolean;
  } | null;
  /** Adds the credentials of the current user to the options of a request; it may run a login plugin. */
  // A method, so that client-node's own option type, which is wider, is accepted.
  applyToHTTPSOptions(options: ClientNodeOptions): Promise<void>;
}

/**
 * How long an answer of client-node is used. It does not say when a token ends, and for one without an end it runs the plugin anew each time it is asked
 * (N15); what ends within the minute is noticed by the server's 401.
 */
const BELIEVED_MS = 60_000;

/** Asks a KubeConfig for credentials, at most once a minute unless they are refused. */
export class ClientNodeAccess implements AccessSource {
  readonly #config: () => Promise<ClientNodeKubeConfig>;
  readonly #origin: string;
  readonly #clock: Clock;
  #access: Access | undefined;
  #askedAtMs = 0;
  #asking: Promise<Access> | undefined;

  constructor(
    config: () => Promise<ClientNodeKubeConfig>,
    { origin, clock = systemClock }: { readonly origin: string; readonly clock?: Clock | undefined },
  ) {
    this.#config = config;
    this.#origin = origin;
    this.#clock = clock;
  }

  current(): Promise<Access> {
    if (this.#access !== undefined && this.#clock.monotonicMs() - this.#askedAtMs < BELIEVED_MS) return Promise.resolve(this.#access);
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  refused(access: Access): boolean {
    // Another request may have been refused first and have fetched new ones already.
    if (access === this.#access) this.#askedAtMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  async #ask(): Promise<Access> {
    const options: ClientNodeOptions = { headers: {} };
    const config = await this.#config();
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw noCredentials(this.#origin, error);
    }
    const cluster = config.getCurrentCluster();
    const tls = definedOnly({
      ca: options.ca,
      cert: options.cert,
      key: options.key,
      pfx: options.pfx,
      passphrase: options.passphrase,
      servername: options.servername ?? cluster?.tlsServerName,
      rejectUnauthorized: options.rejectUnauthorized ?? (cluster?.skipTLSVerify === true ? false : undefined),
    });
    const last = this.#access?.tls;
    this.#access = { headers: headersOf(options), tls: last !== undefined && sameMaterial(last, tls) ? last : tls };
    this.#askedAtMs = this.#clock.monotonicMs();
    return this.#access;
  }
}

/**
 * The connection that a client-node `KubeConfig` describes; its plugins are asked through it.
 *
 * @throws ConnectionSettingsError when it has no current cluster, or one that cannot be reached
 */
export function clientNodeConnection(config: ClientNodeKubeConfig, { clock }: { readonly clock?: Clock | undefined } = {}): Connection {
  const origin = `the given KubeConfig, context ${config.getCurrentContext()}`;
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new ConnectionSettingsError(`${origin}: there is no such context, or it names no cluster`);
  refuseUnusableServer(cluster.server, origin);
  return Object.freeze({
    server: cluster.server,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    access: new ClientNodeAccess(() => Promise.resolve(config), { origin, clock }),
    origin,
    ...((cluster.proxyUrl ?? '') === '' ? {} : { proxy: proxyUrlOf(cluster.proxyUrl ?? '', origin) }),
  });
}

/** A plugin's output is never shown: the error of a parser quotes it, and it may be a token. */
function noCredentials(origin: string, error: unknown): CredentialsError {
  if (isNativeError(error) && error.name === 'SyntaxError')
    return new CredentialsError(`${origin}: no credentials: what the login plugin wrote is not JSON`);
  return new CredentialsError(`${origin}: no credentials: ${textOf(error)}`, { cause: error });
}

function headersOf({ headers = {}, auth }: ClientNodeOptions): Access['headers'] {
  const result: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && value !== null) result[name.toLowerCase()] = Array.isArray(value) ? value.map(String) : String(value);
  }
  if (typeof auth === 'string' && auth !== '' && result['authorization'] === undefined)
    result['authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  return result;
}

function definedOnly(fields: Record<keyof TlsMaterial, unknown>): TlsMaterial {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as TlsMaterial;
}

function sameMaterial(a: TlsMaterial, b: TlsMaterial): boolean {
  const same = (x: unknown, y: unknown): boolean => x === y || (Buffer.isBuffer(x) && Buffer.isBuffer(y) && x.equals(y));
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof TlsMaterial)[];
  return names.every((name) => same(a[name], b[name]));
}
