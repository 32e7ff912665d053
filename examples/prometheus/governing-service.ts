import { Service } from 'keelson/kinds';
import { GROUP, type Prometheus } from './kinds.js';
import { GOVERNING_SERVICE, MANAGED_BY } from './names.js';

type ServiceInput = ReturnType<typeof Service>;

export const OPERATED = { 'operated-prometheus': 'true' } as const;

// #region governing
/**
 * The headless Service that gives the Pods of all Prometheuses of a namespace their names. Each of them owns it, and none controls it: the garbage collector takes
 * it after the last one. Every run states all owners, so it does not matter whose run is the last.
 */
export function governingService(namespace: string, prometheuses: readonly Prometheus[]): ServiceInput {
  const owners = prometheuses
    .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec.serviceName === undefined)
    .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  return Service({
    metadata: {
      name: GOVERNING_SERVICE,
      namespace,
      labels: { ...MANAGED_BY, ...OPERATED },
      ownerReferences: owners.map(({ apiVersion, kind, metadata: { name, uid } }) => ({ apiVersion, kind, name, uid: uid ?? '' })),
    },
    spec: {
      clusterIP: 'None',
      selector: { 'app.kubernetes.io/name': 'prometheus' },
      ports: [{ name: 'web', port: 9090, targetPort: 'web' }],
    },
  });
}
// #endregion

/** Whether the Service that is there says all of it. */
export function isAsWanted(live: Service | undefined, wanted: ServiceInput): boolean {
  if (live === undefined) return false;
  const of = ({ metadata, spec }: Service | ServiceInput): string =>
    JSON.stringify([
      (metadata.ownerReferences ?? []).map(({ uid }) => uid).sort(),
      Object.keys(wanted.metadata.labels ?? {}).map((label) => metadata.labels?.[label]),
      spec?.clusterIP,
      spec?.selector,
      spec?.ports?.map(({ name, port, targetPort }) => [name, port, targetPort]),
    ]);
  return of(live) === of(wanted);
}

/** Prometheuses that own the Service, which none of them controls. */
export function ownersOf({ metadata }: Service): readonly { readonly name: string }[] {
  return (metadata.ownerReferences ?? [])
    .filter(({ apiVersion, kind }) => kind === 'Prometheus' && apiVersion.startsWith(`${GROUP}/`))
    .map(({ name }) => ({ name }));
}
