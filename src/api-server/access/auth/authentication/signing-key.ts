import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** A key of a kind that signs no service-account tokens. */
export class SigningKeyError extends OperatorError {
  readonly actor = 'admin';
  readonly code = 'KEELSON_SIGNING_KEY';
}

interface Algorithm {
  readonly name: 'RS256' | 'ES256' | 'ES384' | 'ES512';
  readonly digest: 'sha256' | 'sha384' | 'sha512';
}

const OF_CURVE: Readonly<Record<string, Algorithm>> = {
  prime256v1: { name: 'ES256', digest: 'sha256' },
  secp384r1: { name: 'ES384', digest: 'sha384' },
  secp521r1: { name: 'ES512', digest: 'sha512' },
};
const RSA: Algorithm = { name: 'RS256', digest: 'sha256' };

/** Signs JSON Web Tokens and checks them: the key behind service-account tokens. */
export class SigningKey {
  readonly algorithm: Algorithm['name'];
  /** Says nothing of the key but which one it is: the same derivation as the API server's. */
  readonly id: string;
  readonly #digest: Algorithm['digest'];
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  /**
   * @param privateKey PEM of an RSA or elliptic key. Default: a new key on P-256, which takes less than a millisecond to make (an RSA key takes up to
   * half a second).
   */
  constructor(privateKey?: string) {
    this.#privateKey =
      privateKey === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(privateKey);
    this.#publicKey = createPublicKey(this.#privateKey);
    const { name, digest } = algorithmOf(this.#privateKey);
    this.algorithm = name;
    this.#digest = digest;
    this.id = createHash('sha256')
      .update(this.#publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
  }

  sign(text: string): Buffer {
    return sign(this.#digest, Buffer.from(text), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' });
  }

  verifies(text: string, signature: Uint8Array): boolean {
    return verify(this.#digest, Buffer.from(text), { key: this.#publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  }

  /** The public key as a JSON Web Key. */
  toJwk(): Record<string, unknown> {
    const { kty, ...numbers } = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.id, ...(numbers.crv === undefined ? {} : { crv: numbers.crv }), alg: this.algorithm, ...numbers };
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm {
  const curve = asymmetricKeyDetails?.namedCurve ?? '';
  const algorithm = asymmetricKeyType === 'rsa' ? RSA : OF_CURVE[curve];
  if (algorithm === undefined)
    throw new SigningKeyError(
      `a key of type ${asymmetricKeyType} ${curve} cannot sign service-account tokens; give an RSA key or one on P-256, P-384 or P-521`,
    );
  return algorithm;
}
