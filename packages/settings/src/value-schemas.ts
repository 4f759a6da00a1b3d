import { isIP } from "node:net";
import { z } from "zod";
import { isSafeUrl } from "./encrypted-urls.ts";

/** Schemas of settings' values as they are written in the environment. */

export const port = z.coerce
  .number("must be a port number")
  .int("must be a whole number")
  .min(0, "must be 0 or more")
  .max(65_535, "must be at most 65535");

/** Both ends included. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);
}

export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

export const addresses = list.refine(
  (items) => items.every((item) => isIP(item) !== 0),
  "must be IP addresses, comma separated",
);

function isRange(item: string): boolean {
  const slash = item.indexOf("/");
  const family = isIP(slash < 0 ? item : item.slice(0, slash));
  if (slash < 0 || family === 0) return family !== 0;
  const bits = item.slice(slash + 1);
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

export const ranges = list.refine(
  (items) => items.every(isRange),
  "must be IP addresses or CIDR ranges, comma separated",
);
/** `first-last`, both included. */
export const portRange = z
  .string()
  .regex(/^[0-9]{1,5}-[0-9]{1,5}$/, "must be first-last")
  .transform((value) => {
    const [first = 0, last = 0] = value.split("-").map(Number);
    return { first, last };
  })
  .refine(
    ({ first, last }) => first >= 1 && first <= last && last <= 65_535,
    "must be ports from 1 to 65535, the lower one first",
  );

/** Ports and ranges, comma separated; empty for none. */
export const portRanges = list
  .refine(
    (items) => items.every((item) => onePortOrRange.test(item)),
    "must be ports or ranges (first-last), comma separated",
  )
  .transform((items) =>
    items.map((item) => {
      const [first = 0, last = first] = item.split("-").map(Number);
      return { first, last };
    }),
  )
  .refine(
    (all) => all.every(({ first, last }) => first >= 1 && first <= last && last <= 65_535),
    "must be ports from 1 to 65535, the lower one of a range first",
  );

const onePortOrRange = /^[0-9]{1,5}(-[0-9]{1,5})?$/;

/** `host:port`, with an IPv6 host in brackets. */
export const hostAndPort = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):[0-9]{1,5}$/, "must be address:port")
  .transform((value) => {
    const colon = value.lastIndexOf(":");
    return { host: value.slice(0, colon).replace(/^\[|\]$/g, ""), port: +value.slice(colon + 1) };
  })
  .refine(({ port }) => port >= 1 && port <= 65_535, "must have a port from 1 to 65535");

/** `file=URL`: http is allowed only for this machine, because an altered list changes who gets in. */
export const downloads = list
  .transform((items) =>
    items.map((item) => {
      const equals = item.indexOf("=");
      return { file: item.slice(0, Math.max(0, equals)), url: item.slice(equals + 1) };
    }),
  )
  .refine(
    (items) => items.every(({ file, url }) => downloadFile.test(file) && isSafeUrl(url)),
    "must be file=URL, comma separated: a file ending in .txt or .mmdb, and an https URL",
  );

const downloadFile = /^[A-Za-z0-9][\w.-]{0,63}\.(txt|mmdb)$/;

/** The format of `nsupdate -y`, without the algorithm. */
export const tsigKey = z
  .string()
  .regex(
    /^([A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?:([A-Za-z0-9+/]{4}){5,}[A-Za-z0-9+/]{2,4}={0,2}$/,
    "must be name:secret, the secret in base64 and of 16 bytes or more",
  )
  .transform((value) => {
    const colon = value.indexOf(":");
    return { name: value.slice(0, colon).replace(/\.$/, ""), secret: value.slice(colon + 1) };
  });

/** http or https, to which a path is added. */
export const urlPrefix = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { search, hash, username, password } = new URL(text);
    return `${search}${hash}${username}${password}` === "";
  }, "must be a URL without a query, a fragment or a password")
  .transform((text) => {
    // Built from its parts, because a trailing ? or # would swallow the path.
    const { origin, pathname } = new URL(text);
    return `${origin}${pathname}`.replace(/\/+$/, "");
  });
