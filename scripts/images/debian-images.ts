import { execFileSync } from 'node:child_process';
import { buildImage, type Image } from './image.js';

const UNPRIVILEGED = '65532:65532';

/** memcached as Debian builds it, to be started by `memcached` on the PATH. */
export function memcachedImage(name: string): Image {
  return buildImage({
    name,
    config: { entrypoint: ['memcached'], user: '11211:11211' },
    layers: [{ copies: { '/usr/bin/memcached': '/usr/bin/memcached' } }],
  });
}

/** A shell and its tools in one static program, for the containers of tests; more files make one image differ from another. */
export function busyboxImage(name: string, texts: Readonly<Record<string, string>> = {}): Image {
  const program = '/bin/busybox';
  const applets = execFileSync(program, ['--list'], { encoding: 'utf8' })
    .split('\n')
    .filter((applet) => applet !== '' && applet !== 'busybox');
  const links = Object.fromEntries(applets.map((applet) => [`/bin/${applet}`, 'busybox']));
  return buildImage({
    name,
    config: { entrypoint: ['/bin/sh'], user: UNPRIVILEGED },
    layers: [{ copies: { [program]: program }, links }, ...(Object.keys(texts).length === 0 ? [] : [{ texts }])],
  });
}
