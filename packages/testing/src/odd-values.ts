/** Values that are legal in a JSON document or an address and that programs rarely expect. */

/** JSON texts, because some of these numbers do not survive a round trip through JavaScript. */
export const oddJson: readonly string[] = [
  "null",
  "[]",
  "{}",
  '{"__proto__":{"a":1},"constructor":1}',
  "2147483648",
  "9007199254740993",
  "1e308",
  "1e400",
  '"\\u0000"',
  '"\\ud800"',
  // As many characters as a code has, of more bytes.
  '"\u044f\u044f\u044f\u044f\u044f\u044f"',
  '"99999999999999999999"',
  '"+275760-09-13T00:00:00.001Z"',
  '"00000000-0000-0000-0000-000000000000"',
];

/** As they stand in an address: some are malformed escapes, some escape no text. */
export const oddAddressParts: readonly string[] = [
  "%",
  "%zz",
  "%00",
  "a%00b",
  "%ed%a0%80",
  "%f0%9f%92%a9",
  "..%2f..%2fx",
  "__proto__",
  "-1",
  "1e309",
  "99999999999999999999",
  "00000000-0000-0000-0000-000000000000",
  "'%20or%201=1--",
  "a".repeat(199),
];

/** Legal in a header: visible ASCII, blanks and bytes above 127. */
export const oddHeaderValues: readonly string[] = [
  "*",
  '"',
  "%",
  "\u00ff\u0080",
  "x".repeat(4_000),
  "__proto__",
];
