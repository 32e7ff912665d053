import type { Command } from './kubectl.js';

/** Commands that build on each other, in a namespace of their own. */
export interface Scenario {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly commands: readonly (Command | string)[];
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: 'nginx:1', ports: [{containerPort: 80}]}
`;

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: caches.kubectl.example.com}
spec:
  group: kubectl.example.com
  scope: Namespaced
  names: {plural: caches, singular: cache, kind: Cache, shortNames: [ca], categories: [stuff]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              image: {type: string, default: 'cache:1'}
          status:
            type: object
            properties: {replicas: {type: integer}}
`;

const CACHE = `apiVersion: kubectl.example.com/v1
kind: Cache
metadata: {name: a}
spec: {size: 2}
`;

/** `rollout status` begins with what the watch cache of a kube-apiserver has. A list of all is answered when that is up to date. */
const UP_TO_DATE = 'get --raw /apis/apps/v1/deployments?labelSelector=none';

export const scenarios: readonly Scenario[] = [
  {
    name: 'create and get',
    commands: [
      'create configmap one --from-literal=a=1 --from-literal=b=2',
      'create secret generic two --from-literal=password=x',
      'create serviceaccount robot',
      'create role reader --verb=get,list --resource=configmaps',
      'create rolebinding reader --role=reader --serviceaccount=default:robot',
      'create clusterrole kubectl-reader --verb=get --resource=nodes',
      'create clusterrolebinding kubectl-reader --clusterrole=kubectl-reader --user=ann',
      'create deployment web --image=nginx:1 --replicas=2 --port=80',
      'create service clusterip web --tcp=80:8080',
      'create job once --image=busybox -- true',
      "create cronjob often --image=busybox '--schedule=*/5 * * * *'",
      'create quota q --hard=pods=3',
      'create priorityclass kubectl-high --value=1000 --description=x',
      'create poddisruptionbudget pdb --selector=app=web --min-available=1',
      'create ingress web --rule=example.com/*=web:80',
      'get configmap one -o yaml',
      'get configmap one -o jsonpath={.data.a}',
      'get configmaps',
      'get deploy,rs,svc',
      'get deploy -o wide',
      'get deploy web -o name',
      'get roles,rolebindings',
      'get quota',
      'get configmaps -o custom-columns=NAME:.metadata.name,A:.data.a',
      'get configmaps --show-labels',
      'get nothing',
      'get configmap missing',
      'get configmaps --field-selector=metadata.name=one -o name',
      'get deploy -l app=web -o name',
      'get all -o name',
      'describe configmap one',
      'describe deploy web',
      'describe svc web',
      'describe role reader',
    ],
  },
  {
    name: 'apply',
    files: {
      'web.yaml': DEPLOYMENT,
      'web2.yaml': DEPLOYMENT.replace('replicas: 2', 'replicas: 3'),
      'bad.yaml': DEPLOYMENT.replace('replicas', 'replica'),
      'worse.yaml': DEPLOYMENT.replace('app: web}}\n  template', 'app: other}}\n  template'),
    },
    commands: [
      'diff -f web.yaml',
      'apply -f web.yaml --dry-run=server',
      'apply -f web.yaml',
      'apply -f web.yaml',
      'diff -f web.yaml',
      'apply -f web2.yaml',
      'get deploy web -o jsonpath={.spec.replicas}',
      'apply -f bad.yaml',
      'apply -f bad.yaml --validate=false',
      'apply -f worse.yaml',
      'apply view-last-applied deploy web',
      'apply --server-side -f web.yaml',
      'apply --server-side -f web.yaml --field-manager=other',
      'scale deploy web --replicas=5',
      'apply --server-side -f web2.yaml --field-manager=third',
      'apply --server-side --force-conflicts -f web2.yaml --field-manager=third',
      'get deploy web -o yaml --show-managed-fields',
      'replace -f web.yaml',
      'replace --force -f web.yaml',
      'delete -f web.yaml',
      'delete -f web.yaml',
      'delete -f web.yaml --ignore-not-found',
      { line: 'apply -f -', stdin: `${DEPLOYMENT}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: beside}\ndata: {x: "1"}\n` },
      { line: 'apply --prune -l app=web -f -', stdin: DEPLOYMENT },
    ],
  },
  {
    name: 'change',
    files: { 'web.yaml': DEPLOYMENT },
    commands: [
      'create -f web.yaml',
      'label deploy web tier=front',
      'label deploy web tier=back',
      'label deploy web tier=back --overwrite',
      'label deploy web tier-',
      'annotate deploy web note=hello',
      'annotate deploy web note-',
      'scale deploy web --replicas=3',
      'scale deploy web --current-replicas=9 --replicas=1',
      'set image deploy/web main=nginx:2',
      'set env deploy/web A=1',
      'set resources deploy/web --limits=cpu=100m',
      'patch deploy web -p \'{"spec":{"paused":true}}\'',
      'patch deploy web --type=merge -p \'{"spec":{"paused":null}}\'',
      'patch deploy web --type=json -p \'[{"op":"replace","path":"/spec/replicas","value":4}]\'',
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"replicas":4}}\'',
      'autoscale deploy web --max=5',
      'rollout pause deploy/web',
      'rollout resume deploy/web',
      'rollout restart deploy/web --dry-run=client -o name',
      'expose deploy web --port=80',
      'get deploy web -o jsonpath={.spec.template.spec.containers[0]}',
      'wait --for=jsonpath={.spec.replicas}=4 deploy/web --timeout=5s',
      'wait --for=condition=Available deploy/web --timeout=1s',
      'delete deploy web --cascade=orphan --wait=false',
      'get deploy web -o jsonpath={.metadata.finalizers}',
      'patch deploy web --type=merge -p \'{"metadata":{"finalizers":null}}\'',
      'wait --for=delete deploy/web --timeout=5s',
      'delete svc,hpa --all',
      'delete configmap missing',
    ],
  },
  {
    name: 'custom resources',
    files: {
      'crd.yaml': CRD,
      'cache.yaml': CACHE,
      'bad.yaml': CACHE.replace('size: 2', 'size: 0'),
      'odd.yaml': CACHE.replace('size: 2', 'size: 2, color: red'),
      'big.yaml': CACHE.replace('size: 2', 'size: 3'),
    },
    commands: [
      'apply -f crd.yaml',
      { line: 'wait --for=condition=Established crd/caches.kubectl.example.com --timeout=20s', isPublishedLater: true },
      'get crd caches.kubectl.example.com -o jsonpath={.status.acceptedNames.kind}',
      // Asked until there is an answer: `api-resources` of a kind that is not published yet has an empty one.
      { line: 'explain cache.spec', isPublishedLater: true },
      'api-resources --api-group=kubectl.example.com',
      'explain cache --recursive',
      { line: 'explain cache.spec --output=plaintext-openapiv2', isPublishedLater: true },
      'apply -f cache.yaml',
      'apply -f bad.yaml',
      'apply -f odd.yaml',
      'apply -f odd.yaml --validate=warn',
      'diff -f big.yaml',
      'apply -f big.yaml',
      'get caches',
      'get ca a -o yaml',
      'get stuff -o name',
      'scale cache a --replicas=4',
      'get cache a -o jsonpath={.spec.size}',
      'patch cache a --type=merge -p \'{"spec":{"size":5}}\'',
      'patch cache a -p \'{"spec":{"size":5}}\'',
      'patch cache a --subresource=status --type=merge -p \'{"status":{"replicas":5}}\'',
      'apply --server-side -f cache.yaml',
      'apply --server-side --force-conflicts -f cache.yaml',
      'label cache a x=y',
      'describe cache a',
      'delete cache a',
      'delete crd caches.kubectl.example.com',
    ],
  },
  {
    name: 'component statuses',
    commands: [
      'get componentstatuses',
      'get cs -o wide',
      'get cs etcd-0 -o wide --show-labels',
      'get cs -w',
      'get cs etcd-0 --warnings-as-errors',
      'describe cs etcd-0',
      { line: 'explain componentstatus --output=plaintext-openapiv2', withoutProse: true },
    ],
  },
  {
    name: 'the server and rights',
    commands: [
      // A kubectl of another version, or of another build, is refused.
      'version',
      'get ns default --match-server-version -o name',
      'api-versions',
      'api-resources -o name',
      'api-resources --namespaced=false -o wide',
      'auth can-i create pods',
      'auth can-i --list --as=ann',
      'auth whoami',
      'create serviceaccount robot',
      'create token robot',
      'get --raw /readyz',
      'get ns default -o jsonpath={.status.phase}',
      'create ns kubectl-made',
      'get ns kubectl-made -o jsonpath={.metadata.labels}',
      'delete ns default',
      'get pods --as=ann',
      'get pods -A',
      'get nodes',
      'cluster-info',
      { line: 'explain pod.spec.containers', withoutProse: true },
      { line: 'explain deployment --recursive', withoutProse: true },
      { line: 'explain ingress.spec.rules', withoutProse: true },
      { line: 'explain cronjob.spec.jobTemplate.spec.template.spec.volumes.configMap', withoutProse: true },
      { line: 'explain pod.spec.containers --output=plaintext-openapiv2', withoutProse: true },
      { line: 'explain deployment --recursive --output=plaintext-openapiv2', withoutProse: true },
      { line: 'explain hpa --api-version=autoscaling/v1', withoutProse: true },
      { line: 'explain crd.spec.versions', withoutProse: true },
      'explain pod.spec.nonsense',
      'explain nonsense',
      'events',
      'get events',
      'auth can-i get pods/log',
      'auth can-i get /healthz --as=ann',
      'auth can-i delete nonsense',
      'auth can-i get nodes -A',
      'create token robot --duration=10m -o jsonpath={.kind}',
      'create token robot --audience=vault -o jsonpath={.spec.audiences}',
      'api-resources --verbs=list,delete --namespaced -o name',
      'api-resources --sort-by=kind --api-group=batch',
      'api-resources --categories=all',
      'top pods',
    ],
  },
  {
    name: 'rollouts',
    files: { 'web.yaml': DEPLOYMENT, 'new.yaml': DEPLOYMENT.replace('nginx:1', 'nginx:2') },
    commands: [
      'apply -f web.yaml',
      UP_TO_DATE,
      'rollout status deploy/web --watch=false',
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"observedGeneration":1,"replicas":2,"updatedReplicas":1}}\'',
      UP_TO_DATE,
      'rollout status deploy/web --watch=false',
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2,"conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"True","reason":"NewReplicaSetAvailable"}]}}\'',
      UP_TO_DATE,
      'rollout status deploy/web --timeout=5s',
      'wait --for=condition=Available deploy/web --timeout=5s',
      'get deploy web',
      'rollout history deploy/web',
      'rollout undo deploy/web',
      'set image deploy/web main=nginx:3 --record=false',
      UP_TO_DATE,
      'rollout status deploy/web --watch=false',
      'diff -f new.yaml',
      'apply -f new.yaml',
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"}]}}\'',
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"observedGeneration":9}}\'',
      UP_TO_DATE,
      'rollout status deploy/web --timeout=5s',
      'rollout status deploy/missing',
      'set serviceaccount deploy/web robot',
      'set env deploy/web --list',
      'autoscale deploy web --min=2 --max=4 --cpu-percent=80',
      'get hpa',
      'describe hpa web',
      'delete hpa web',
    ],
  },
  {
    name: 'many objects',
    files: {
      'maps.yaml': ['a', 'b', 'c']
        .map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {set: x}}\ndata: {n: ${name}}\n`)
        .join('---\n'),
      'fewer.yaml': ['a', 'b']
        .map((name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {set: x}}\ndata: {n: ${name}}\n`)
        .join('---\n'),
      'list.yaml':
        'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: l1}}\n- {apiVersion: v1, kind: Secret, metadata: {name: l2}}\n',
      'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: kubectl-node}\n',
    },
    commands: [
      'apply -f maps.yaml',
      'diff -f fewer.yaml',
      'apply --prune -l set=x -f fewer.yaml --prune-allowlist=core/v1/ConfigMap',
      'get cm -l set=x -o name',
      { line: 'get cm -l set=x -w -o name', stopAfterLines: 2 },
      { line: 'get cm a -w --output-watch-events', stopAfterLines: 2 },
      'get cm --sort-by=.metadata.name -o name -l set=x',
      'get cm -l set=x --no-headers -o custom-columns=:metadata.name',
      "get cm a -o 'go-template={{.data.n}}'",
      'get cm --chunk-size=1 -l set=x',
      'get cm -l set=x --show-kind -L set',
      'label cm --all team=red',
      'label cm -l set=x team=blue --overwrite',
      'annotate cm a b x=1',
      'apply -f list.yaml',
      'create -f list.yaml',
      'create -f list.yaml --dry-run=client -o name',
      'create cm made --from-literal=x=1 --dry-run=server -o yaml',
      'replace -f maps.yaml',
      'wait --for=create cm/a --timeout=5s',
      'wait --for=jsonpath={.data.n}=b cm/b --timeout=5s',
      'wait --for=jsonpath={.data.n}=z cm/b --timeout=1s',
      'wait --for=delete cm/missing --timeout=5s',
      'apply view-last-applied cm a',
      'apply set-last-applied -f fewer.yaml',
      'delete -f list.yaml --dry-run=server',
      'delete -f list.yaml',
      'delete cm -l set=x',
      'delete cm --all --ignore-not-found',
      'create -f node.yaml',
      'get nodes',
      'cordon kubectl-node',
      'taint nodes kubectl-node k=v:NoSchedule',
      'describe node kubectl-node',
      'taint nodes kubectl-node k:NoSchedule-',
      'uncordon kubectl-node',
      'drain kubectl-node',
      'delete node kubectl-node',
      'run once --image=busybox --restart=Never',
      'get pods',
      'describe pod once',
      'delete pod once --now',
      'create secret docker-registry reg --docker-username=u --docker-password=p',
      'create secret tls t --cert=missing --key=missing',
      'get secret reg -o jsonpath={.type}',
      'create namespace kubectl-gone',
      'delete namespace kubectl-gone --wait=false',
      'get namespace kubectl-gone -o jsonpath={.status.phase}',
      'create cm late -n kubectl-gone',
    ],
  },
];
