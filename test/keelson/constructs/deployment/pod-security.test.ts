import { Chart, Testing } from 'cdk8s';
import { Operator, type OperatorProps, warningsOf } from 'keelson/constructs';
import { plainOperator } from '../models';
import { image } from '../synthesized';

test('what Pod Security restricted would refuse gives a warning where the namespace enforces it', () => {
  const told = (props: Partial<OperatorProps>): string[] => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new Operator(chart, 'operator', { operator: plainOperator, image, createNamespace: true, ...props });
    return warningsOf(chart).map(({ path, message }) => `${path} ${message.split(', or the namespace')[0]}`);
  };
  const sidecar = { name: 'sidecar', image: 'a:1' };
  expect(told({})).toEqual([]);
  expect(told({ containers: [sidecar], initContainers: [{ ...sidecar, name: 'first' }] })).toEqual([
    "chart/operator/deployment container 'first': allowPrivilegeEscalation must be false",
    "chart/operator/deployment container 'first': capabilities.drop must hold 'ALL'",
    "chart/operator/deployment container 'sidecar': allowPrivilegeEscalation must be false",
    "chart/operator/deployment container 'sidecar': capabilities.drop must hold 'ALL'",
  ]);
  expect(told({ volumes: [{ name: 'node', hostPath: { path: '/' } }] })).toEqual([
    "chart/operator/deployment volume 'node' is of type hostPath",
  ]);
  expect(told({ podSecurityContext: { runAsNonRoot: undefined, seccompProfile: undefined }, securityContext: { runAsUser: 0 } })).toEqual([
    "chart/operator/deployment container 'operator': runAsNonRoot must be true",
    "chart/operator/deployment container 'operator': runAsUser must not be 0",
    "chart/operator/deployment container 'operator': seccompProfile.type must be RuntimeDefault or Localhost",
  ]);
  const strict = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const greedy = { ...strict, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'SYS_ADMIN'] }, privileged: true };
  expect(told({ containers: [{ ...sidecar, securityContext: greedy }] })).toEqual([
    "chart/operator/deployment container 'sidecar': privileged must not be true",
    "chart/operator/deployment container 'sidecar': capabilities.add may hold NET_BIND_SERVICE alone",
  ]);
  const modest = { ...strict, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] }, seccompProfile: { type: 'Localhost' as const } };
  expect(told({ containers: [{ ...sidecar, securityContext: modest }] })).toEqual([]);
  // A container's own word counts, not the Pod's.
  const other = { ...strict, runAsNonRoot: false, runAsUser: 0, seccompProfile: { type: 'Unconfined' as const } };
  expect(told({ containers: [{ ...sidecar, securityContext: other }] })).toEqual([
    "chart/operator/deployment container 'sidecar': runAsNonRoot must be true",
    "chart/operator/deployment container 'sidecar': runAsUser must not be 0",
    "chart/operator/deployment container 'sidecar': seccompProfile.type must be RuntimeDefault or Localhost",
  ]);
  expect(told({ containers: [sidecar], createNamespace: { podSecurity: 'baseline' } })).toEqual([]);
  expect(told({ containers: [sidecar], createNamespace: false })).toEqual([]);
});
