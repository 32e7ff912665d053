/** The names in the script, without characters that a shell interprets. */
export interface Plugin {
  readonly name: string;
  /** `memcacheds.cache.example.com`. */
  readonly resource: string;
  /** Domain of the annotations. */
  readonly prefix: string;
}

/** kubectl takes a dash in the name of a plugin for a space between two words. */
export function pluginWords(name: string): string {
  return name.replaceAll('-', ' ');
}

/** A script for every POSIX shell: people on call have whatever shell their machine has. */
export function pluginScript({ name, resource, prefix }: Plugin): string {
  const words = pluginWords(name);
  return `#!/bin/sh
# kubectl ${words}: pause, resume and reconcile ${resource}. Written by keelson kubectl-plugin.
set -eu

resource='${resource}'
prefix='${prefix}'
timeout="\${TIMEOUT:-60s}"

usage() {
  cat <<'END'
Usage: kubectl ${words} pause|resume|reconcile NAME [options of kubectl]

  pause      stops the runs of the object, and waits until its conditions say so
  resume     lets it run again
  reconcile  asks for a run now, and waits for the answer in status.lastHandledReconcile

The environment variable TIMEOUT is how long a wait takes at most (default: 60s).

Example:
  kubectl ${words} pause NAME --namespace shop
END
}

fail() {
  printf 'kubectl ${words}: %s\\n' "$1" >&2
  exit 2
}

verb="\${1:-}"
case "$verb" in
  -h | --help | help)
    usage
    exit 0
    ;;
  pause | resume | reconcile) shift ;;
  '') usage >&2; exit 2 ;;
  *) fail "unknown command $verb; choose pause, resume or reconcile" ;;
esac

name="\${1:-}"
case "$name" in
  '') fail "$verb: NAME is not given" ;;
  -*) fail "$verb: NAME comes before the options of kubectl, got $name" ;;
esac
shift

case "$verb" in
  pause)
    kubectl annotate "$resource" "$name" "$prefix/paused=true" --overwrite "$@"
    kubectl wait "$resource" "$name" --for=condition=Paused --timeout="$timeout" "$@"
    ;;
  resume)
    kubectl annotate "$resource" "$name" "$prefix/paused-" "$@"
    ;;
  reconcile)
    token="$(date +%s)-$$"
    kubectl annotate "$resource" "$name" "$prefix/reconcile=$token" --overwrite "$@"
    kubectl wait "$resource" "$name" --for=jsonpath='{.status.lastHandledReconcile}'="$token" --timeout="$timeout" "$@"
    ;;
esac
`;
}
