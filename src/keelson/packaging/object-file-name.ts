/** Name of the file of an object, without ending: the path of its construct, without what every path of an operator has in common. */
export function objectFileName(key: string): string {
  return key
    .replace(/\/Resource$/, '')
    .replace(/^operator\//, '')
    .replace(/[^\w/]*\*[^\w/]*/g, '-')
    .replace(/--+/g, '-')
    .replace(/[^\w./-]/g, '-')
    .replace(/^-|-$|-(?=\/)/g, '');
}
