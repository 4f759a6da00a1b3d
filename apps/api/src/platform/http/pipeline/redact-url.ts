/**
 * URLs for logs and audit rows. Only what is known to be harmless stays: the route's own
 * words, ids, and query parameters the contract names; the rest could be a pasted token.
 */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const plainValue = /^[\p{L}\p{N} ._:,-]{0,24}$/u;
const tokenPrefix = /^ps[a-z]_/;
const pathWord = /^[a-z][a-z.-]{0,39}$|^v\d+$/;
const mask = "[redacted]";

/** @param queryNames parameters the contract of the route names */
export function redactUrl(url: string, queryNames: readonly string[]): string {
  const [path, query] = splitOnce(url, "?");
  const safePath = path
    .split("/")
    .map((segment) =>
      segment === "" || pathWord.test(segment) || uuid.test(segment) ? segment : mask,
    )
    .join("/");
  if (query === undefined) return safePath;
  const safeQuery = [...new URLSearchParams(query)]
    .slice(0, 20)
    .map(([name, value]) => {
      if (!queryNames.includes(name)) return mask;
      return `${name}=${isPlain(value) ? encodeURIComponent(value) : mask}`;
    })
    .join("&");
  return `${safePath}?${safeQuery}`;
}

function isPlain(value: string): boolean {
  return uuid.test(value) || (plainValue.test(value) && !tokenPrefix.test(value));
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
