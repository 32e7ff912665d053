import type { EtcdTls } from '../client/api.js';
import type { BackupLocation, S3Location } from './store.js';

/** As much of a Secret as is read. */
export interface SecretData {
  readonly data?: Readonly<Record<string, string>> | undefined;
}

export interface Storage {
  readonly storageType: 'S3' | 'Directory';
  readonly s3?:
    | {
        readonly path: string;
        readonly awsSecret: string;
        readonly endpoint?: string | undefined;
        readonly region: string;
        readonly forcePathStyle: boolean;
      }
    | undefined;
  readonly directory?: { readonly path: string } | undefined;
}

/** A reference of an object cannot be used as it is; the message says why. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

export interface Place {
  readonly location: BackupLocation;
  /** Name of the backup there. */
  readonly path: string;
}

export type GetSecret = (name: string) => Promise<SecretData | undefined>;

/** @throws SourceError for a Secret that is not there, or lacks a part */
export async function placeOf({ storageType, s3, directory }: Storage, folder: string, getSecret: GetSecret): Promise<Place> {
  if (storageType === 'Directory') {
    if (directory === undefined) throw new SourceError('spec.directory is missing');
    return { location: { type: 'Directory', directory: folder }, path: directory.path };
  }
  if (s3 === undefined) throw new SourceError('spec.s3 is missing');
  const { path, awsSecret, endpoint, region, forcePathStyle } = s3;
  const cut = path.indexOf('/');
  const credentials = credentialsOf(awsSecret, await existing('spec.s3.awsSecret', awsSecret, getSecret));
  return {
    location: { type: 'S3', bucket: path.slice(0, cut), endpoint, region, forcePathStyle, credentials },
    path: path.slice(cut + 1),
  };
}

/** The client certificate for etcd. @throws SourceError for a Secret that is not there, or lacks a part */
export async function tlsOf(name: string | undefined, getSecret: GetSecret): Promise<EtcdTls | undefined> {
  if (name === undefined) return undefined;
  const secret = await existing('spec.clientTLSSecret', name, getSecret);
  const part = (key: string): string => {
    const text = decoded(secret, key);
    if (text === undefined) throw new SourceError(`the Secret ${name} has no ${key} (spec.clientTLSSecret)`);
    return text;
  };
  return { ca: part('etcd-client-ca.crt'), cert: part('etcd-client.crt'), key: part('etcd-client.key') };
}

async function existing(field: string, name: string, getSecret: GetSecret): Promise<SecretData> {
  const secret = await getSecret(name);
  if (secret === undefined) throw new SourceError(`there is no Secret ${name} in this namespace (${field})`);
  return secret;
}

function credentialsOf(name: string, secret: SecretData): S3Location['credentials'] {
  const file = decoded(secret, 'credentials') ?? '';
  const fromFile = (key: string): string | undefined => new RegExp(`^\\s*${key}\\s*=\\s*(\\S+)`, 'm').exec(file)?.[1];
  const accessKeyId = decoded(secret, 'accessKeyId') ?? fromFile('aws_access_key_id');
  const secretAccessKey = decoded(secret, 'secretAccessKey') ?? fromFile('aws_secret_access_key');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new SourceError(
      `the Secret ${name} has neither accessKeyId and secretAccessKey nor a file credentials with both (spec.s3.awsSecret)`,
    );
  return { accessKeyId, secretAccessKey, sessionToken: decoded(secret, 'sessionToken') ?? fromFile('aws_session_token') };
}

function decoded({ data }: SecretData, key: string): string | undefined {
  const text = data?.[key];
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString().trim();
}
