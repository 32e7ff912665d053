import { Chart, type ChartProps } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { CustomResource, Operator } from 'keelson/constructs';
import { Memcached } from '../memcached/memcached.js';
import { operator as memcachedOperator } from '../memcached/memcached-operator.js';

export interface PlatformChartProps extends ChartProps {
  readonly namespace: string;
  readonly image: string;
}

/** A platform team's chart: an operator made with keelson among objects made with cdk8s-plus. */
export class PlatformChart extends Chart {
  readonly operator: Operator;

  constructor(scope: Construct, id: string, props: PlatformChartProps) {
    super(scope, id, props);
    const namespace = new kplus.Namespace(this, 'namespace', { metadata: { name: props.namespace } });
    new kplus.ConfigMap(this, 'settings', { metadata: { name: 'platform-settings' }, data: { region: 'eu-central' } });
    const settings = kplus.ConfigMap.fromConfigMapName(this, 'settings-reference', 'platform-settings');
    const registry = kplus.Secret.fromSecretName(this, 'registry', 'registry');

    // #region operator
    this.operator = new Operator(this, 'memcached', {
      operator: memcachedOperator,
      image: props.image,
      namespace, // anything with a name
      imagePullSecrets: [registry],
      env: { MEMCACHED_IMAGE: 'registry.example.com/memcached:1.6', REGION: kplus.EnvValue.fromConfigMap(settings, 'region') },
      envFrom: [{ configMapRef: { name: settings.name } }],
      replicas: 2,
      networkPolicy: true,
    });
    // #endregion

    // #region bind
    // A right that no controller declares, granted by a role of cdk8s-plus to the operator's ServiceAccount.
    const settingsReader = new kplus.Role(this, 'settings-reader', { metadata: { name: 'settings-reader' } });
    settingsReader.allowGet(settings);
    settingsReader.bind(this.operator.serviceAccount);
    // #endregion

    this.addCache(settings);
  }

  /** A cache, and a workload of cdk8s-plus that gets its name. */
  private addCache(settings: kplus.IConfigMap): void {
    const cache = new CustomResource(this, 'cache', { definition: Memcached, metadata: { name: 'sessions' }, spec: { size: 3 } });
    const web = new kplus.Deployment(this, 'web', {
      metadata: { name: 'web' },
      containers: [{ image: 'registry.example.com/web:2.0.0', portNumber: 8080 }],
    });
    web.containers[0]?.env.addVariable('CACHE', kplus.EnvValue.fromValue(cache.name));
    web.containers[0]?.env.addVariable('REGION', kplus.EnvValue.fromConfigMap(settings, 'region'));
  }
}
