import { isIPText } from './ip-address.js';

const ATOM = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const QUOTED = '"(?:[^"\\\\\\u0000-\\u0008\\u000a-\\u001f\\u007f]|\\\\[\\t -\\u{10ffff}])*"';
const SPEC = new RegExp(`^(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|\\[([^\\]\\\\\\s]+)\\])$`, 'u');
const DISPLAY_NAME = new RegExp(`^(?:(?:${ATOM}|${QUOTED}|\\.)[ \\t]*)*$`, 'u');
const COMMENT = /\((?:[^()\\]|\\.)*\)/g;

/**
 * Go's `net/mail.ParseAddress` for one address: `a@b.c` or `Name <a@b.c>`; comments in parentheses are skipped.
 *
 * Groups (`name: a@b;`) are not understood here.
 */
export function isMailAddress(text: string): boolean {
  const address = withoutComments(text).trim();
  const open = address.endsWith('>') ? address.lastIndexOf('<') : -1;
  if (open < 0) return isAddressSpec(address);
  return DISPLAY_NAME.test(address.slice(0, open)) && isAddressSpec(address.slice(open + 1, -1).trim());
}

function withoutComments(text: string): string {
  if (text.includes('"')) return text;
  let before = text;
  // Comments nest: each round takes the innermost ones. The length shrinks, so it ends.
  for (let after = before.replace(COMMENT, ' '); after !== before; after = before.replace(COMMENT, ' ')) before = after;
  return before;
}

function isAddressSpec(text: string): boolean {
  const match = SPEC.exec(text);
  if (match === null) return false;
  const literal = match[1];
  return literal === undefined || isIPText(literal.replace(/^IPv6:/i, ''));
}
