import { mountedPath } from "@palisade/contract/http/route";
import { listEdgeAddresses, type Origin } from "@palisade/contract/http/origin";
import type { Executor } from "#src/platform/database/db.ts";
import { tidyAddresses } from "./addresses.ts";
import { selectFleetAddresses, selectServedPorts } from "./origin.repository.ts";
import { proxySettings, refreshScript, snippetsOf } from "./snippets.ts";

const addressesPath = mountedPath(listEdgeAddresses);

/**
 * Lists the addresses of every edge, so that the firewall rules still work after the shield or its
 * groups move to another region.
 *
 * @param publicOrigin URL at which game servers reach this installation
 */
export async function readOrigin(
  db: Executor,
  shieldId: string,
  publicOrigin: string,
): Promise<Origin> {
  const [edges, rows] = await Promise.all([
    selectFleetAddresses(db),
    selectServedPorts(db, shieldId),
  ]);
  const perEdge = edges.map(tidyAddresses);
  const addresses = tidyAddresses(perEdge.flat());
  const ports = sorted(rows.flatMap(({ port }) => port ?? []));
  const udpPorts = sorted(rows.flatMap(({ bedrock_port: port }) => port ?? []));
  const snippets = snippetsOf({ addresses, ports, udpPorts });
  return {
    addresses,
    is_complete: perEdge.length > 0 && perEdge.every((own) => own.length > 0),
    ports,
    udp_ports: udpPorts,
    addresses_url: addressesPath,
    snippets,
    refresh: snippets.length === 0 ? null : refreshScript(publicOrigin + addressesPath),
    settings: proxySettings,
    proxy_protocol: proxyOf(rows.map(({ proxy_protocol }) => proxy_protocol)),
  };
}

export async function edgeAddresses(db: Executor): Promise<string[]> {
  return tidyAddresses((await selectFleetAddresses(db)).flat());
}

/** One address a line, of every edge there is. */
export async function fleetAddresses(db: Executor): Promise<string> {
  const addresses = await edgeAddresses(db);
  return addresses.map((address) => `${address}\n`).join("");
}

function proxyOf(groups: readonly boolean[]): Origin["proxy_protocol"] {
  if (!groups.includes(true)) return "off";
  return groups.includes(false) ? "mixed" : "on";
}

/** Each once. */
function sorted(ports: readonly number[]): number[] {
  return [...new Set(ports)].toSorted((a, b) => a - b);
}
