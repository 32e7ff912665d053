import { AwsClient } from 'aws4fetch';
import { BackupStoreError, type S3Location, type StoredBackup, type StoreOptions } from './store.js';

/** Size of a part of an upload. S3 wants 5 MiB at least, and 10,000 parts at most: 156 GiB. etcd recommends 8 GiB at most. */
const PART_BYTES = 16 * 1_024 * 1_024;

/** How long one request may take, without the bytes of its answer. */
const REQUEST_MS = 60_000;

/** Backups in a bucket, by the API of S3. A backup is sent in parts: its length is not known when it begins. */
export class S3Store {
  readonly #client: AwsClient;
  readonly #location: S3Location;

  constructor(location: S3Location) {
    const { credentials, region } = location;
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const token = sessionToken === undefined ? {} : { sessionToken };
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, ...token, service: 's3', region, retries: 4 });
    this.#location = location;
  }

  async write(name: string, chunks: AsyncIterable<Uint8Array>, { signal }: StoreOptions = {}): Promise<void> {
    const started = await this.#send(name, { method: 'POST', query: { uploads: '' }, signal });
    const [uploadId] = valuesOf(started, 'UploadId');
    if (uploadId === undefined)
      throw new BackupStoreError('Invalid', `${this.#urlOf(name).href}: the store has begun no upload: ${started.slice(0, 200)}`);
    try {
      const parts: string[] = [];
      for await (const part of partsOf(chunks, PART_BYTES)) {
        const number = parts.length + 1;
        const { headers } = await this.#request(name, {
          method: 'PUT',
          query: { partNumber: String(number), uploadId },
          body: part,
          signal,
        });
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('etag')}</ETag></Part>`);
      }
      const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
      const ended = await this.#send(name, { method: 'POST', query: { uploadId }, body, signal });
      // S3 answers 200 before it knows the end.
      if (ended.includes('<Error>')) throw new BackupStoreError('Unavailable', `${this.#urlOf(name).href}: ${explanationOf(ended)}`);
    } catch (error) {
      // Parts of an upload that is not ended cost money. Without the caller's signal: it may be why this ends.
      await this.#send(name, { method: 'DELETE', query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  }

  async read(name: string, { signal }: StoreOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    const { body } = await this.#request(name, { method: 'GET', signal });
    return body as unknown as AsyncIterable<Uint8Array>;
  }

  async list(prefix: string, { signal }: StoreOptions = {}): Promise<readonly StoredBackup[]> {
    const found: StoredBackup[] = [];
    let token: string | undefined;
    do {
      const query = { 'list-type': '2', prefix, 'encoding-type': 'url', ...(token === undefined ? {} : { 'continuation-token': token }) };
      const page = await this.#send('', { method: 'GET', query, signal });
      for (const item of valuesOf(page, 'Contents')) {
        const [[key = ''], [size = '0']] = [valuesOf(item, 'Key'), valuesOf(item, 'Size')];
        found.push({ name: decodeURIComponent(key.replaceAll('+', ' ')), bytes: Number(size) });
      }
      [token] = valuesOf(page, 'IsTruncated')[0] === 'true' ? valuesOf(page, 'NextContinuationToken') : [];
    } while (token !== undefined);
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async remove(name: string, { signal }: StoreOptions = {}): Promise<void> {
    await this.#send(name, { method: 'DELETE', signal });
  }

  async #send(name: string, request: S3Request): Promise<string> {
    return (await this.#request(name, request)).text();
  }

  async #request(name: string, { method, query = {}, body, signal }: S3Request): Promise<Response> {
    const url = this.#urlOf(name);
    url.search = new URLSearchParams(query).toString();
    let response: Response;
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(new Error(`no answer within ${REQUEST_MS} ms`)), REQUEST_MS);
    try {
      const signals = AbortSignal.any([slow.signal, ...(signal === undefined ? [] : [signal])]);
      response = await this.#client.fetch(url, { method, ...(body === undefined ? {} : { body }), signal: signals });
    } catch (error) {
      signal?.throwIfAborted();
      const { cause = error } = error as Error;
      throw new BackupStoreError(
        'Unavailable',
        `${url.origin}${url.pathname}: ${cause instanceof Error ? cause.message : String(cause)}`,
        error,
      );
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) return response;
    const text = await response.text();
    throw new BackupStoreError(codeOf(response.status), `${url.origin}${url.pathname}: ${response.status} ${explanationOf(text)}`);
  }

  #urlOf(name: string): URL {
    const { bucket, region, endpoint = `https://s3.${region}.amazonaws.com`, forcePathStyle } = this.#location;
    const url = new URL(endpoint);
    const path = name.split('/').map(encodeURIComponent).join('/');
    if (forcePathStyle) url.pathname = `/${bucket}/${path}`;
    else {
      url.hostname = `${bucket}.${url.hostname}`;
      url.pathname = `/${path}`;
    }
    return url;
  }
}

interface S3Request extends StoreOptions {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Chunks joined to parts of one size; the last one is what is left. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let [kept, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of chunks) {
    kept.push(chunk);
    bytes += chunk.length;
    while (bytes >= size) {
      const all = Buffer.concat(kept);
      yield all.subarray(0, size);
      [kept, bytes] = [[all.subarray(size)], bytes - size];
    }
  }
  if (bytes > 0) yield Buffer.concat(kept);
}

/** The texts of all elements of a name. Answers of S3 are flat, and have no attributes that matter. */
function valuesOf(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&(amp|lt|gt|quot|apos);/g, (all, name: string) => ENTITIES[name] ?? all),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function explanationOf(xml: string): string {
  const [[code], [message]] = [valuesOf(xml, 'Code'), valuesOf(xml, 'Message')];
  return [code, message].filter((part) => part !== undefined && part !== '').join(': ') || xml.slice(0, 200) || 'without a reason';
}

function codeOf(status: number): BackupStoreError['code'] {
  if (status === 404) return 'NotFound';
  if (status === 401 || status === 403) return 'Denied';
  return status >= 500 || status === 429 ? 'Unavailable' : 'Invalid';
}
