import { stringify } from 'yaml';
import { defined } from './assets.js';
import type { Prometheus } from './kinds.js';
import { CONTAINER_RULES_PATH, ruleConfigMapName } from './names.js';
import type { Scrape } from './scrape.js';

export interface ConfigParts {
  readonly prometheus: Prometheus;
  readonly scrapes: readonly Scrape[];
  /** How many ConfigMaps hold the rules. */
  readonly ruleParts: number;
}

// #region config
/** The configuration of all shards and replicas. `$(POD_NAME)` and `$(SHARD)` are replaced where it is loaded. */
export function configOf({ prometheus, scrapes, ruleParts }: ConfigParts): string {
  const { metadata, spec } = prometheus;
  const named = (label: string, value: string): object => (label === '' ? {} : { [label]: value });
  const config = {
    global: {
      evaluation_interval: spec.evaluationInterval,
      scrape_interval: spec.scrapeInterval,
      ...defined({ scrape_timeout: spec.scrapeTimeout }),
      external_labels: {
        ...spec.externalLabels,
        ...named(spec.prometheusExternalLabelName, `${metadata.namespace}/${metadata.name}`),
        ...named(spec.replicaExternalLabelName, '$(POD_NAME)'),
      },
    },
    rule_files: Array.from(
      { length: ruleParts },
      (_, index) => `${CONTAINER_RULES_PATH}/${ruleConfigMapName(metadata.name, index)}/*.yaml`,
    ),
    scrape_configs: scrapes,
  };
  // Prometheus reads YAML 1.1, where `yes` is a boolean.
  return stringify(config, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
// #endregion
