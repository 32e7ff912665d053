/** Names under which Pods of the suites ask for images; those of the operators are the ones that the examples synthesize. */
export const IMAGES = {
  app: 'localhost/app:1',
  /** Its web server says 1, and that of the other one 2. */
  proxy1: 'localhost/proxy:1',
  proxy2: 'localhost/proxy:2',
  memcached: 'memcached:1.6',
  otherMemcached: 'memcached:1.6.18',
  memcachedOperator: 'registry.example.com/memcached-operator:0.1.0',
  /** The same program under another name. */
  otherMemcachedOperator: 'registry.example.com/memcached-operator:0.2.0',
  sidecarsetOperator: 'registry.example.com/sidecarset-operator:0.1.0',
} as const;

/** Images of members, as an EtcdCluster names them, by versions of etcd. */
export const ETCD_IMAGES = { '3.5.35': 'quay.io/coreos/etcd:v3.5.35', '3.6.16': 'quay.io/coreos/etcd:v3.6.16' } as const;

/** Where the proxies keep what they serve. */
export const PROXY_FOLDER = '/srv';
