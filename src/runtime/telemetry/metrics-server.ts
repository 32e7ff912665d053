import type { IncomingMessage, ServerResponse } from 'node:http';
import { CertificateAuthority, type KeyPair } from '@keelson/kubernetes/certificates';
import { type Logger, RUNTIME_CONTRACT } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { type Journal, type JournalFilter, journalText } from '../journal/index.js';
import { TelemetryServerError } from './errors.js';
import { answer, HttpListener, pathOf, queryOf } from './http-listener.js';
import type { Metrics } from './metrics.js';
import { Profiles } from './profiles.js';
import { ReaderAccess, type ReaderAccessOptions } from './reader-access.js';

export interface SecureMetrics {
  /** Asks the API server about callers; it needs the right to create token reviews and subject access reviews. */
  readonly client: ReaderAccessOptions['client'];
  /** @defaultValue one that is made in memory: readers cannot verify it. {@link MetricsServer.setCertificate} brings another one. */
  readonly certificate?: KeyPair | undefined;
}

export interface MetricsServerOptions {
  readonly port: number;
  readonly host?: string | undefined;
  readonly metrics: Pick<Metrics, 'text'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** HTTPS, and only for callers whom the API server allows the path. @defaultValue plain HTTP for all callers */
  readonly secure?: SecureMetrics | undefined;
  /**
   * Whether heap snapshots and CPU profiles are handed out, at `/debug/pprof/heap` and `/debug/pprof/profile?seconds=`.
   * @defaultValue false — a snapshot holds every secret of the process; the right to `get` each path is needed on top
   */
  readonly profiles?: boolean | undefined;
  /** Read at `/journal`, where metrics are secure: contents of objects are not for every caller that reaches the port. @defaultValue none */
  readonly journal?: Pick<Journal, 'runs'> | undefined;
}

const JOURNAL_PATH = RUNTIME_CONTRACT.paths.journal;

/** Ten years: it is not verified, and a process that outlives it would stop being read. */
const OWN_CERTIFICATE_MS = 10 * 365 * 24 * 3_600_000;

/**
 * Serves metrics for Prometheus.
 *
 * Guarantees: with `secure` nothing, not even which paths exist, is shown to clients that the API server does not allow the path; profiles are never served without;
 * scrapes that come together are one reading; {@link stop} leaves no connection and no timer.
 */
export class MetricsServer {
  readonly #listener: HttpListener;
  readonly #metrics: MetricsServerOptions['metrics'];
  readonly #access: ReaderAccess | undefined;
  readonly #profiles: Profiles | undefined;
  readonly #journal: MetricsServerOptions['journal'];
  #reading: ReturnType<Metrics['text']> | undefined;

  /** @throws TelemetryServerError for profiles that no right would guard */
  constructor({ port, host, metrics, clock, log, secure, journal, profiles = false }: MetricsServerOptions) {
    if (profiles && secure === undefined)
      throw new TelemetryServerError(
        'metrics: profiles are served to authorized callers only; serve metrics securely, or leave profiles off',
      );
    this.#metrics = metrics;
    this.#access = secure === undefined ? undefined : new ReaderAccess({ client: secure.client, clock, log });
    this.#profiles = profiles ? new Profiles({ clock, log }) : undefined;
    this.#journal = secure === undefined ? undefined : journal;
    const certificate = secure === undefined ? undefined : (secure.certificate ?? ownCertificate(clock));
    this.#listener = new HttpListener({
      what: 'metrics',
      port,
      host,
      certificate,
      clock,
      log,
      handle: (request, response) => this.#handle(request, response),
    });
  }

  /** @throws TelemetryServerError when the port cannot be had */
  start(): Promise<{ readonly port: number }> {
    return this.#listener.start();
  }

  /** Serves with another certificate from now on; connections that are open go on. */
  setCertificate(certificate: KeyPair): void {
    this.#listener.setCertificate(certificate);
  }

  stop(): Promise<void> {
    return this.#listener.stop();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    if (this.#access !== undefined) {
      const verb = (request.method ?? 'GET').toLowerCase();
      const access = await this.#access.judge({
        authorization: request.headers.authorization,
        verb,
        path,
        source: request.socket.remoteAddress,
      });
      if (access.status !== 200) {
        if (access.status === 401) response.setHeader('www-authenticate', 'Bearer');
        answer(response, access.status, `${access.text}\n`);
        return;
      }
    }
    if (path === RUNTIME_CONTRACT.paths.metrics) {
      const { contentType, body } = await this.#read();
      answer(response, 200, body, contentType);
    } else if (this.#access !== undefined && (path === JOURNAL_PATH || path.startsWith(`${JOURNAL_PATH}/`))) {
      answerJournal(this.#journal, { path, query: queryOf(request) }, response);
    } else if ((await this.#profiles?.serve(path, queryOf(request), response)) !== true) {
      answer(response, 404, `not found; metrics are at ${RUNTIME_CONTRACT.paths.metrics}\n`);
    }
  }

  #read(): ReturnType<Metrics['text']> {
    this.#reading ??= this.#metrics.text().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }
}

/**
 * All runs, or at `/journal/KIND/NAMESPACE/NAME` and `/journal/KIND/NAME` those of one object, so that a right can be given for some. Text for people, JSON with
 * `format=json`; `controller` picks runs. The path is compared as it was sent: it is what the right was asked for.
 */
function answerJournal(
  journal: Pick<Journal, 'runs'> | undefined,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  response: ServerResponse,
): void {
  if (journal === undefined) {
    answer(response, 404, `no journal is kept; start the process with ${RUNTIME_CONTRACT.env.journal}=true\n`);
    return;
  }
  const [kind, ...object] = path.slice(JOURNAL_PATH.length + 1).split('/');
  const picked: JournalFilter = path === JOURNAL_PATH ? {} : { kind, object: object.join('/') };
  const runs = journal.runs({ ...picked, controller: query.get('controller') ?? undefined });
  if (query.get('format') === 'json') answer(response, 200, JSON.stringify(runs), 'application/json');
  else answer(response, 200, `${journalText(runs)}\n`);
}

function ownCertificate(clock: Clock): KeyPair {
  const validity = { notAfter: new Date(Math.max(clock.wallMs(), Date.now()) + OWN_CERTIFICATE_MS) };
  const authority = CertificateAuthority.create({ commonName: 'keelson metrics', ...validity });
  return authority.issueServing({ dnsNames: ['localhost'], ...validity });
}
