import type { ConfigMap, Secret } from 'keelson/kinds';
import type { Authorization, BasicAuth, TlsConfig } from './endpoint-schema.js';

/** An object that is left out, and why; the others count all the same. */
export class InvalidObject extends Error {}

interface KeySelector {
  readonly name?: string | undefined;
  readonly key: string;
}

interface Key {
  readonly name: string;
  readonly namespace: string;
}

/** Objects that others name, as the handles of a controller find them. */
export interface Sources {
  secret(key: Key): Secret | undefined;
  configMap(key: Key): ConfigMap | undefined;
}

/** Where an object names what it takes: in which namespace that is, and by which field of its spec. */
export interface Place {
  readonly namespace: string;
  /** @defaultValue the spec itself */
  readonly field?: string | undefined;
}

/** The field `name` of another one. @param field default: the spec itself */
export const within = (field: string | undefined, name: string): string => (field === undefined ? name : `${field}.${name}`);

/** Where the files of {@link Assets} are mounted. */
export const ASSETS_PATH = '/etc/prometheus/certs';

// #region assets
/**
 * Values that objects take from Secrets and ConfigMaps: passwords stand in the generated configuration, which is a Secret itself; certificates and keys become
 * files of a further Secret. Nothing but what is named is copied.
 */
export class Assets {
  /** By name, in base64. */
  readonly files = new Map<string, string>();
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** @throws InvalidObject if there is no such Secret, or no such key in it */
  text(selector: KeySelector, place: Place): string {
    return Buffer.from(this.#secret(selector, place), 'base64').toString();
  }

  /** @returns the path of the file in Prometheus’ container. @throws InvalidObject as {@link text} */
  secretFile(selector: KeySelector, place: Place): string {
    return this.#file(`secret_${place.namespace}_${selector.name}_${selector.key}`, this.#secret(selector, place));
  }

  configMapFile({ name = '', key }: KeySelector, { namespace, field }: Place): string {
    const configMap = this.#sources.configMap({ namespace, name });
    if (configMap === undefined) throw invalid(field, `there is no ConfigMap ${namespace}/${name}`);
    const text = configMap.data?.[key];
    const encoded = text === undefined ? configMap.binaryData?.[key] : Buffer.from(text).toString('base64');
    if (encoded === undefined) throw invalid(field, `ConfigMap ${namespace}/${name} has no key ${key}`);
    return this.#file(`configmap_${namespace}_${name}_${key}`, encoded);
  }

  /** Takes over what an object needs that turned out to be valid. */
  add(others: Assets): void {
    for (const [name, content] of others.files) this.files.set(name, content);
  }

  #secret({ name = '', key }: KeySelector, { namespace, field }: Place): string {
    const secret = this.#sources.secret({ namespace, name });
    if (secret === undefined) throw invalid(field, `there is no Secret ${namespace}/${name}`);
    const value = secret.data?.[key];
    if (value === undefined) throw invalid(field, `Secret ${namespace}/${name} has no key ${key}`);
    return value;
  }

  #file(name: string, content: string): string {
    this.files.set(name, content);
    return `${ASSETS_PATH}/${name}`;
  }
}
// #endregion

export interface Access {
  readonly basicAuth?: BasicAuth | undefined;
  readonly authorization?: Authorization | undefined;
  readonly tlsConfig?: TlsConfig | undefined;
}

/** The part of a scrape, or of a discovery, with the credentials of the client. @param place of the fields of `Access` @throws InvalidObject that names the field */
export function accessOf({ basicAuth, authorization, tlsConfig }: Access, assets: Assets, place: Place): object {
  const { field } = place;
  if (basicAuth !== undefined && authorization !== undefined) throw invalid(field, 'basicAuth and authorization exclude each other');
  if (authorization?.type.toLowerCase() === 'basic') throw invalid(within(field, 'authorization.type'), 'Basic is written as basicAuth');
  const text = (selector: KeySelector, name: string): string => assets.text(selector, placeIn(place, name));
  return {
    ...(basicAuth === undefined
      ? {}
      : {
          basic_auth: {
            username: text(basicAuth.username, 'basicAuth.username'),
            password: text(basicAuth.password, 'basicAuth.password'),
          },
        }),
    ...(authorization === undefined
      ? {}
      : {
          authorization: {
            type: authorization.type,
            ...(authorization.credentials === undefined
              ? {}
              : { credentials: text(authorization.credentials, 'authorization.credentials') }),
          },
        }),
    ...(tlsConfig === undefined ? {} : { tls_config: tlsOf(tlsConfig, assets, placeIn(place, 'tlsConfig')) }),
  };
}

const placeIn = ({ namespace, field }: Place, name: string): Place => ({ namespace, field: within(field, name) });

const invalid = (field: string | undefined, reason: string): InvalidObject =>
  new InvalidObject(field === undefined ? reason : `${field}: ${reason}`);

function tlsOf(tls: TlsConfig, assets: Assets, place: Place): object {
  const from = (source: TlsConfig['ca'], name: string): string | undefined => {
    const own = placeIn(place, name);
    if (source?.secret !== undefined && source.configMap !== undefined)
      throw invalid(own.field, 'a Secret and a ConfigMap exclude each other');
    if (source?.secret !== undefined) return assets.secretFile(source.secret, own);
    return source?.configMap === undefined ? undefined : assets.configMapFile(source.configMap, own);
  };
  const files = {
    ca_file: from(tls.ca, 'ca') ?? tls.caFile,
    cert_file: from(tls.cert, 'cert') ?? tls.certFile,
    key_file: tls.keySecret === undefined ? tls.keyFile : assets.secretFile(tls.keySecret, placeIn(place, 'keySecret')),
  };
  if ((files.cert_file === undefined) !== (files.key_file === undefined))
    throw invalid(place.field, 'a client certificate and its key come together');
  return defined({ ...files, server_name: tls.serverName, insecure_skip_verify: tls.insecureSkipVerify });
}

/** Names of the objects that a part of a spec refers to by `key` and `name`, whichever field they stand in. */
export function namesIn(part: unknown, kind: 'Secret' | 'ConfigMap'): readonly { readonly name: string }[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([field, value]: [string, unknown]) => {
    if (isKeySelector(value)) return (field === 'configMap') === (kind === 'ConfigMap') ? [{ name: value.name }] : [];
    return namesIn(value, kind);
  });
}

function isKeySelector(value: unknown): value is { readonly key: string; readonly name: string } {
  return typeof value === 'object' && value !== null && 'key' in value && 'name' in value && typeof value.key === 'string';
}

/** Without the fields that have no value. */
export function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
