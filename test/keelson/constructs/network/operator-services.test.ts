import { Chart, Testing } from 'cdk8s';
import {
  EndpointService,
  findResource,
  installationOf,
  MetricsService,
  Operator,
  type OperatorProps,
  WebhookService,
} from 'keelson/constructs';
import { plainOperator } from '../models';
import { image } from '../synthesized';

test('a Service without pods that would answer is refused', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const installation = installationOf(chart, { operator: plainOperator, metrics: false });
  expect(() => new WebhookService(chart, 'webhooks', { installation })).toThrow(/no webhooks and no conversions/);
  expect(() => new MetricsService(chart, 'metrics', { installation })).toThrow(/metrics is false/);
});

describe('endpoints', () => {
  const handle = (): Response => new Response('');
  const operator = { ...plainOperator, endpoints: [{ name: 'backups', port: 19_999, handle }] };
  const chartOf = (props: Partial<OperatorProps> = {}): object[] => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new Operator(chart, 'operator', { operator, image, networkPolicy: true, ...props });
    return chart.toJson() as object[];
  };

  test('an endpoint has a Service, a container port and a rule of the NetworkPolicy', () => {
    const manifests = chartOf();
    expect(findResource(manifests, 'Service', `${operator.name}-backups`).spec.ports).toEqual([
      { name: 'backups', port: 19_999, protocol: 'TCP', targetPort: 'backups' },
    ]);
    const [container] = findResource(manifests, 'Deployment').spec.template.spec.containers;
    expect(container.ports).toContainEqual({ name: 'backups', containerPort: 19_999, protocol: 'TCP' });
    expect(findResource(manifests, 'NetworkPolicy').spec.ingress).toContainEqual({ ports: [{ port: 19_999, protocol: 'TCP' }] });
  });

  test('who may call it can be said', () => {
    const from = [{ podSelector: { matchLabels: { role: 'restore' } } }];
    const manifests = chartOf({ networkPolicy: { endpointsFrom: { backups: from } } });
    expect(findResource(manifests, 'NetworkPolicy').spec.ingress).toContainEqual({ from, ports: [{ port: 19_999, protocol: 'TCP' }] });
    expect(() => chartOf({ networkPolicy: { endpointsFrom: { backup: from } } })).toThrow(
      'endpointsFrom.backup: the operator has no such endpoint; it has backups',
    );
  });

  test('an operator without endpoints says that it has none', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    const installation = installationOf(chart, { operator: plainOperator });
    expect(() => chartOf({ operator: plainOperator, networkPolicy: { endpointsFrom: { backup: [] } } })).toThrow(
      'endpointsFrom.backup: the operator has no such endpoint; it has none',
    );
    expect(() => new EndpointService(chart, 'service', { installation, endpoint: 'backup' })).toThrow(
      "has no endpoint 'backup'; it has none",
    );
  });

  test('a port that another server of the process has is refused', () => {
    expect(() => chartOf({ ports: { health: 19_999 } })).toThrow('endpoints.backups.port of the operator and ports.health are both 19999');
  });

  test('an endpoint that there is not has no Service', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    const installation = installationOf(chart, { operator });
    expect(() => new EndpointService(chart, 'service', { installation, endpoint: 'restore' })).toThrow(
      "has no endpoint 'restore'; it has backups",
    );
  });
});
