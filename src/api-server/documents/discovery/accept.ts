const AGGREGATED = { g: 'apidiscovery.k8s.io', v: 'v2', as: 'APIGroupDiscoveryList' };

interface Clause {
  readonly mediaType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/**
 * Whether a client that sends this `Accept` gets the aggregated document: its first clause that can be met asks for it. Version `v2beta1` is no longer
 * served, and clauses that cannot be met are passed over.
 * Source: apiserver `pkg/endpoints/discovery/aggregated`, `pkg/endpoints/handlers/negotiation`.
 */
export function wantsAggregated(accept: string | undefined): boolean {
  for (const { mediaType, parameters } of clausesOf(accept ?? '')) {
    const isJson = mediaType === 'application/json' || mediaType === 'application/*' || mediaType === '*/*';
    const isOther = mediaType === 'application/yaml' || mediaType === 'application/vnd.kubernetes.protobuf';
    if (!isJson && !isOther) continue;
    if (parameters['as'] === undefined) return false;
    if (isJson && Object.entries(AGGREGATED).every(([name, value]) => parameters[name] === value)) return true;
  }
  return false;
}

function clausesOf(accept: string): readonly Clause[] {
  return accept
    .split(',')
    .map(clauseOf)
    .sort((a, b) => b.quality - a.quality);
}

function clauseOf(text: string): Clause {
  const [mediaType = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = Object.fromEntries(
    rest.map((part): [string, string] => {
      const equals = part.indexOf('=');
      return equals < 0 ? [part, ''] : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    }),
  );
  const quality = Number(parameters['q'] ?? '1');
  return { mediaType, parameters, quality: Number.isNaN(quality) ? 1 : quality };
}
