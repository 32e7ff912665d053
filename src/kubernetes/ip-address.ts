/**
 * IP addresses and networks as Go's `net` package reads them.
 *
 * `sloppy` tolerates leading zeros in IPv4 octets, as the API server does for data that is older than Go 1.17.
 */

export function isIPv4Text(text: string, sloppy = false): boolean {
  const octets = text.split('.');
  return (
    octets.length === 4 &&
    octets.every((octet) => /^[0-9]+$/.test(octet) && Number(octet) <= 255 && (sloppy || octet.length === 1 || !octet.startsWith('0')))
  );
}

export function isIPv6Text(text: string, sloppy = false): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const counts = halves.map((half, index) => groupCount(half, { last: index === halves.length - 1, sloppy }));
  if (counts.includes(-1)) return false;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return halves.length === 2 ? total <= 7 : total === 8;
}

/** Number of 16-bit groups, -1 when one is malformed. An IPv4 address may stand at the very end and counts for two. */
function groupCount(half: string, { last, sloppy }: { last: boolean; sloppy: boolean }): number {
  if (half === '') return 0;
  const groups = half.split(':');
  let count = 0;
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(group)) count += 1;
    else if (last && index === groups.length - 1 && isIPv4Text(group, sloppy)) count += 2;
    else return -1;
  }
  return count;
}

export function isIPText(text: string, sloppy = false): boolean {
  return text.includes(':') ? isIPv6Text(text, sloppy) : isIPv4Text(text, sloppy);
}

export function isCidrText(text: string, sloppy = false): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  return isIPText(address, sloppy) && /^[0-9]+$/.test(length) && Number(length) <= (address.includes(':') ? 128 : 32);
}
