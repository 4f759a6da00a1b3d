import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeImport, kindsOf, readImport } from "./firewall-text.ts";

const entriesOf = (text: string, max?: number) => readImport(text, max).entries;
const read = (text: string) => entriesOf(text).map(({ line, text: word }) => `${line} ${word}`);

describe("a list is read as people keep it", () => {
  test.each([
    ["one per line", "1.1.1.1\n2.2.2.2\n", ["1 1.1.1.1", "2 2.2.2.2"]],
    [
      "of Windows and old Macs",
      "1.1.1.1\r\n2.2.2.2\r3.3.3.3",
      ["1 1.1.1.1", "2 2.2.2.2", "3 3.3.3.3"],
    ],
    [
      "between commas and spaces",
      "1.1.1.1, 2.2.2.2;3.3.3.3 4.4.4.4",
      ["1 1.1.1.1", "1 2.2.2.2", "1 3.3.3.3", "1 4.4.4.4"],
    ],
    [
      "with comments",
      "# list\n1.1.1.1 # him\n// more\n\n; and\n::1#x\n2.2.2.2 ; her",
      ["2 1.1.1.1", "6 ::1", "7 2.2.2.2"],
    ],
    [
      "CSV with a header",
      'name,"IP",since\nanna,1.1.1.1,2026\n"bob",2001:db8::/32,2026',
      ["2 1.1.1.1", "3 2001:db8::/32"],
    ],
    ["CSV with semicolons", "ip;created_at\r\n1.1.1.1;2026-01-01", ["2 1.1.1.1"]],
    ["a header below comments", "# export\nip,note\n1.1.1.1,x", ["3 1.1.1.1"]],
    ["with a byte order mark", "\uFEFFip\n1.1.1.1", ["2 1.1.1.1"]],
    [
      "JSON of a ban list",
      '[{"uuid":"x","ip":"1.1.1.1","reason":"x"},"2.2.2.2",{"a":1}]',
      ["1 1.1.1.1", "2 2.2.2.2", '3 {"a":1}'],
    ],
    ["broken JSON, as lines", "[1.1.1.1", ["1 [1.1.1.1"]],
    ["nothing", " \n\n# only a comment", []],
    ["a header without more", "ip,created_at,name\r\n", []],
    ["a column under one word", "cidr\n1.1.1.0/24", ["2 1.1.1.0/24"]],
    ["a single name that is also a header word", "Player\n", ["1 Player"]],
    ["names that begin with a header word", "Username\nSteve", ["1 Username", "2 Steve"]],
    ["names on one line that begin with a header word", "name, Steve", ["1 name", "1 Steve"]],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["names, each on a line", "Steve\nalex_2 # a friend", ["name Steve", "name alex_2"]],
    ["names between commas", "Steve, Alex;Bob_3", ["name Steve", "name Alex", "name Bob_3"]],
    ["a note beside an address", "1.1.1.1, griefer", ["address 1.1.1.1", "null griefer"]],
    ["a sentence", "he broke the spawn", ["null he broke the spawn"]],
    ["a column of addresses", "ip,note\nunknown,x\n1.1.1.1,y", ["null unknown", "address 1.1.1.1"]],
    ["columns of both", "ip,name\n1.1.1.1,Steve\n,Alex", ["address 1.1.1.1", "name Alex"]],
    [
      "a column of names beside addresses under any header",
      "name,server ip\nSteve,1.1.1.1\nAlex,",
      ["address 1.1.1.1", "name Alex"],
    ],
    ["a column of IPv4", "name,ipv4\nSteve,1.1.1.1", ["address 1.1.1.1"]],
    ["columns of both families", "name,IPv6,x\nSteve,::1,", ["address ::1"]],
    ["a column of hosts", "player,host\nSteve,1.1.1.1\nBob_3,", ["address 1.1.1.1", "name Bob_3"]],
    [
      "players with addresses under any field",
      '[{"name":"Steve","last_ip":"1.1.1.1"},{"name":"Alex","last_ip":null}]',
      ["address 1.1.1.1", "name Alex"],
    ],
    ["short words", "Q\nab\nabc", ["null Q", "null ab", "name abc"]],
    ["short names in their column", "name,since\nQ,2026\nab,x", ["name Q", "name ab"]],
    ["short names of players", '[{"name":"Q"},"ab"]', ["name Q", "null ab"]],
    ["a column of names", "name,since\nSteve,2026\n1.1.1.1,x", ["name Steve", "null 1.1.1.1"]],
    [
      "a game server's whitelist",
      '[{"uuid":"x","name":"Steve"},"Alex"]',
      ["name Steve", "name Alex"],
    ],
  ])("%s: what is an address, what a name", (_, text, expected) => {
    const words = entriesOf(text);
    const kinds = kindsOf(words);
    expect(words.map((word, index) => `${String(kinds[index])} ${word.text}`)).toEqual(expected);
  });

  test.each([
    ["a,", (length: number) => "a,".repeat(length)],
    ["lines", (length: number) => "a b\n".repeat(length)],
    ["JSON", (length: number) => `[${Array.from({ length }, () => "{}").join()}]`],
  ])("of more than so many words of %s, one more is read and the rest is left", (_, listOf) => {
    const list = listOf(200);
    const whole = entriesOf(list);
    expect(entriesOf(list, 50)).toEqual(whole.slice(0, 51));
    expect(entriesOf(list, whole.length)).toEqual(whole);
  });

  test.each([
    ["lines", (ips: readonly string[]) => ips.join("\n")],
    ["JSON", (ips: readonly string[]) => JSON.stringify(ips)],
  ])("of 200,000 entries as %s none is lost, and with a limit the rest is left", (_, textOf) => {
    const ips = Array.from(
      { length: 200_000 },
      (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    );
    const text = textOf(ips);
    expect(entriesOf(text)).toHaveLength(ips.length);
    const limited = entriesOf(text, 50);
    expect(limited).toHaveLength(51);
    expect(judgeImport(limited, { list: "blacklist", nowMs: 0 })).toHaveLength(51);
  });

  test.each(["[", '{"a":', '[{"ip":'])(
    "JSON that is nested as deep as a text allows (%s) is an entry that cannot be read",
    (opening) => {
      const depth = 300_000;
      const closing = [...opening]
        .toReversed()
        .flatMap((sign) => ({ "[": "]", "{": "}" })[sign] ?? []);
      const [entry, ...others] = entriesOf(
        opening.repeat(depth) + "1" + closing.join("").repeat(depth),
      );
      expect([entry?.line, others]).toEqual([1, []]);
      expect(kindsOf(entry === undefined ? [] : [entry])).toEqual([null]);
    },
  );

  test("no more words that could be addresses are looked at than the list may have", () => {
    const sentences = "1. 2. 3. x\n".repeat(20);
    const list = `${sentences}1.1.1.1 2.2.2.2`;
    const last = (max: number) => kindsOf(entriesOf(list, max)).at(-1);
    expect(last(100)).toBe("address");
    expect(last(50)).toBeNull();
  });

  test("whatever it is, lines are counted right and nothing throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const { line } of entriesOf(text)) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(text.length + 1);
        }
      }),
    );
  });
});

const nowMs = Date.parse("2026-11-27T12:00:00Z");

/** As `format: entry | note | end`, or why it is left out. */
function judged(text: string, list: "blacklist" | "whitelist" = "blacklist"): string[] {
  const { format, entries } = readImport(text);
  const outcomes = judgeImport(entries, { list, nowMs });
  return entries.map(({ text: word }, index) => {
    const outcome = outcomes[index] ?? null;
    if (outcome === null) return `${format}: ${word} is none`;
    if ("skipped" in outcome) return `${format}: ${word} ${outcome.skipped}`;
    const { note = "", endMs } = outcome;
    return `${format}: ${[word, note, typeof endMs === "number" ? new Date(endMs).toISOString() : endMs].join(" | ")}`;
  });
}

describe("notes and ends come along", () => {
  test.each([
    [
      "a comment behind entries is their note",
      "# a list\n1.1.1.1 # spawn griefer\n2.2.2.2, 3.3.3.3 // both\n4.4.4.4",
      [
        "lines: 1.1.1.1 | spawn griefer | ",
        "lines: 2.2.2.2 | both | ",
        "lines: 3.3.3.3 | both | ",
        "lines: 4.4.4.4 |  | ",
      ],
    ],
    [
      "DROP of Spamhaus, as text",
      "; Spamhaus DROP List 2026/11/27\n192.0.2.0/24 ; SBL123\n",
      ["lines: 192.0.2.0/24 | SBL123 | "],
    ],
    [
      "DROP of Spamhaus, a line of JSON each",
      '{"cidr":"192.0.2.0/24","sblid":"SBL123","rir":"ripencc"}\n{"type":"metadata","size":1}\n',
      ["json-lines: 192.0.2.0/24 | SBL123 | "],
    ],
    [
      "a .netset of FireHOL, or a list of a country of ipverse",
      "#\n# firehol_level1\n# Entries: 2 subnets\n192.0.2.0/24\n198.51.100.7\n",
      ["lines: 192.0.2.0/24 |  | ", "lines: 198.51.100.7 |  | "],
    ],
    [
      "a country of ipverse as JSON",
      '{"country":"XX","subnets":{"ipv4":["192.0.2.0/24"],"ipv6":["2001:db8::/32"]}}',
      ["json: 192.0.2.0/24 |  | ", "json: 2001:db8::/32 |  | "],
    ],
    [
      "our own export, with a formula and quotes in notes",
      'ip,created_at,name,note,expires\r\n1.1.1.1,x,,"a, ""b"" #1",2026-12-01T00:00:00.000Z\r\n,x,Steve,\'=1+1,\r\n',
      ['csv: 1.1.1.1 | a, "b" #1 | 2026-12-01T00:00:00.000Z', "csv: Steve | =1+1 | "],
    ],
    [
      "a table by hand",
      "entry;note;expires\n1.1.1.1;him;2026-12-01\nSteve;;never\n2.2.2.2 # x;;soon",
      ["csv: 1.1.1.1 | him | 2026-12-01T00:00:00.000Z", "csv: Steve |  | ", "csv: 2.2.2.2 is none"],
    ],
    [
      "banned-ips.json",
      '[{"ip":"1.1.1.1","created":"2026-01-01 00:00:00 +0000","expires":"forever","reason":"Spam"},' +
        '{"ip":"2.2.2.2","expires":"2026-12-01 12:00:00 +0200"},{"ip":"3.3.3.3","expires":"2026-01-01 12:00:00 +0200"}]',
      [
        "json: 1.1.1.1 | Spam | ",
        "json: 2.2.2.2 |  | 2026-12-01T10:00:00.000Z",
        "json: 3.3.3.3 ended",
      ],
    ],
    ["a name beside an address", '[{"ip":"1.1.1.1","name":"Steve"}]', ["json: 1.1.1.1 | Steve | "]],
    [
      "seconds since 1970",
      "ip,until\n1.1.1.1,1796083200\n2.2.2.2,1796083200000",
      ["csv: 1.1.1.1 |  | 2026-12-01T00:00:00.000Z", "csv: 2.2.2.2 |  | 2026-12-01T00:00:00.000Z"],
    ],
    [
      "an end in ten years, and one farther away, which is a mistake",
      "ip,until\n1.1.1.1,2036-11-27T12:00:00Z\n2.2.2.2,2036-11-27T12:00:01Z",
      ["csv: 1.1.1.1 |  | 2036-11-27T12:00:00.000Z", "csv: 2.2.2.2 is none"],
    ],
  ])("%s", (_, text, expected) => {
    expect(judged(text)).toEqual(expected);
  });

  test("rules of TCPShield go to the list that they are for", () => {
    const rules = [
      { id: 1, cidr: "192.0.2.0/24", whitelist: false, created_at: "2026-01-01T00:00:00Z" },
      { id: 2, cidr: "198.51.100.7", whitelist: true, created_at: "2026-01-01T00:00:00Z" },
    ];
    const csv = "id,cidr,whitelist\n1,192.0.2.0/24,false\n2,198.51.100.7,TRUE\n";
    for (const [format, text] of [
      ["json", JSON.stringify(rules)],
      ["json", JSON.stringify({ status: 200, data: rules })],
      ["csv", csv],
    ] as const) {
      expect(judged(text, "blacklist")).toEqual([
        `${format}: 192.0.2.0/24 |  | `,
        `${format}: 198.51.100.7 other-list`,
      ]);
      expect(judged(text, "whitelist")).toEqual([
        `${format}: 192.0.2.0/24 other-list`,
        `${format}: 198.51.100.7 |  | `,
      ]);
    }
  });

  test("a note is one line of visible characters, as long as a note may be", () => {
    const long = `ip,note\n1.1.1.1,${"x".repeat(199)}\u{1f600}\u202e`;
    expect(entriesOf(long)[0]?.note).toBe("x".repeat(199));
  });
});
