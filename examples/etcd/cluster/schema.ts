import { k } from 'keelson';
import { z } from 'zod';

const secretName = z.string().min(1).max(253);

/** The operator speaks to the client port: one half of these Secrets without the other would lock it out. */
// #region tls
const staticTls = z
  .object({
    member: z
      .object({
        peerSecret: secretName.optional().describe('Secret with `peer.crt`, `peer.key` and `peer-ca.crt`: members talk over TLS.'),
        serverSecret: secretName.optional().describe('Secret with `server.crt`, `server.key` and `server-ca.crt`: clients do.'),
      })
      .optional(),
    operatorSecret: secretName.optional().describe('Secret with `etcd-client.crt`, `etcd-client.key` and `etcd-client-ca.crt`.'),
  })
  .check(
    k.rule('has(self.operatorSecret) == (has(self.member) && has(self.member.serverSecret))', {
      message: 'operatorSecret and member.serverSecret belong together: set both, or neither',
    }),
  )
  .describe('Certificates that the operator does not make. Cannot be changed: update what the Secrets hold.');

/** As those of a certificate: kubelets need up to two minutes to bring a new one to a Pod. */
const managedTls = z
  .object({
    certificateLifeInSecond: k
      .int64()
      .min(60)
      .max(31_536_000)
      .default(7_776_000)
      .describe('How long a certificate holds; it is replaced when a third of that is left. Less than an hour is for tests.'),
    authorityLifeInSecond: k
      .int64()
      .min(180)
      .max(946_080_000)
      .default(315_360_000)
      .describe('How long an authority holds; the next one signs after a third of that. Members trust it from the start.'),
    dnsNames: z
      .array(
        z
          .string()
          .max(253)
          .regex(/^(\*\.)?[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?$/),
      )
      .max(16)
      .optional()
      .describe('Further names by which clients reach members, beside those in the cluster.'),
    ipAddresses: z
      .array(
        z
          .string()
          .max(45)
          .check(k.rule('isIP(self)', { message: 'must be an IP address' })),
      )
      .max(256)
      .optional()
      .describe('Further addresses by which clients reach members.'),
  })
  .check(
    k.rule('self.authorityLifeInSecond >= 3 * self.certificateLifeInSecond', {
      message: 'authorityLifeInSecond must be at least three times certificateLifeInSecond: an authority outlives what it has signed',
    }),
  )
  .describe('Certificates that the operator makes and renews. Clients use the Secret `<name>-client-tls`.');

const tls = z
  .object({ static: staticTls.optional(), managed: managedTls.optional() })
  .check(k.rule('has(self.static) != has(self.managed)', { message: 'set one of static and managed' }))
  .describe('Members talk over TLS. Cannot be switched on or off.');
// #endregion

const labels = z
  .record(z.string(), z.string().max(63))
  .check(k.maxProperties(64))
  .check(
    k.rule("self.all(key, key != 'app' && !key.startsWith('etcd_'))", {
      message: "the label app, and those that begin with etcd_, are the operator's own",
      reason: 'FieldValueForbidden',
    }),
  );

const pod = z
  .object({
    labels: labels.optional().describe('Labels of the Pods, beside those of the operator.'),
    annotations: z.record(z.string(), z.string()).optional().describe('Annotations of the Pods.'),
    nodeSelector: z.record(z.string(), z.string()).optional(),
    affinity: k.builtin('Affinity').optional(),
    antiAffinity: z
      .boolean()
      .optional()
      .describe('Deprecated: `affinity` says more. No two members on one node; left out of account beside `affinity`.'),
    resources: k.builtin('ResourceRequirements').optional().describe('Resources of all containers of a Pod.'),
    tolerations: z.array(k.builtin('Toleration')).max(64).optional(),
    etcdEnv: z.array(k.builtin('EnvVar')).max(64).optional().describe('Environment of etcd. Flags that the operator sets go before it.'),
    persistentVolumeClaimSpec: k
      .builtin('PersistentVolumeClaimSpec')
      .optional()
      .describe('A volume for each member, which outlives its Pod. Its storage can grow. Default: data is gone with the Pod.'),
    busyboxImage: z.string().min(1).max(512).default('busybox:1.28.0-glibc').describe('Image of the container that waits for DNS.'),
    securityContext: k.builtin('PodSecurityContext').optional(),
    DNSTimeoutInSecond: k.int64().min(0).default(0).describe('How long a Pod waits for its own DNS name; 0 is for ever.'),
    ClusterDomain: z
      .string()
      .max(253)
      .regex(/^(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
      .default('')
      .describe('Ending of host names, as `.cluster.local`.'),
  })
  .describe('How Pods are made. A change is for Pods that are made later; the condition PodPolicyApplied says whether there are others.');

// #region spec
export const spec = z
  .object({
    size: k.int32().min(1).max(7).default(3).describe('Number of members. An even one survives no more failures than one less.'),
    repository: z.string().min(1).max(255).default('quay.io/coreos/etcd').describe('Image without its tag.'),
    version: z
      .string()
      .max(32)
      .regex(/^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/)
      .default('3.6.16')
      .describe('Version of etcd, as `3.6.16`; the tag of the image is `v3.6.16`. From 3.5.11 on: older ones have no probes.'),
    paused: z.boolean().default(false).describe('The operator leaves Pods and members as they are.'),
    pod: pod.prefault({}),
    TLS: tls.optional(),
  })
  .check(
    k.rule(
      'has(self.TLS) == has(oldSelf.TLS) && (!has(self.TLS) || (has(self.TLS.managed) ? has(oldSelf.TLS.managed) : self.TLS == oldSelf.TLS))',
      {
        message: 'cannot be changed: members would no longer understand each other; update what the Secrets hold',
        fieldPath: '.TLS',
        reason: 'FieldValueForbidden',
      },
    ),
  );
// #endregion

export const status = z.object({
  phase: z
    .enum(['Creating', 'Running', 'Failed'])
    .optional()
    .describe('Failed: no data is left to start from, or not the data of this cluster.'),
  reason: z.string().optional().describe('Why the phase is Failed.'),
  controlPaused: z.boolean().optional().describe('The operator has seen that the cluster is paused.'),
  size: k.int32().optional().describe('Number of members in the list of etcd.'),
  selector: z.string().optional().describe('Label selector of the Pods, for the scale subresource.'),
  serviceName: z.string().optional().describe('Service for clients.'),
  clientPort: k.int32().optional(),
  members: z
    .object({
      ready: z.array(z.string()).describe('Pods that serve.'),
      unready: z.array(z.string()),
    })
    .optional(),
  currentVersion: z.string().optional().describe('Version that all members run, or ran before the upgrade that is under way.'),
  targetVersion: z.string().optional().describe('Version of the upgrade that is under way.'),
  clusterID: z.string().optional().describe('Id of the cluster in etcd. Members of another one are not touched.'),
  certificatesUntil: k.timestamp().optional().describe('When the first of the certificates of members and operator ends.'),
  conditions: k.conditions(),
});
