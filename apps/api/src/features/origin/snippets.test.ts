import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tidyAddresses } from "./addresses.ts";
import { refreshScript, snippetsOf, type Lockdown } from "./snippets.ts";

const both: Lockdown = {
  addresses: ["192.0.2.7", "198.51.100.20", "2001:db8::20"],
  ports: [25_565, 25_566],
  udpPorts: [],
};
const lockdowns: readonly (readonly [string, Lockdown])[] = [
  ["both families", both],
  ["IPv4 alone", { addresses: ["192.0.2.7"], ports: [25_565], udpPorts: [] }],
  ["IPv6 alone", { addresses: ["2001:db8::20"], ports: [25_565], udpPorts: [] }],
  [
    "many ports and edges",
    {
      addresses: Array.from({ length: 200 }, (_, index) => `198.51.100.${index}`),
      ports: Array.from({ length: 40 }, (_, index) => 30_000 + index),
      udpPorts: [],
    },
  ],
  ["Bedrock beside Java", { ...both, udpPorts: [19_132, 24_817] }],
  ["Bedrock alone", { ...both, ports: [], udpPorts: [19_132] }],
];

function textOf(lockdown: Lockdown, program: "nftables" | "iptables" | "ufw"): string {
  const text = snippetsOf(lockdown).find((snippet) => snippet.program === program)?.text;
  if (text === undefined) throw new Error(`No rules for ${program}`);
  return text;
}

/** Runs a program that only checks; undefined where the machine has none that may. */
function check(command: string, args: readonly string[], input: string) {
  const { error, status, stderr } = spawnSync(command, args, { input, encoding: "utf8" });
  const isMissing = error !== undefined || /not permitted|Permission denied/i.test(stderr);
  if (isMissing) process.stderr.write(`Skipped: ${command}: ${error?.message ?? stderr}\n`);
  return isMissing ? undefined : { status, stderr };
}

const well = { status: 0, stderr: "" };

/** The effect of `iptables` commands in the format of `iptables-restore`. */
function restorable(script: string, program: "iptables" | "ip6tables"): string {
  const rules = script
    .split("\n")
    .filter((line) => line.startsWith(`${program} `))
    .map((line) => /-t mangle (-A .*)$/.exec(line)?.[1])
    .filter((rule) => rule !== undefined);
  return ["*mangle", ":PALISADE - [0:0]", ...rules, "COMMIT", ""].join("\n");
}

describe("firewall rules", () => {
  test.each(lockdowns)("nft takes those for %s", (_name, lockdown) => {
    expect(check("nft", ["-c", "-f", "-"], textOf(lockdown, "nftables")) ?? well).toEqual(well);
  });

  test.each(lockdowns)("iptables-restore takes those for %s", (_name, lockdown) => {
    const script = textOf(lockdown, "iptables");
    for (const program of ["iptables", "ip6tables"] as const) {
      const rules = restorable(script, program);
      const wanted = [lockdown.ports, lockdown.udpPorts].filter((some) => some.length > 0);
      expect(rules.match(/^-A PREROUTING -p (tcp|udp) -j PALISADE$/gm)).toHaveLength(wanted.length);
      const run = check(`${program}-restore`, ["--test", "--noflush"], rules);
      expect(run?.status ?? 0, run?.stderr).toBe(0);
    }
  });

  test.each(lockdowns)("shells read every script for %s", (_name, lockdown) => {
    const scripts = [
      textOf(lockdown, "iptables"),
      textOf(lockdown, "ufw"),
      refreshScript("https://panel.example.net/api/v1/edges/addresses.txt"),
    ];
    for (const script of scripts) {
      expect(check("sh", ["-n"], script) ?? well).toEqual(well);
    }
  });

  test("no rule names more ports than its program takes, and none is left out", () => {
    const { ports } = lockdowns[3]?.[1] ?? both;
    for (const [program, pattern] of [
      ["iptables", /-A PALISADE .*--dports ([\d,]+) -j DROP/g],
      ["ufw", /deny .* port ([\d,]+)/g],
    ] as const) {
      const text = textOf({ addresses: ["192.0.2.7"], ports, udpPorts: [] }, program);
      const named = [...text.matchAll(pattern)].map(([, some = ""]) => some.split(","));
      expect(Math.max(...named.map(({ length }) => length))).toBeLessThanOrEqual(15);
      expect(new Set(named.flat())).toEqual(new Set(ports.map(String)));
    }
  });

  test("run again for other ports, iptables keeps nothing of the former: its own chain alone names them", () => {
    const outside = (ports: readonly number[]) =>
      textOf({ addresses: ["192.0.2.7"], ports, udpPorts: [] }, "iptables")
        .split("\n")
        .filter((line) => line.includes("PREROUTING"));
    expect(outside([25_565])).toHaveLength(2);
    expect(outside([25_565])).toEqual(outside([25_566, 30_000]));
  });

  test("in ufw the edges are let in before everybody is refused: what is put in last is asked first", () => {
    const lines = textOf(both, "ufw").split("\n");
    const refused = lines.findIndex((line) => line.includes("deny"));
    expect(lines.findIndex((line) => line.includes("allow"))).toBeGreaterThan(refused);
    expect(lines.filter((line) => line.includes("prepend allow"))).toHaveLength(3);
  });

  test("without addresses or ports there are no rules: they would shut everyone out, or let everyone in", () => {
    expect(snippetsOf({ addresses: [], ports: [25_565], udpPorts: [19_132] })).toEqual([]);
    expect(snippetsOf({ addresses: ["192.0.2.7"], ports: [], udpPorts: [] })).toEqual([]);
  });

  test("players of Bedrock come by UDP, and only the edges may", () => {
    const lockdown = { ...both, udpPorts: [19_132] };
    expect(textOf(lockdown, "nftables")).toContain("udp dport { 19132 } drop");
    expect(textOf(lockdown, "iptables")).toContain("-p udp -m multiport --dports 19132 -j DROP");
    expect(textOf(lockdown, "ufw")).toContain("deny proto udp from any to any port 19132");
    for (const program of ["nftables", "iptables", "ufw"] as const) {
      expect(textOf(both, program)).not.toContain("udp");
    }
  });

  test("the script for cron fills both sets with what is an address, and nothing on a bad answer", () => {
    const run = (answer: string) =>
      spawnSync("sh", ["-s"], {
        input: `curl() { printf '%s' "$ANSWER"; }\n${refreshScript("x").replaceAll("nft -f -", "cat")}`,
        encoding: "utf8",
        env: { PATH: "/usr/bin:/bin", ANSWER: answer },
      });
    expect(run("192.0.2.7\n198.51.100.3\n2001:db8::20\n").stdout).toBe(
      [
        "flush set inet palisade edges4",
        "flush set inet palisade edges6",
        "add element inet palisade edges4 { 192.0.2.7,198.51.100.3 }",
        "add element inet palisade edges6 { 2001:db8::20 }",
        "",
      ].join("\n"),
    );
    for (const answer of ["", "<html>502: bad gateway</html>", "$(reboot)\n; rm -rf /"]) {
      expect(run(answer)).toMatchObject({ status: 1, stdout: "" });
    }
  });
});

describe("addresses", () => {
  test("are in one spelling and order, each once; what is none never reaches a script", () => {
    expect(
      tidyAddresses([
        "2001:DB8:0::20",
        "198.51.100.20",
        "198.51.100.3",
        "::ffff:198.51.100.3",
        "fe80::1%eth0; reboot",
        "010.1.1.1",
        "$(reboot)",
        "host.example",
        "",
      ]),
    ).toEqual(["198.51.100.3", "198.51.100.20", "2001:db8::20", "fe80::1"]);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())), (given) => {
        for (const address of tidyAddresses(given)) expect(address).toMatch(/^[0-9a-f:.]+$/);
      }),
    );
  });
});
