import { ipBytes } from '../apimachinery/index.js';
import { CertificateError } from './errors.js';

/** 4 or 16 bytes, as certificates name an address. @throws CertificateError for a text that is not an address */
export function addressBytes(address: string): Buffer {
  if (address.includes('%')) throw new CertificateError(`ipAddresses: ${address} has a zone, which means nothing on another machine`);
  const bytes = ipBytes(address);
  if (bytes === undefined)
    throw new CertificateError(`ipAddresses: ${JSON.stringify(address)} is not an IP address; a host name belongs to dnsNames`);
  return Buffer.from(bytes);
}
