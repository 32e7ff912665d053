import type { ConfigMap, DownwardAPIVolumeFile, KeyToPath, Pod, Secret, Volume, VolumeProjection } from '../../../../kinds/index.js';
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
}

const DEFAULT_MODE = 0o644;

/**
 * The files of a volume whose content the API has: ConfigMaps, Secrets, fields of the Pod, tokens; undefined for all other volumes.
 *
 * Source: kubernetes `pkg/volume/{configmap,secret,downwardapi,projected}`, 1.34.
 */
export function filesOf(volume: Volume, of: PodWithAddress, view: VolumeView): readonly VolumeFile[] | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
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
export function missingKey(pod: Pod, view: Pick<VolumeView, 'configMap' | 'secret'>): string | undefined {
  for (const { configMap, secret, projected } of pod.spec.volumes ?? []) {
    const sources = [{ configMap, secret: secret && { ...secret, name: secret.secretName } }, ...(projected?.sources ?? [])];
    for (const source of sources) {
      const found =
        source.configMap === undefined
          ? source.secret && view.secret(source.secret.name ?? '')
          : view.configMap(source.configMap.name ?? '');
      const { items = [], optional = false } = source.configMap ?? source.secret ?? {};
      if (found === undefined || optional) continue;
      const data = { ...found.data, ...('binaryData' in found ? found.binaryData : {}) };
      const lacking = items.find(({ key }) => !Object.hasOwn(data, key));
      if (lacking !== undefined) return `references non-existent config key: ${lacking.key}`;
    }
  }
  return undefined;
}
