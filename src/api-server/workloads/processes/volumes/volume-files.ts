import type { ConfigMap, DownwardAPIVolumeFile, KeyToPath, Pod, Secret, Volume, VolumeProjection } from '@keelson/kubernetes/kinds';
import { ROOT_CA } from '../../kubelet/index.js';
import { type PodWithAddress, podField, resourceField } from '../container/index.js';

export interface VolumeFile {
  /** Below the folder of the volume. */
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

export interface VolumeView {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
  /** A token for the Pod's ServiceAccount, by its path in the volume. */
  token(path: string): string | undefined;
  /** Whether each namespace gets the ConfigMap `kube-root-ca.crt`. */
  readonly hasRootCa: boolean;
}

const DEFAULT_MODE = 0o644;

/**
 * The files of a volume whose content the API has: ConfigMaps, Secrets, fields of the Pod, tokens; undefined for all other volumes, and while a source that is not
 * optional is missing or lacks a key. A kubelet fails then to set the volume up, and what is there stays.
 *
 * Source: kubernetes `pkg/volume/{configmap,secret,downwardapi,projected}`.
 */
export function filesOf(volume: Volume, of: PodWithAddress, view: VolumeView): readonly VolumeFile[] | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (sourcesOf(volume).some((source) => isLacking(source, view))) return undefined;
  if (configMap !== undefined) return chosen(configMapData(view.configMap(configMap.name ?? '')), configMap);
  if (secret !== undefined) return chosen(secretData(view.secret(secret.secretName ?? '')), secret);
  if (downwardAPI !== undefined) return fieldFiles(downwardAPI.items, of, downwardAPI.defaultMode);
  if (projected === undefined) return undefined;
  return (projected.sources ?? []).flatMap((source) => projectedFiles(source, { of, view, mode: projected.defaultMode }));
}

function projectedFiles(
  { configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection,
  { of, view, mode }: { readonly of: PodWithAddress; readonly view: VolumeView; readonly mode: number | undefined },
): readonly VolumeFile[] {
  const defaultMode = mode === undefined ? {} : { defaultMode: mode };
  if (configMap !== undefined) return chosen(configMapData(view.configMap(configMap.name ?? '')), { ...configMap, ...defaultMode });
  if (secret !== undefined) return chosen(secretData(view.secret(secret.name ?? '')), { ...secret, ...defaultMode });
  if (downwardAPI !== undefined) return fieldFiles(downwardAPI.items, of, mode);
  const token = serviceAccountToken && view.token(serviceAccountToken.path);
  if (token === undefined) return [];
  return [{ path: serviceAccountToken?.path ?? '', content: Buffer.from(token), mode: mode ?? DEFAULT_MODE }];
}

type Data = Readonly<Record<string, Buffer>>;

function configMapData({ data = {}, binaryData = {} }: Partial<ConfigMap> = {}): Data {
  return { ...bytesOf(data, 'utf8'), ...bytesOf(binaryData, 'base64') };
}

function secretData({ data = {} }: Partial<Secret> = {}): Data {
  return bytesOf(data, 'base64');
}

function bytesOf(data: Readonly<Record<string, string>>, encoding: 'base64' | 'utf8'): Data {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, encoding)]));
}

function chosen(
  data: Data,
  { items, defaultMode = DEFAULT_MODE }: { readonly items?: readonly KeyToPath[] | undefined; readonly defaultMode?: number | undefined },
): readonly VolumeFile[] {
  if (items === undefined || items.length === 0)
    return Object.entries(data).map(([path, content]) => ({ path, content, mode: defaultMode }));
  return items.flatMap(({ key, path, mode = defaultMode }) => {
    const content = data[key];
    return content === undefined ? [] : [{ path, content, mode }];
  });
}

function fieldFiles(items: readonly DownwardAPIVolumeFile[] = [], of: PodWithAddress, defaultMode = DEFAULT_MODE): readonly VolumeFile[] {
  return items.flatMap(({ path, fieldRef, resourceFieldRef, mode = defaultMode }) => {
    const text =
      fieldRef === undefined ? resourceFieldRef && resourceField(of.pod, resourceFieldRef, '') : podField(of, fieldRef.fieldPath);
    return text === undefined ? [] : [{ path, content: Buffer.from(text), mode }];
  });
}

/** Keys that a ConfigMap or Secret volume asks for and its source does not have; undefined: it may be mounted. */
export function missingKey(pod: Pod, view: Objects): string | undefined {
  for (const source of (pod.spec.volumes ?? []).flatMap(sourcesOf)) {
    const lacking = lackingKey(source, view);
    if (lacking !== undefined) return `references non-existent config key: ${lacking}`;
  }
  return undefined;
}

type Objects = Pick<VolumeView, 'configMap' | 'secret'>;
type Source = Pick<VolumeProjection, 'configMap' | 'secret'>;

function sourcesOf({ configMap, secret, projected }: Volume): readonly Source[] {
  const own = { configMap, secret: secret && { ...secret, name: secret.secretName } } as Source;
  return [own, ...(projected?.sources ?? [])].filter((source) => source.configMap !== undefined || source.secret !== undefined);
}

/** It is not optional, and is not there as it is asked for. */
function isLacking(source: Source, view: VolumeView): boolean {
  const { name, optional = false } = source.configMap ?? source.secret ?? {};
  if (source.configMap !== undefined && name === ROOT_CA && !view.hasRootCa) return false;
  return !optional && (objectOf(source, view) === undefined || lackingKey(source, view) !== undefined);
}

function lackingKey(source: Source, view: Objects): string | undefined {
  const found = objectOf(source, view);
  const { items = [], optional = false } = source.configMap ?? source.secret ?? {};
  if (found === undefined || optional) return undefined;
  const data = { ...found.data, ...('binaryData' in found ? found.binaryData : {}) };
  return items.find(({ key }) => !Object.hasOwn(data, key))?.key;
}

function objectOf({ configMap, secret }: Source, view: Objects): ConfigMap | Secret | undefined {
  return configMap === undefined ? secret && view.secret(secret.name ?? '') : view.configMap(configMap.name ?? '');
}
