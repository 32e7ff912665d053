import { type Access, type Assets, accessOf, defined, InvalidObject, within } from './assets.js';
import type { LimitName, Relabeling } from './endpoint-schema.js';
import type { PodMonitor, Probe, Prometheus, ScrapeConfig, ServiceMonitor } from './kinds.js';
import { type RelabelConfig, relabelConfigsOf } from './relabeling.js';
import { millisecondsOfSpan } from './spans.js';

/** One scrape as Prometheus reads it. */
export interface Scrape {
  readonly job_name: string;
  readonly relabel_configs: readonly RelabelConfig[];
  readonly [field: string]: unknown;
}

/** For whom the configuration is, and where values that it names are collected. */
export interface ScrapeContext {
  readonly prometheus: Prometheus;
  readonly assets: Assets;
  readonly apiServer: object;
}

/** Settings of one scrape, common to all kinds. */
export interface Scraping extends Access {
  readonly path?: string | undefined;
  readonly scheme?: string | undefined;
  readonly params?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly interval?: string | undefined;
  readonly scrapeTimeout?: string | undefined;
  readonly honorLabels?: boolean | undefined;
  readonly honorTimestamps?: boolean | undefined;
  readonly followRedirects?: boolean | undefined;
  readonly enableHttp2?: boolean | undefined;
  readonly bearerTokenFile?: string | undefined;
  readonly metricRelabelings?: readonly Relabeling[] | undefined;
}

export interface ScrapeQuestion extends ScrapeContext {
  readonly object: ServiceMonitor | PodMonitor | Probe | ScrapeConfig;
  readonly jobName: string;
  /** Where `scraping` stands in the spec. @defaultValue the spec itself */
  readonly field?: string;
  readonly scraping: Scraping;
  /** The part that finds targets: `static_configs`, `kubernetes_sd_configs` … */
  readonly discovery: object;
  /** From the labels of discovery to those of targets. */
  readonly steps: readonly RelabelConfig[];
  /** The label by which targets are divided between shards. @defaultValue the address that is asked */
  readonly hashed?: '__param_target';
}

// #region scrape
/** The scrape, as far as it is common to all kinds. @throws InvalidObject if Prometheus would refuse it, and with it the whole configuration */
export function scrapeOf(question: ScrapeQuestion): Scrape {
  const { prometheus, assets, object, scraping, field, hashed = '__address__' } = question;
  const { spec } = prometheus;
  const { namespace = '' } = object.metadata;
  checkSpans(question);
  const enforced: RelabelConfig[] =
    spec.enforcedNamespaceLabel === undefined ? [] : [{ target_label: spec.enforcedNamespaceLabel, replacement: namespace }];
  const metricSteps = [...relabelConfigsOf(scraping.metricRelabelings, within(field, 'metricRelabelings')), ...enforced];
  const scrape = {
    job_name: question.jobName,
    honor_labels: spec.overrideHonorLabels ? false : (scraping.honorLabels ?? false),
    ...defined({ honor_timestamps: spec.overrideHonorTimestamps ? false : scraping.honorTimestamps }),
    ...question.discovery,
    ...defined({
      scrape_interval: scraping.interval,
      scrape_timeout: scraping.scrapeTimeout,
      metrics_path: scraping.path,
      params: scraping.params,
      scheme: scraping.scheme?.toLowerCase(),
      follow_redirects: scraping.followRedirects,
      enable_http2: scraping.enableHttp2,
      bearer_token_file: scraping.bearerTokenFile,
    }),
    ...accessOf(scraping, assets, { namespace, field }),
    relabel_configs: [{ source_labels: ['job'], target_label: '__tmp_prometheus_job_name' }, ...question.steps, ...enforced],
    ...limitsOf(object, prometheus),
    ...(metricSteps.length === 0 ? {} : { metric_relabel_configs: metricSteps }),
  };
  checkVariables(scrape, question);
  return { ...scrape, relabel_configs: [...scrape.relabel_configs, ...shardSteps(shardsOf(prometheus), hashed)] };
}
// #endregion

function checkSpans({ prometheus, scraping: { interval, scrapeTimeout }, field }: ScrapeQuestion): void {
  const every = interval ?? prometheus.spec.scrapeInterval;
  if (scrapeTimeout !== undefined && millisecondsOfSpan(scrapeTimeout) > millisecondsOfSpan(every))
    throw new InvalidObject(`${within(field, 'scrapeTimeout')}: ${scrapeTimeout} is longer than the interval, ${every}`);
}

/** Where the configuration is loaded such a text would be filled in, or keep all of it from being loaded. */
function checkVariables(scrape: object, { object, field }: ScrapeQuestion): void {
  const [variable] = /\$\(\w+\)/.exec(JSON.stringify(scrape)) ?? [];
  if (variable === undefined) return;
  const where = field === undefined ? '' : `${field}: `;
  throw new InvalidObject(`${where}${variable} is a variable of the Pod, which a ${object.kind} cannot use`);
}

/** Below 1 means 1. */
export function shardsOf({ spec }: Prometheus): number {
  return Math.max(1, spec.shards);
}

// #region shards
/** All shards have one configuration: each keeps the targets whose hash is its own number. An object may set `__tmp_hash`, or take part in none of this. */
function shardSteps(shards: number, hashed: string): RelabelConfig[] {
  return [
    {
      source_labels: [hashed, '__tmp_hash'],
      separator: ';',
      regex: '(.+);',
      target_label: '__tmp_hash',
      replacement: '$1',
      action: 'replace',
    },
    { source_labels: ['__tmp_hash'], target_label: '__tmp_hash', modulus: shards, action: 'hashmod' },
    { source_labels: ['__tmp_hash', '__tmp_disable_sharding'], regex: '$(SHARD);|.+;.+', action: 'keep' },
  ];
}
// #endregion

const LIMITS = {
  sampleLimit: ['sample_limit', 'enforcedSampleLimit'],
  targetLimit: ['target_limit', 'enforcedTargetLimit'],
  labelLimit: ['label_limit', 'enforcedLabelLimit'],
  labelNameLengthLimit: ['label_name_length_limit', 'enforcedLabelNameLengthLimit'],
  labelValueLengthLimit: ['label_value_length_limit', 'enforcedLabelValueLengthLimit'],
} as const satisfies Record<LimitName, readonly [string, keyof Prometheus['spec']]>;

/** An object may ask for less than what is enforced, not for more and not for none. */
function limitsOf(object: ScrapeQuestion['object'], { spec }: Prometheus): object {
  return Object.fromEntries(
    Object.entries(LIMITS).flatMap(([name, [field, enforcing]]) => {
      const wanted = object.spec[name as LimitName] ?? 0;
      const enforced = spec[enforcing] ?? 0;
      const limit = wanted === 0 || enforced === 0 ? Math.max(wanted, enforced) : Math.min(wanted, enforced);
      return limit === 0 ? [] : [[field, limit]];
    }),
  );
}
