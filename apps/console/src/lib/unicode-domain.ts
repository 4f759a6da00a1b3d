const base = 36;
const thresholdMin = 1;
const thresholdMax = 26;

/**
 * A domain as people write it, from its ASCII form (`xn--…`, RFC 3492). A label that cannot be
 * read stays as it is. Only to be shown: names that look alike have the same look here.
 */
export function unicodeDomain(ascii: string): string {
  return ascii
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decodeLabel(label.slice(4)) ?? label) : label))
    .join(".");
}

function decodeLabel(encoded: string): string | null {
  const dash = encoded.lastIndexOf("-");
  const points = Array.from(encoded.slice(0, Math.max(dash, 0)), (each) => each.charCodeAt(0));
  let [code, index, bias] = [128, 0, 72];
  for (let at = dash + 1; at < encoded.length; index += 1) {
    const before = index;
    for (let weight = 1, step = base; ; step += base) {
      const digit = digitOf(encoded.charCodeAt(at));
      at += 1;
      if (digit === null) return null;
      index += digit * weight;
      const threshold = Math.min(Math.max(step - bias, thresholdMin), thresholdMax);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const count = points.length + 1;
    bias = adapted(index - before, count, before === 0);
    code += Math.floor(index / count);
    index %= count;
    if (code > 0x10_ff_ff) return null;
    points.splice(index, 0, code);
  }
  return String.fromCodePoint(...points);
}

/** a-z are 0 to 25, 0-9 are 26 to 35; null also behind the end. */
function digitOf(charCode: number): number | null {
  if (charCode >= 97 && charCode <= 122) return charCode - 97;
  return charCode >= 48 && charCode <= 57 ? charCode - 22 : null;
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? 700 : 2));
  left += Math.floor(left / count);
  let bias = 0;
  for (; left > ((base - thresholdMin) * thresholdMax) / 2; bias += base) {
    left = Math.floor(left / (base - thresholdMin));
  }
  return bias + Math.floor((base * left) / (left + 38));
}
