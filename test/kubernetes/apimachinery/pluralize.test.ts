import { compareVersions, pluralize } from '../../../src/kubernetes/apimachinery/index';

/** What Go's flect 1.0.3, and with it controller-gen, makes of the same words. */
const PLURALS = `
access accesses|address addresses|admiral admirals|alertmanager alertmanagers|alias aliases|analysis analyses|apex apices|appendix appendices
archive archives|argo argoes|authority authorities|axis axes|backup backups|base bases|basis bases|batch batches|bonus bonuses|box boxes|branch branches
bucket buckets|bus buses|buy buys|cache caches|cargo cargoes|category categories|census censuses|certificate certificates|chassis chassis|child children
class classes|clause clauses|clickhouse clickhouses|cluster clusters|complex complexes|consensus consensuses|criterion criteria|cronjob cronjobs|data data
database databases|datum data|day days|demo demoes|echo echoes|endpoints endpoints|equipment equipment|etcdbackup etcdbackups|etcdcluster etcdclusters
factory factories|fish fish|foo foos|formula formulas|fox foxes|gateway gateways|half halves|hero heroes|identity identities|index indices
information information|ingress ingresses|ingressclass ingressclasses|journey journeys|kafka kafkas|key keys|knife knives|leaf leaves|lease leases
library libraries|life lives|logo logoes|machine machines|machineset machinesets|match matches|matrix matrices|medium media|memcached memcacheds|mesh meshes
metadata metadata|mouse mice|mutex mutexes|networkpolicy networkpolicies|news news|node nodes|patch patches|person people|photo photos|pipeline pipelines
policy policies|portfolio portfolios|prefix prefixes|process processes|prometheus prometheuses|prometheusrule prometheusrules|proof proofs|proxy proxies
query queries|quiz quizzes|quota quotas|radius radii|redis redis|registry registries|release releases|replica replicas|replicaset replicasets|repo repoes
repository repositories|resourcequota resourcequotas|response responses|roof roofs|schema schemas|search searches|series series|servicemonitor servicemonitors
shelf shelves|sidecarset sidecarsets|silo silos|soliloquy soliloquies|species species|status statuses|storageclass storageclasses|story stories|studio studios
suffix suffixes|survey surveys|switch switches|tax taxes|tempo tempoes|tenant tenants|thesis theses|thief thieves|toy toys|vertex vertices|video videoes
virtualmachine virtualmachines|virus viruses|vortex vortices|waltz waltzes|warehouse warehouses|wish wishes|wolf wolves|zoo zoos`
  .trim()
  .split(/[|\n]/)
  .map((pair) => pair.split(' ') as [string, string]);

test.each(PLURALS)('%s becomes %s', (singular, plural) => {
  expect(pluralize(singular)).toBe(plural);
});

test('versions are ordered as discovery orders them', () => {
  const versions = ['v1alpha1', 'foo1', 'v10', 'v1', 'v2beta1', 'v2', 'v1beta2', 'v11alpha2', 'bar', 'v1beta10', 'v0', 'v11beta'];
  expect(versions.sort(compareVersions)).toEqual([
    'v10',
    'v2',
    'v1',
    'v2beta1',
    'v1beta10',
    'v1beta2',
    'v11alpha2',
    'v1alpha1',
    'bar',
    'foo1',
    'v0',
    'v11beta',
  ]);
});
