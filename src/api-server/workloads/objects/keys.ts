interface Named {
  readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
}

/** `namespace/name`, as the queues of controllers have it. */
export function keyOf({ metadata: { namespace = '', name } }: Named): string {
  return `${namespace}/${name}`;
}

export function partsOf(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}
