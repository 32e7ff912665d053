import { RUNTIME_CONTRACT } from '../../definition/index.js';

/**
 * The template that sizes the heap of Node.js by `resources.limits.memory`, as the Deployment's construct does: a share of the limit for the old
 * space, and a ninety-sixth of that, between 2 and 16 MiB, for a half of the young one. Empty without a limit.
 */
export const NODE_OPTIONS_TEMPLATE: string = `{{- define "PACKAGE.nodeOptions" -}}
{{- $limit := toString (dig "limits" "memory" "" (.Values.resources | default dict)) -}}
{{- if $limit -}}
{{- $suffix := regexFind "[A-Za-z]*$" $limit -}}
{{- $amount := trimSuffix $suffix $limit | float64 -}}
{{- $factors := dict "" 1 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- if not (hasKey $factors $suffix) }}{{ fail (printf "resources.limits.memory %s is not an amount of memory; write it like 256Mi" $limit) }}{{ end -}}
{{- $heap := divf (mulf $amount (get $factors $suffix) ${RUNTIME_CONTRACT.heapShareOfMemoryLimit}) 1048576 | floor | int64 -}}
{{- if lt $heap 1 }}{{ fail (printf "resources.limits.memory %s is not an amount of memory that a process can run in; write it like 256Mi" $limit) }}{{ end -}}
{{- printf "--max-old-space-size=%d --max-semi-space-size=%d" $heap (min 16 (max 2 (div $heap 96))) -}}
{{- end -}}
{{- end }}
`;
