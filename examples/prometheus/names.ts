/** Names that users of the original know, and programs rely on. */
export const GOVERNING_SERVICE = 'prometheus-operated';
export const CONFIG_FILE = 'prometheus.yaml.gz';
export const CONTAINER_RULES_PATH = '/etc/prometheus/rules';

export const configSecretName = (prometheus: string): string => `prometheus-${prometheus}`;
export const assetsSecretName = (prometheus: string): string => `prometheus-${prometheus}-tls-assets-0`;
export const webConfigSecretName = (prometheus: string): string => `prometheus-${prometheus}-web-config`;
export const ruleConfigMapName = (prometheus: string, index: number): string => `prometheus-${prometheus}-rulefiles-${index}`;
export const statefulSetName = (prometheus: string, shard: number): string =>
  shard === 0 ? `prometheus-${prometheus}` : `prometheus-${prometheus}-shard-${shard}`;

export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'prometheus-operator' } as const;

/** Labels of all objects of a Prometheus. */
export const objectLabels = (prometheus: string): Readonly<Record<string, string>> => ({
  ...MANAGED_BY,
  'app.kubernetes.io/name': 'prometheus',
  'app.kubernetes.io/instance': prometheus,
  'operator.prometheus.io/name': prometheus,
  prometheus,
});

export const SHARD_LABEL = 'operator.prometheus.io/shard';
