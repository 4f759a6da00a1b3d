import type { Origin } from "@palisade/contract/http/origin";

/** The addresses that may reach the ports of a game server. */
export interface Lockdown {
  /** Checked spellings. */
  readonly addresses: readonly string[];
  /** By TCP. */
  readonly ports: readonly number[];
  /** By UDP, for players of Bedrock. */
  readonly udpPorts: readonly number[];
}

type Transport = readonly ["tcp" | "udp", readonly number[]];

/** Those that have ports. */
function transportsOf({ ports, udpPorts }: Lockdown): Transport[] {
  const all: Transport[] = [
    ["tcp", ports],
    ["udp", udpPorts],
  ];
  return all.filter(([, some]) => some.length > 0);
}

/** iptables and ufw take this many ports in one rule. */
const rulePortsMax = 15;

/** Without addresses or ports there are no rules: they would shut everyone out or let everyone in. */
export function snippetsOf(lockdown: Lockdown): Origin["snippets"] {
  if (lockdown.addresses.length === 0 || transportsOf(lockdown).length === 0) return [];
  return [
    { program: "nftables", file: "palisade.nft", text: nftables(lockdown) },
    { program: "iptables", file: "palisade-iptables.sh", text: iptables(lockdown) },
    { program: "ufw", file: "palisade-ufw.sh", text: ufw(lockdown) },
  ];
}

/**
 * Replaces its own table only, in one step. It looks before the address of a container is put in,
 * so that published ports of Docker are covered; answers to what the machine itself asked pass.
 */
function nftables(lockdown: Lockdown): string {
  const { addresses } = lockdown;
  return lines(
    "#!/usr/sbin/nft -f",
    "# Only the edges of Palisade reach these ports. As root: nft -f palisade.nft",
    "# To keep it over a restart: include it in /etc/nftables.conf",
    "table inet palisade",
    "delete table inet palisade",
    "table inet palisade {",
    ...nftSet("edges4", "ipv4_addr", only(addresses, 4)),
    ...nftSet("edges6", "ipv6_addr", only(addresses, 6)),
    "\tchain origin {",
    "\t\ttype filter hook prerouting priority -150; policy accept;",
    '\t\tiif "lo" accept',
    "\t\tct direction reply accept",
    ...transportsOf(lockdown).flatMap(([transport, ports]) => {
      const dport = `\t\t${transport} dport { ${ports.join(", ")} }`;
      return [
        `${dport} ip saddr @edges4 accept`,
        `${dport} ip6 saddr @edges6 accept`,
        `${dport} drop`,
      ];
    }),
    "\t}",
    "}",
  );
}

/** A set without elements has no such line: an empty one is an error. */
function nftSet(name: string, type: string, addresses: readonly string[]): string[] {
  const elements = addresses.length === 0 ? [] : [`\t\telements = { ${addresses.join(", ")} }`];
  return [`\tset ${name} {`, `\t\ttype ${type}`, ...elements, "\t}"];
}

/** Run again it replaces what it made before; rules of others stay as they are. */
function iptables(lockdown: Lockdown): string {
  const { addresses } = lockdown;
  const transports = transportsOf(lockdown);
  return lines(
    "#!/bin/sh",
    "# Only the edges of Palisade reach these ports. As root: sh palisade-iptables.sh",
    "# To keep it over a restart: netfilter-persistent save",
    "set -eu",
    ...iptablesRules("iptables", only(addresses, 4), transports),
    ...iptablesRules("ip6tables", only(addresses, 6), transports),
  );
}

function iptablesRules(
  program: string,
  addresses: readonly string[],
  transports: readonly Transport[],
): string[] {
  const mangle = `${program} -t mangle`;
  return [
    "",
    `${mangle} -N PALISADE 2>/dev/null || ${mangle} -F PALISADE`,
    `${mangle} -A PALISADE -i lo -j RETURN`,
    `${mangle} -A PALISADE -m conntrack --ctdir REPLY -j RETURN`,
    ...addresses.map((address) => `${mangle} -A PALISADE -s ${address} -j RETURN`),
    ...transports.flatMap(([transport, ports]) =>
      chunks(ports).map((some) => {
        const match = `-p ${transport} -m multiport --dports ${some.join(",")}`;
        return `${mangle} -A PALISADE ${match} -j DROP`;
      }),
    ),
    // The ports stay inside the chain, so that a later list leaves nothing of this one behind.
    ...transports.map(([transport]) => {
      const jump = `PREROUTING -p ${transport} -j PALISADE`;
      return `${mangle} -C ${jump} 2>/dev/null || ${mangle} -A ${jump}`;
    }),
  ];
}

/** The refusal goes in first: what is put before it later is asked earlier. */
function ufw(lockdown: Lockdown): string {
  const { addresses } = lockdown;
  const some = transportsOf(lockdown).flatMap(([transport, ports]) =>
    chunks(ports).map((each) => ({ transport, list: each.join(",") })),
  );
  return lines(
    "#!/bin/sh",
    "# Only the edges of Palisade reach these ports. As root: sh palisade-ufw.sh",
    "# ufw does not see published ports of Docker: use nftables for those.",
    "set -eu",
    ...some.map(
      ({ transport, list }) => `ufw prepend deny proto ${transport} from any to any port ${list}`,
    ),
    ...addresses.flatMap((address) =>
      some.map(
        ({ transport, list }) =>
          `ufw prepend allow proto ${transport} from ${address} to any port ${list}`,
      ),
    ),
  );
}

/** Brings the sets of nftables up to date; an answer without an address changes nothing. */
export function refreshScript(url: string): string {
  return lines(
    "#!/bin/sh",
    "# Keeps the rules of palisade.nft up to date. Save it as /usr/local/sbin/palisade-refresh,",
    "# make it executable and call it from root's crontab:",
    "# */5 * * * * /usr/local/sbin/palisade-refresh",
    "set -eu",
    `list=$(curl -fsS --max-time 20 '${url}')`,
    "four=$(printf '%s\\n' \"$list\" | grep -E '^[0-9]+(\\.[0-9]+){3}$' | paste -sd, - || true)",
    "six=$(printf '%s\\n' \"$list\" | grep -E '^[0-9a-f]*:[0-9a-f:.]*$' | paste -sd, - || true)",
    '[ -n "$four$six" ] || exit 1',
    "{",
    "  echo 'flush set inet palisade edges4'",
    "  echo 'flush set inet palisade edges6'",
    '  [ -z "$four" ] || echo "add element inet palisade edges4 { $four }"',
    '  [ -z "$six" ] || echo "add element inet palisade edges6 { $six }"',
    "} | nft -f -",
  );
}

/** The setting of each program for connections that begin with a PROXY header. */
export const proxySettings: Origin["settings"] = [
  {
    software: "paper",
    file: "config/paper-global.yml",
    text: lines("proxies:", "  proxy-protocol: true"),
  },
  {
    software: "velocity",
    file: "velocity.toml",
    text: lines("[advanced]", "haproxy-protocol = true"),
  },
  {
    software: "bungeecord",
    file: "config.yml",
    text: lines("listeners:", "- proxy_protocol: true"),
  },
];

function only(addresses: readonly string[], family: 4 | 6): string[] {
  return addresses.filter((address) => address.includes(":") === (family === 6));
}

function chunks(ports: readonly number[]): number[][] {
  const count = Math.ceil(ports.length / rulePortsMax);
  return Array.from({ length: count }, (_, index) =>
    ports.slice(index * rulePortsMax, (index + 1) * rulePortsMax),
  );
}

function lines(...text: readonly string[]): string {
  return `${text.join("\n")}\n`;
}
