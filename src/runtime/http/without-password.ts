/** An address as it may be shown: user, password and query are left out. */
export function withoutPassword(address: unknown): string {
  if (typeof address !== 'string') return typeof address;
  return address.replace(/^([a-z0-9+.-]*:?\/\/)?[^/]*@/i, '$1…@').replace(/\?.*$/s, '?…');
}
