/** The parts of Geyser's `config.yml` that matter behind the edges, by its form. */
export function geyserSnippets(addresses: readonly string[]) {
  const list = (indent: string) =>
    addresses.length === 0
      ? " []"
      : addresses.map((address) => `\n${indent}- "${address}"`).join("");
  return {
    newer: `bedrock:
  port: 19132
  clone-remote-port: false
advanced:
  bedrock:
    use-haproxy-protocol: true
    haproxy-protocol-whitelisted-ips:${list("      ")}
`,
    older: `bedrock:
  port: 19132
  clone-remote-port: false
  enable-proxy-protocol: true
  proxy-protocol-whitelisted-ips:${list("    ")}
`,
    /** For a server behind Geyser that itself expects PROXY protocol. */
    toServer: {
      newer: `advanced:
  java:
    use-haproxy-protocol: true
    use-direct-connection: false
`,
      older: `remote:
  use-proxy-protocol: true
use-direct-connection: false
`,
    },
  } as const;
}

export const floodgateSnippet = `key-file-name: key.pem
send-floodgate-data: true
`;
