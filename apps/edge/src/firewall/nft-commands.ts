import type { Ban } from "#src/rules/abuse-detector.ts";

/**
 * Commands for nftables (nft(8), libnftables-json(5)). They affect only new connections to the
 * edge's own ports: players who are connected stay, and all other traffic of the machine, forwarded
 * traffic included, is left alone.
 */

/**
 * SYNs of one source per second: many times what the edge admits, so that only floods reach the
 * limit.
 */
const synPerSecond = 200;
const synBurst = 400;
const synSources = 65_536;
/** Twice what the edge has in force: a full set would refuse whole batches. */
const bansMax = 131_072;

export interface TableOptions {
  readonly name: string;
  /** The address the edge listens on; undefined for all addresses of the machine. */
  readonly host: string | undefined;
  /** CIDR ranges that are never limited: proxies through which many players come. */
  readonly never: readonly string[];
}

/**
 * The whole table, replacing one of that name which an edge has left behind. It is text because the
 * JSON of older versions of nft has no sets that rules write to.
 */
export function createTable({ name, host, never }: TableOptions): string {
  const of = (isV6: boolean): string =>
    [isV6 ? "::1" : "127.0.0.0/8", ...never.filter((range) => range.includes(":") === isV6)].join();
  const bans = (set: string, type: string): string =>
    `set ${set} { type ${type}; size ${bansMax}; flags timeout; }`;
  const syns = (set: string, type: string): string =>
    `set ${set} { type ${type}; size ${synSources}; flags dynamic,timeout; timeout 10s; }`;
  const isV6Host = host?.includes(":") === true;
  const elsewhere =
    host === undefined
      ? ["fib daddr type != local return"]
      : [
          `${isV6Host ? "ip6" : "ip"} daddr != ${host} return`,
          `meta nfproto ${isV6Host ? "ipv4" : "ipv6"} return`,
        ];
  const limit = `limit rate over ${synPerSecond}/second burst ${synBurst} packets`;
  return `table inet ${name}
delete table inet ${name}
table inet ${name} {
  counter banned { }
  counter syn_limited { }
  set ports { type inet_service; }
  set never4 { type ipv4_addr; flags interval; auto-merge; elements = { ${of(false)} } }
  set never6 { type ipv6_addr; flags interval; auto-merge; elements = { ${of(true)} } }
  ${bans("ban4", "ipv4_addr")}
  ${bans("net4", "ipv4_addr")}
  ${bans("ban6", "ipv6_addr")}
  ${bans("net6", "ipv6_addr")}
  ${syns("syn4", "ipv4_addr")}
  ${syns("syn6", "ipv6_addr")}
  chain newcomers {
    ${elsewhere.join("\n    ")}
    ip saddr @never4 return
    ip6 saddr @never6 return
    ip saddr @ban4 counter name banned drop
    ip saddr & 255.255.255.0 @net4 counter name banned drop
    ip6 saddr & ffff:ffff:ffff:ffff:: @ban6 counter name banned drop
    ip6 saddr & ffff:ffff:ffff:: @net6 counter name banned drop
    update @syn4 { ip saddr ${limit} } counter name syn_limited drop
    update @syn6 { ip6 saddr & ffff:ffff:ffff:ffff:: ${limit} } counter name syn_limited drop
  }
  chain edge {
    type filter hook prerouting priority raw; policy accept;
    tcp dport @ports tcp flags & (fin|syn|rst|ack) == syn jump newcomers
  }
}
`;
}

const setOfPrefix = new Map([
  ["32", "ban4"],
  ["24", "net4"],
  ["64", "ban6"],
  ["48", "net6"],
]);

/** Adds them in one transaction. A ban that is there already is left as it is. */
export function addBans(table: string, bans: readonly Ban[]): string {
  const elements = new Map<string, object[]>();
  for (const { network, seconds } of bans) {
    const [val = "", prefix = ""] = network.split("/");
    const set = setOfPrefix.get(prefix);
    if (set === undefined) throw new Error(`${network} is no network of a ban`);
    const list = elements.get(set) ?? [];
    list.push({ elem: { val, timeout: seconds } });
    elements.set(set, list);
  }
  return commands(
    [...elements].map(([name, elem]) => ({
      add: { element: { family: "inet", table, name, elem } },
    })),
  );
}

/** Takes every ban back. */
export function flushBans(table: string): string {
  return commands(
    [...setOfPrefix.values()].map((name) => ({ flush: { set: { family: "inet", table, name } } })),
  );
}

/** In place of the ports before. */
export function setPorts(table: string, ports: readonly number[]): string {
  const set = { family: "inet", table, name: "ports" };
  const add = { add: { element: { ...set, elem: ports } } };
  return commands([{ flush: { set } }, ...(ports.length === 0 ? [] : [add])]);
}

/** Removes the table of that handle only: not one that another edge has put in its place. */
export function deleteTable(handle: number): string {
  return `delete table inet handle ${handle}\n`;
}

function commands(list: readonly object[]): string {
  return JSON.stringify({ nftables: list });
}
