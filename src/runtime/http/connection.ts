import { type Clock, systemClock } from '../clock/index.js';
import { type Access, type AccessSource, type Impersonation, impersonationHeaders, type TlsMaterial } from './access.js';
import { ConnectionSettingsError } from './errors.js';
import { FreshFile } from './fresh-file.js';
import { proxyUrlOf } from './proxy.js';
import { withoutPassword } from './without-password.js';

/** Where an API server is and how to be let in. */
export interface Connection {
  /** Base URL, for example `https://10.0.0.1:443`. */
  readonly server: string;
  /** The namespace that is meant where none is named: the Pod's own, or that of the kubeconfig's context. */
  readonly namespace: string;
  /** Gives the credentials of each request, renewed where they age. */
  readonly access: AccessSource;
  /** Where these settings come from, for messages: `kubeconfig /home/a/.kube/config, context kind`. */
  readonly origin: string;
  /** Address of the proxy in front of the server. It may hold a password. @defaultValue none */
  readonly proxy?: string | undefined;
}

/** PEM or token as it is, or the file that holds it and is read again when it changes. */
export type Material = string | Buffer | { readonly file: string };

/** The parts of a connection: a server, and one way to log in. */
export interface ConnectionOptions {
  /** Base URL, for example `https://10.0.0.1:6443`. */
  readonly server: string;
  /** The namespace that is meant where none is named. @defaultValue `default` */
  readonly namespace?: string | undefined;
  /** PEM of the authorities that may have signed the server's certificate. @defaultValue those that Node trusts */
  readonly ca?: Material | undefined;
  /** PEM of our certificate; needs `key`. */
  readonly certificate?: Material | undefined;
  /** PEM of the private key of `certificate`. */
  readonly key?: Material | undefined;
  /** A bearer token; one in a file is read again when the file changes. */
  readonly token?: Material | undefined;
  /** For what stands before an API server: the API server itself has no passwords. */
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  /** The name that the server's certificate must carry. @defaultValue the host of `server` */
  readonly tlsServerName?: string | undefined;
  /** Trusts any server that answers. @defaultValue false */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Address of a proxy: `http://`, `https://` or `socks5://`, with user and password where the proxy asks for them. @defaultValue none */
  readonly proxyUrl?: string | undefined;
  /** The user whose rights requests have; the client must have the right to impersonate. @defaultValue none */
  readonly impersonate?: Impersonation | undefined;
  /** Where these settings come from, for messages. @defaultValue `the given connection options` */
  readonly origin?: string | undefined;
  /** Decides when files are read again. @defaultValue the system's */
  readonly clock?: Clock | undefined;
}

/**
 * Makes a connection from its parts. Nothing is read or opened before the first request.
 *
 * @example
 * ```ts
 * const connection = connectionOf({ server: 'https://10.0.0.1:6443', token: 'a token', ca: 'a certificate in PEM' });
 * const client = createClient({ connection });
 * ```
 *
 * @throws ConnectionSettingsError for parts that do not fit together
 */
export function connectionOf(options: ConnectionOptions): Connection {
  const { server, namespace = 'default', origin = 'the given connection options' } = options;
  refuseContradictions(options, origin);
  const proxy = options.proxyUrl === undefined ? {} : { proxy: proxyUrlOf(options.proxyUrl, origin) };
  return Object.freeze({ server, namespace, origin, access: new MaterialAccess(options, origin), ...proxy });
}

function refuseContradictions({ server, ca, certificate, key, insecureSkipTlsVerify }: ConnectionOptions, origin: string): void {
  refuseUnusableServer(server, origin);
  const refuse = (problem: string): never => {
    throw new ConnectionSettingsError(`${origin}: ${problem}`);
  };
  if (certificate !== undefined && key === undefined)
    refuse('there is a client certificate, but no key for it (client-key or client-key-data)');
  if (key !== undefined && certificate === undefined)
    refuse('there is a client key, but no certificate (client-certificate or client-certificate-data)');
  // As client-go: a root that is not asked is a mistake, and an unsafe one.
  if (insecureSkipTlsVerify === true && ca !== undefined)
    refuse('insecure-skip-tls-verify and a certificate authority exclude each other; remove one');
}

/** Never shown whole: an address may carry a password. @throws ConnectionSettingsError for what no request can be sent to */
export function refuseUnusableServer(server: string, origin: string): void {
  const refuse = (problem: string): never => {
    throw new ConnectionSettingsError(`${origin}: server ${JSON.stringify(withoutPassword(server))} ${problem}`);
  };
  if (typeof server !== 'string' || !URL.canParse(server)) refuse('is no URL; write for example https://10.0.0.1:6443');
  const { protocol, username, password, search, hash } = new URL(server);
  if (protocol !== 'https:' && protocol !== 'http:') refuse(`has the wrong protocol: ${protocol} is neither https: nor http:`);
  if (username !== '' || password !== '') refuse('holds a user name or a password, which would be left out; give them as the user');
  if (search !== '' || hash !== '') refuse('has a query or a fragment, which would be left out; remove them');
}

type Source = string | Buffer | FreshFile;

/** Access by material that is given or lies in files. */
class MaterialAccess implements AccessSource {
  readonly #token: Source | undefined;
  readonly #files: { readonly ca: Source | undefined; readonly cert: Source | undefined; readonly key: Source | undefined };
  readonly #settings: ConnectionOptions;
  #last: { readonly access: Access; readonly token: string | Buffer | undefined } | undefined;

  constructor(options: ConnectionOptions, origin: string) {
    const clock = options.clock ?? systemClock;
    const source = (material: Material | undefined): Source | undefined =>
      typeof material === 'object' && 'file' in material ? new FreshFile(material.file, origin, clock) : material;
    this.#token = source(options.token);
    this.#files = { ca: source(options.ca), cert: source(options.certificate), key: source(options.key) };
    this.#settings = options;
  }

  async current(): Promise<Access> {
    const { ca, cert, key } = this.#files;
    // One after the other: they are read once a minute, and two failures at once would leave one unhandled.
    const next: TlsMaterial = { ...this.#fixedTls(), ca: await contentOf(ca), cert: await contentOf(cert), key: await contentOf(key) };
    const token = await contentOf(this.#token);
    const last = this.#last;
    const sameTls = last !== undefined && (['ca', 'cert', 'key'] as const).every((name) => last.access.tls[name] === next[name]);
    // The same object while nothing has changed: a refusal is then known to be of what is in use now.
    if (last !== undefined && sameTls && last.token === token) return last.access;
    const access = { headers: this.#headers(token), tls: sameTls ? last.access.tls : next };
    this.#last = { access, token };
    return access;
  }

  atHand(): Access | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    const { ca, cert, key } = this.#files;
    const { access, token } = last;
    const isAsLast =
      isStill(this.#token, token) && isStill(ca, access.tls.ca) && isStill(cert, access.tls.cert) && isStill(key, access.tls.key);
    return isAsLast ? access : undefined;
  }

  refused(access: Access): boolean {
    const files = [this.#token, this.#files.cert, this.#files.key].filter((source) => source instanceof FreshFile);
    // Another request may have been refused first and have fetched new ones already.
    if (access === this.#last?.access) for (const file of files) file.distrust();
    return files.length > 0;
  }

  #fixedTls(): TlsMaterial {
    const { tlsServerName, insecureSkipTlsVerify } = this.#settings;
    return {
      ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
      ...(insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
    };
  }

  #headers(token: string | Buffer | undefined): Access['headers'] {
    const { basic, impersonate } = this.#settings;
    const headers: Record<string, string | string[]> = impersonate === undefined ? {} : impersonationHeaders(impersonate);
    // A file ends with a newline often enough, which no header may contain.
    if (token !== undefined) headers['authorization'] = `Bearer ${token.toString().trim()}`;
    else if (basic !== undefined)
      headers['authorization'] = `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
    return headers;
  }
}

/** Whether a source is known to have this content, without looking. */
function isStill(source: Source | undefined, content: string | Buffer | undefined): boolean {
  return (source instanceof FreshFile ? source.believed : source) === content;
}

function contentOf(source: Source | undefined): Promise<string | Buffer | undefined> {
  return source instanceof FreshFile ? source.read() : Promise.resolve(source);
}
