/** A folder of this machine that stands for a mount of a container. */
export interface Mount {
  /** Name of the volume. */
  readonly volume: string;
  readonly mountPath: string;
  /** The folder or file of this machine. */
  readonly path: string;
  readonly readOnly: boolean;
}

export interface LocalView {
  readonly mounts: readonly Mount[];
  /** The Pod's own address. */
  readonly address: string;
  /** The address behind a host name of the cluster; undefined if it is not one. */
  readonly resolve: (name: string) => string | undefined;
}

/** Where `path` of the container lies on this machine; undefined if no mount covers it. The deepest mount counts. */
export function localPath(mounts: readonly Mount[], path: string): string | undefined {
  const covering = mounts.filter(({ mountPath }) => path === mountPath || path.startsWith(withSlash(mountPath)));
  const [mount] = covering.sort((left, right) => right.mountPath.length - left.mountPath.length);
  return mount === undefined ? undefined : mount.path + path.slice(withoutSlash(mount.mountPath).length);
}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');
const withSlash = (path: string): string => `${withoutSlash(path)}/`;

/** An absolute path that does not continue a path or a host: after the beginning, a blank, a quote, `=`, `:`, `,` or a bracket. */
const PATHS = /(?<=^|[\s"'=:,([{])\/(?!\/)[^\s"'=:,)\]}]*/g;
/** A host name of two labels or more: at the beginning, after `//`, or after a character that no name or path has. */
const NAMES = /(?<![\w.-]|(?<!\/)\/)(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z](?:[a-z\d-]*[a-z\d])?(?![\w-]|\.\w)/g;
const OWN_HOSTS = /(?<![\w.-])(?:0\.0\.0\.0|127\.0\.0\.1|localhost)(?![\w-]|\.\w)|\[::1?\]/g;

/**
 * A text of a container as it reads on this machine: paths below a mount lead into its folder, host names of the cluster and the names for "this Pod"
 * (`0.0.0.0`, `127.0.0.1`, `localhost`, `[::]`) become addresses. All else stays.
 */
export function localText(text: string, { mounts, address, resolve }: LocalView): string {
  return text
    .replaceAll(OWN_HOSTS, address)
    .replaceAll(NAMES, (name) => resolve(name) ?? name)
    .replaceAll(PATHS, (path) => localPath(mounts, path) ?? path);
}
