import { fileURLToPath } from 'node:url';
import { buildImage, type Image } from '../../images/index.js';
import { goClient } from '../go-client.js';

/** Images that a node needs before any Pod of a user. No registry has them: a Pod that asks for another one fails at once. */
export const PAUSE_IMAGE = 'localhost/pause:1';
export const COREDNS_IMAGE = 'localhost/coredns:1.15.0';

/** Programs of ours, compiled at their first use: CoreDNS for minutes. Errors: {@link BuildFailure}. */
export function systemImages(): readonly Image[] {
  return [
    programImage(PAUSE_IMAGE, { path: '/pause', source: 'pause' }),
    programImage(COREDNS_IMAGE, { path: '/coredns', source: 'coredns' }),
  ];
}

function programImage(name: string, { path, source }: { readonly path: string; readonly source: string }): Image {
  const program = goClient(fileURLToPath(new URL(source, import.meta.url)));
  if (!program.found) throw new Error(program.reason);
  return buildImage({ name, config: { entrypoint: [path], user: '65532:65532' }, layers: [{ copies: { [path]: program.path } }] });
}
