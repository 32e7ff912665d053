import { isIPText } from './ip-address.js';

const ATOM_CHARACTER = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]";
const DOT_ATOM = `${ATOM_CHARACTER}+(?:\\.${ATOM_CHARACTER}+)*`;
const QUOTED = '"(?:[^"\\\\\\u0000-\\u0008\\u000a-\\u001f\\u007f]|\\\\[\\t -\\u{10ffff}])*"';
// Each alternative begins with another character: there is one way to read a phrase, and no backtracking.
const PHRASE = `(?:${ATOM_CHARACTER}|${QUOTED}|[. \\t])`;
const SPEC = new RegExp(`^(?:${DOT_ATOM}|(?!"")${QUOTED})@(?:${DOT_ATOM}|\\[([^\\]\\\\\\s]+)\\])$`, 'u');
const DISPLAY_NAME = new RegExp(`^${PHRASE}*$`, 'u');
const GROUP = new RegExp(`^${PHRASE}+:(.*);$`, 'u');

/** Go's `net/mail.ParseAddress` for one address: `a@b.c` or `Name <a@b.c>`, also as the only one of a group; comments in parentheses may follow. */
export function isMailAddress(text: string): boolean {
  const address = withoutComments(text).trim();
  const grouped = GROUP.exec(address);
  return grouped === null ? isOneAddress(address) : isOneAddress((grouped[1] ?? '').trim());
}

function isOneAddress(address: string): boolean {
  const open = address.endsWith('>') ? address.lastIndexOf('<') : -1;
  if (open < 0) return isAddressSpec(address);
  return DISPLAY_NAME.test(address.slice(0, open)) && isAddressSpec(address.slice(open + 1, -1).trim());
}

/** Comments stand behind an address, never before it; they nest. An unclosed one stays, and no address has a parenthesis. */
function withoutComments(text: string): string {
  if (text.includes('"') || text.trimStart().startsWith('(')) return text;
  let kept = '';
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '(') depth += 1;
    else if (character === ')' && depth > 0) depth -= 1;
    else if (character === '\\' && depth > 0) index += 1;
    else if (depth === 0) kept += character;
  }
  return depth === 0 ? kept : text;
}

function isAddressSpec(text: string): boolean {
  const match = SPEC.exec(text);
  if (match === null) return false;
  const literal = match[1];
  return literal === undefined || isIPText(literal);
}
