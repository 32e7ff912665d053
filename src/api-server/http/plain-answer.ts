import { OperatorError } from '@keelson/kubernetes/apimachinery';

/** An answer in plain text instead of a Status: thrown where the server does so, for example for an unknown path. */
export class PlainAnswer extends OperatorError {
  readonly actor = 'user';
  readonly code = 'KEELSON_PLAIN_ANSWER';
  readonly httpCode: number;
  /** With the newline at its end. */
  readonly text: string;
  /** The server sends it before it thinks of caches. */
  readonly isEarly: boolean;

  constructor(httpCode: number, text: string, { isEarly = false }: { readonly isEarly?: boolean } = {}) {
    super(text);
    this.isEarly = isEarly;
    this.httpCode = httpCode;
    this.text = text;
  }

  /** By code, not by class: the package may be loaded twice. */
  static isPlainAnswer(value: unknown): value is PlainAnswer {
    return OperatorError.isOperatorError(value) && value.code === 'KEELSON_PLAIN_ANSWER';
  }
}

export function pageNotFound(): PlainAnswer {
  return new PlainAnswer(404, '404 page not found\n');
}
