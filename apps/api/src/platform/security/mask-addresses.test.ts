import { expect, test } from "vitest";
import { maskText } from "./mask-addresses.ts";

test.each([
  ["203.0.113.7", "203.0.*.*"],
  ["from 203.0.113.7.", "from 203.0.*.*."],
  ["203.0.113.7:25565", "203.0.*.*:25565"],
  ["203.0.113.0/24, 198.51.100.9", "203.0.*.*, 198.51.*.*"],
  ["203.0.113.7.isp.example.com", "203.0.*.*.isp.example.com"],
  ["::ffff:203.0.113.7", "::ffff:203.0.*.*"],
  ["2001:db8:1:2::7.", "2001:db8:*."],
  ["[2001:db8:1:2::7]:25565", "[2001:db8:*]:25565"],
  ["2001:db8:1:2::/64", "2001:db8:*"],
  ["Paper 1.21.4, 1200 ms", "Paper 1.21.4, 1200 ms"],
])("%s is shown as %s to members without the right to addresses", (text, shown) => {
  expect(maskText(text)).toBe(shown);
});
