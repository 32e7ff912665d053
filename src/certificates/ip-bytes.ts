import { isIP } from 'node:net';
import { CertificateError } from './errors.js';

/** 4 or 16 bytes, as certificates name an address. */
export function ipBytes(address: string): Buffer {
  switch (isIP(address)) {
    case 4:
      return ipv4Bytes(address);
    case 6:
      return ipv6Bytes(address);
    default:
      throw new CertificateError(`ipAddresses: ${JSON.stringify(address)} is no IP address; a host name belongs to dnsNames`);
  }
}

const ipv4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function ipv6Bytes(address: string): Buffer {
  if (address.includes('%')) throw new CertificateError(`ipAddresses: ${address} has a zone, which means nothing on another machine`);
  const [head = '', tail = ''] = address.split('::').map(groupBytes);
  const missing = 16 - head.length - tail.length;
  return Buffer.concat([Buffer.from(head), Buffer.alloc(missing), Buffer.from(tail)]);
}

/** Bytes of colon-separated groups; the last may be an IPv4 address. */
function groupBytes(text: string): Buffer {
  if (text === '') return Buffer.alloc(0);
  return Buffer.concat(
    text.split(':').map((group) => (group.includes('.') ? ipv4Bytes(group) : Buffer.from(group.padStart(4, '0'), 'hex'))),
  );
}
