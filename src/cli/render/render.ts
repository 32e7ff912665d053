import { isRecord, type KubernetesObject, SERVER_FIELDS } from '@keelson/kubernetes/apimachinery';
import { HIDDEN } from '@keelson/runtime/internal/masking';
import { keyOf, type Refused, type RehearsalInput, type RunProblem, rehearse } from '../rehearsal/index.js';

export interface Rendered {
  /** As the operator writes them, with the defaults of the API server; in the order of kinds and names. */
  readonly children: readonly KubernetesObject[];
  readonly refused: readonly Refused[];
  readonly problems: readonly RunProblem[];
}

/** Field managers of a control plane. The objects that they alone write are not children of the operator. */
const CONTROL_PLANE: ReadonlySet<string> = new Set(['kube-controller-manager', 'kubelet', 'kube-scheduler', 'kube-apiserver']);

/** The children that the operator writes for the objects. */
export async function render(input: RehearsalInput): Promise<Rendered> {
  const { before, after, refused, problems } = await rehearse(input);
  const children = [...after.values()].filter((object) => !before.has(keyOf(object)) && !isOfControlPlane(object));
  const inOrder = [...children].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { children: inOrder.map(shown), refused, problems };
}

function isOfControlPlane({ metadata: { managedFields = [] } }: KubernetesObject): boolean {
  return managedFields.length > 0 && managedFields.every(({ manager = '' }) => CONTROL_PLANE.has(manager));
}

/** The mark of what the runtime applied is its own matter; kubectl's copy could hold the data of a Secret. */
const LEFT_OUT: ReadonlySet<string> = new Set(['keelson.dev/applied', 'kubectl.kubernetes.io/last-applied-configuration']);

/** The object as a manifest: without what the server adds, without status, and a Secret without its data. */
function shown(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, status: _, ...rest } = object as KubernetesObject & { readonly status?: unknown };
  const { annotations = {}, ownerReferences, ...own } = metadata;
  const fields = Object.entries(own).filter(([name]) => !SERVER_FIELDS.has(name));
  const kept = Object.entries(annotations).filter(([name]) => !LEFT_OUT.has(name));
  const owners = ownerReferences?.map(({ uid: _uid, ...reference }) => reference);
  const written = {
    ...Object.fromEntries(fields),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    ...(owners && { ownerReferences: owners }),
  };
  return { apiVersion, kind, metadata: written, ...(kind === 'Secret' ? withoutData(rest) : rest) } as unknown as KubernetesObject;
}

function withoutData(fields: object): object {
  const hidden = (value: unknown): unknown =>
    isRecord(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, HIDDEN])) : value;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, /^(data|stringData)$/.test(name) ? hidden(value) : value]),
  );
}
