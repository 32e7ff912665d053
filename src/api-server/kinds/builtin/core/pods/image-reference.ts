/**
 * Names of container images.
 *
 * Source of the grammar: distribution's `reference` package; of the default tag: kubernetes `pkg/util/parsers`.
 */
const HOST_PART = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${HOST_PART}(?:\\.${HOST_PART})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const REFERENCE = new RegExp(
  `^((?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*)(?::(\\w[\\w.-]{0,127}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);
const MAX_NAME_LENGTH = 255;
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** The tag of an image: `latest` if it has neither tag nor digest, empty if it has a digest alone or is not a name of an image. */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return '';
  const match = REFERENCE.exec(normalized(image));
  if (match === null) return '';
  const [, name = '', tag = '', digest = ''] = match;
  if (name.length > MAX_NAME_LENGTH || (digest !== '' && !isDigest(digest))) return '';
  return tag === '' && digest === '' ? 'latest' : tag;
}

/** With the registry that short names mean. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  const first = slash < 0 ? '' : image.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first;
  if (slash >= 0 && isHost) return image;
  return slash < 0 ? `docker.io/library/${image}` : `docker.io/${image}`;
}

function isDigest(digest: string): boolean {
  const [algorithm = '', hex = ''] = digest.split(':');
  return DIGEST_LENGTHS[algorithm] === hex.length && /^[a-f0-9]+$/.test(hex);
}
