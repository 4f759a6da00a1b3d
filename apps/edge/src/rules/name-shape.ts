const digit0 = 0x30;
const digit9 = 0x39;

/** The name with each digit replaced: tools number their bots, so all of them have one shape. */
export function nameShape(name: string): string {
  let shape = "";
  let from = 0;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code < digit0 || code > digit9) continue;
    shape += `${name.slice(from, index)}#`;
    from = index + 1;
  }
  return from === 0 ? name : shape + name.slice(from);
}
