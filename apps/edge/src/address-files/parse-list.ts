import { parseRange, Ranges } from "@palisade/login-rules/address-set";
import { vpnLimits } from "./limits.ts";
import { relabelled } from "./range-writer.ts";
import type { SourceRead } from "./parsed-list.ts";

const newline = 0x0a;
const comment = /[#;]/;
const byteOrderMark = "\xef\xbb\xbf";
/** Names behind a number, as many such lists have them, are for people. */
const asForm = /^AS([1-9]\d{0,9})(?:\s|$)/i;
const asNumberMax = 0xffff_ffff;
/** Text of an unreadable entry, for the log. */
const quotedCharactersMax = 48;

/**
 * A list of addresses, CIDR ranges and AS numbers, one a line; `#` and `;` begin a comment.
 * The problem names the first line that cannot be read.
 */
export function parseList(name: string, bytes: Buffer): SourceRead {
  const lines = countLines(bytes);
  if (lines > vpnLimits.linesMax) return { problem: `has more than ${vpnLimits.linesMax} lines` };
  const ranges4 = new Ranges(1, lines);
  const ranges6 = new Ranges(4, lines);
  const asns = new Set<number>();
  let entries = 0;
  let broken = 0;
  let problem: string | undefined;
  let number = 0;
  for (const entry of entriesOf(bytes)) {
    number++;
    if (entry === "") continue;
    const fault = takeEntry(entry, { ranges4, ranges6, asns });
    if (fault === undefined) entries++;
    else {
      broken++;
      problem ??= `line ${number}: ${quoted(entry)} ${fault}`;
    }
  }
  // A page that says 'not found' is no list, though a line of it may look like one.
  if (broken > entries) return { problem };
  const image = {
    name,
    kind: "list",
    entries,
    ranges4: relabelled(ranges4.compile(), 1, () => 0),
    ranges6: relabelled(ranges6.compile(), 4, () => 0),
    asns: Uint32Array.from(asns).sort(),
  } as const;
  return { image, problem };
}

interface Taken {
  readonly ranges4: Ranges;
  readonly ranges6: Ranges;
  readonly asns: Set<number>;
}

/** @returns why it cannot be taken */
function takeEntry(entry: string, { ranges4, ranges6, asns }: Taken): string | undefined {
  const [, digits] = asForm.exec(entry) ?? [];
  if (digits !== undefined) {
    if (Number(digits) > asNumberMax) return "is no AS number";
    asns.add(Number(digits));
    return undefined;
  }
  const range = parseRange(entry);
  if (range === undefined) return "is no address, CIDR range or AS number";
  const isIp4 = range.ip.length === 4;
  const widest = isIp4 ? vpnLimits.widest4 : vpnLimits.widest6;
  if (range.prefix < widest) return `is wider than /${widest}`;
  (isIp4 ? ranges4 : ranges6).add(range.ip, range.prefix);
  return undefined;
}

function countLines(bytes: Buffer): number {
  let lines = 1;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}

/** The part of each line before a comment. */
function* entriesOf(bytes: Buffer): Generator<string> {
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(newline, at);
    const until = end < 0 ? bytes.length : end;
    let line = bytes.toString("latin1", at, Math.min(until, at + vpnLimits.lineCharactersMax));
    if (at === 0 && line.startsWith(byteOrderMark)) line = line.slice(byteOrderMark.length);
    const mark = line.search(comment);
    yield (mark < 0 ? line : line.slice(0, mark)).trim();
    at = until + 1;
  }
}

function quoted(entry: string): string {
  return JSON.stringify(entry.slice(0, quotedCharactersMax).replace(/[^\x20-\x7e]/g, "?"));
}
