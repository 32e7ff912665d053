/** The names in the script, without characters that a shell interprets. */
export interface Plugin {
  readonly name: string;
  /** `memcacheds.cache.example.com`. */
  readonly resource: string;
  /** Domain of the annotations. */
  readonly prefix: string;
  /** Deployment of the operator, `memcached-system/memcached-operator`, for the verb `why`; `undefined`: the script has no such verb. */
  readonly operator: string | undefined;
}

/** kubectl takes a dash in the name of a plugin for a space between two words. */
export function pluginWords(name: string): string {
  return name.replaceAll('-', ' ');
}

const WHY = `  why)
    command -v npx >/dev/null || fail 'why: npx of Node.js is not in the PATH'
    exec npx --package @keelson/cli keelson why "$resource/$name" --operator "$operator" "$@"
    ;;
`;

/** A script for every POSIX shell: people on call have whatever shell their machine has. */
export function pluginScript({ name, resource, prefix, operator }: Plugin): string {
  const words = pluginWords(name);
  const hasWhy = operator !== undefined;
  const verbs = ['pause', 'resume', 'reconcile', ...(hasWhy ? ['why'] : [])];
  const allVerbs = `${verbs.slice(0, -1).join(', ')} or ${verbs.at(-1)}`;
  return `#!/bin/sh
# kubectl ${words}: ${verbs.join(', ')} for ${resource}. Written by keelson kubectl-plugin.
set -eu

resource='${resource}'
prefix='${prefix}'
${hasWhy ? `operator='${operator}'\n` : ''}timeout="\${TIMEOUT:-60s}"

usage() {
  cat <<'END'
Usage: kubectl ${words} ${verbs.join('|')} NAME [options of kubectl]

  pause      stops the runs of the object, and waits until its conditions say so
  resume     lets it run again
  reconcile  asks for a run now, and waits for the answer in status.lastHandledReconcile
${hasWhy ? '  why        prints the last runs from the journal of the operator; needs npx, and options of keelson why\n' : ''}
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
  ${verbs.join(' | ')}) shift ;;
  '') usage >&2; exit 2 ;;
  *) fail "unknown command $verb; choose ${allVerbs}" ;;
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
${hasWhy ? WHY : ''}esac
`;
}
