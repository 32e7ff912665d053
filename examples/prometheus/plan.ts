import { gzipSync } from 'node:zlib';
import { ConfigMap, Secret, type StatefulSet } from 'keelson/kinds';
import { stringify } from 'yaml';
import { Assets, InvalidObject, type Sources } from './assets.js';
import { configOf } from './config.js';
import { apiServerOf } from './discovery.js';
import type { Prometheus } from './kinds.js';
import * as names from './names.js';
import { type RuleFile, ruleFileOf, splitRuleFiles } from './rules.js';
import { type Scrape, shardsOf } from './scrape.js';
import { type Scraped, scrapesOf } from './scrapes.js';
import { isUnmanaged, type Selected, type SelectedName } from './selection.js';
import { type Images, statefulSetFor } from './stateful-set.js';

/** A selected object that is left out. */
export interface Rejection {
  readonly object: Selected[SelectedName][number];
  readonly reason: string;
}

export interface Plan {
  /** The generated configuration; missing where users write it themselves. */
  readonly config: Secret | undefined;
  readonly secrets: readonly Secret[];
  readonly configMaps: readonly ConfigMap[];
  readonly statefulSets: readonly StatefulSet[];
  readonly rejections: readonly Rejection[];
}

export interface PlanQuestion {
  readonly prometheus: Prometheus;
  readonly selected: Selected;
  readonly sources: Sources;
  readonly images: Images;
}

// #region plan
/** The objects that should exist for a Prometheus. A selected object that cannot be used is left out, and the others stay. @throws InvalidObject if the Prometheus itself cannot be used */
export function planOf({ prometheus, selected, sources, images }: PlanQuestion): Plan {
  const assets = new Assets(sources);
  const apiServer = apiServerOf(prometheus, assets);
  const rejections: Rejection[] = [];
  const each = <T extends Rejection['object'], R>(objects: readonly T[], act: (object: T, assets: Assets) => R): R[] =>
    objects.toSorted(byKey).flatMap((object) => {
      const own = new Assets(sources);
      try {
        const result = act(object, own);
        assets.add(own);
        return [result];
      } catch (error) {
        if (!(error instanceof InvalidObject)) throw error;
        rejections.push({ object, reason: error.message });
        return [];
      }
    });
  const { serviceMonitors, podMonitors, probes, scrapeConfigs } = selected;
  const scrapes: Scrape[] = [serviceMonitors, podMonitors, probes, scrapeConfigs]
    .flatMap((objects) => each<Scraped, Scrape[]>(objects, (object, own) => scrapesOf(object, { prometheus, apiServer, assets: own })))
    .flat();
  const ruleFiles = splitRuleFiles(each(selected.rules, ruleFileOf));
  const ruleParts = ruleFiles.length;
  return {
    config: isUnmanaged(prometheus) ? undefined : configSecret(prometheus, configOf({ prometheus, scrapes, ruleParts })),
    // The web configuration first: its files are among the assets.
    secrets: [webConfigSecret(prometheus, assets), assetsSecret(prometheus, assets)],
    configMaps: ruleFiles.map((files, index) => ruleConfigMap(prometheus, files, index)),
    statefulSets: Array.from({ length: shardsOf(prometheus) }, (_, shard) => statefulSetFor({ prometheus, shard, ruleParts, images })),
    rejections,
  };
}
// #endregion

const byKey = (a: Rejection['object'], b: Rejection['object']): number => (keyOf(a) < keyOf(b) ? -1 : 1);
const keyOf = ({ metadata: { namespace, name } }: Rejection['object']): string => `${namespace}/${name}`;

/** The same text is packed into the same bytes: the header holds no time. */
function configSecret({ metadata: { name } }: Prometheus, text: string): Secret {
  return Secret({
    metadata: { name: names.configSecretName(name), labels: names.objectLabels(name) },
    data: { [names.CONFIG_FILE]: gzipSync(text).toString('base64') },
  });
}

function webConfigSecret({ metadata: { name, namespace = '' }, spec }: Prometheus, assets: Assets): Secret {
  const tls = spec.web?.tlsConfig;
  const { secret, configMap } = tls?.cert ?? {};
  if (tls !== undefined && secret === undefined && configMap === undefined)
    throw new InvalidObject('spec.web.tlsConfig.cert: names nothing');
  const place = (field: string) => ({ namespace, field: `spec.web.tlsConfig.${field}` });
  const config =
    tls === undefined
      ? {}
      : {
          tls_server_config: {
            cert_file:
              secret === undefined ? assets.configMapFile(configMap as never, place('cert')) : assets.secretFile(secret, place('cert')),
            key_file: assets.secretFile(tls.keySecret, place('keySecret')),
          },
        };
  return Secret({
    metadata: { name: names.webConfigSecretName(name), labels: names.objectLabels(name) },
    data: { 'web-config.yaml': Buffer.from(stringify(config)).toString('base64') },
  });
}

function assetsSecret({ metadata: { name } }: Prometheus, assets: Assets): Secret {
  return Secret({
    metadata: { name: names.assetsSecretName(name), labels: names.objectLabels(name) },
    data: Object.fromEntries([...assets.files].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
}

function ruleConfigMap({ metadata: { name } }: Prometheus, files: readonly RuleFile[], index: number): ConfigMap {
  return ConfigMap({
    metadata: { name: names.ruleConfigMapName(name, index), labels: names.objectLabels(name) },
    data: Object.fromEntries(files.map((file) => [file.name, file.text])),
  });
}
