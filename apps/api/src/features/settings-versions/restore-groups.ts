import {
  backendServerBody,
  createGroupBody,
  updateGroupBody,
  type BackendGroup,
} from "@palisade/contract/http/backends";
import {
  changeGroup,
  createGroup,
  listBackends,
  removeGroup,
  type GroupDeps,
  type GroupRequest,
} from "#src/features/backends/backend-groups.service.ts";
import {
  addBackend,
  changeBackend,
  removeBackend,
  type BackendDeps,
} from "#src/features/backends/group-backends.service.ts";
import type {
  AreaSettings,
  RecordedChange,
} from "#src/features/shield-history/shield-history.service.ts";
import type { Trx } from "#src/platform/database/db.ts";
import { byTodaysRules } from "./todays-rules.ts";

export type GroupRestoreDeps = GroupDeps & BackendDeps;

/** Groups get their settings and servers back; one that is gone is made anew, with another id. */
export async function restoreGroups(
  deps: GroupRestoreDeps,
  trx: Trx,
  request: GroupRequest,
  { changes, to }: { readonly changes: readonly RecordedChange[]; readonly to: AreaSettings },
): Promise<void> {
  const ids = new Set(changes.flatMap(({ id }) => id ?? []));
  // Made and changed before others are removed: there is always a default group.
  const there = [...ids].filter((id) => to[`group@${id}`] !== undefined);
  for (const id of there) await restoreGroup(deps, trx, request, { id, to });
  for (const groupId of ids) {
    if (there.includes(groupId)) continue;
    await removeGroup(deps, trx, { ...request, groupId });
  }
}

async function restoreGroup(
  deps: GroupRestoreDeps,
  trx: Trx,
  request: GroupRequest,
  { id, to }: { readonly id: string; readonly to: AreaSettings },
): Promise<void> {
  const { backends } = await listBackends(trx, request);
  const isDefault = to[`default_group@${id}`] === true;
  const settings = {
    name: to[`group@${id}`],
    game: to[`game@${id}`],
    region: to[`group_region@${id}`],
    load_balancing: to[`balancing@${id}`],
    proxy_protocol: to[`proxy_protocol@${id}`],
    // A default group ends being one when another becomes it.
    ...(isDefault ? { default: true } : {}),
  };
  const known = backends.find((group) => group.id === id);
  const { backend } =
    known === undefined
      ? await createGroup(deps, trx, request, byTodaysRules(createGroupBody, settings))
      : await changeGroup(
          deps,
          trx,
          { ...request, groupId: id },
          byTodaysRules(updateGroupBody, settings),
        );
  await restoreServers(deps, trx, { ...request, groupId: backend.id }, backend, {
    addresses: to[`servers@${id}`],
    bedrock: to[`bedrock_servers@${id}`],
  });
}

async function restoreServers(
  deps: GroupRestoreDeps,
  trx: Trx,
  request: GroupRequest & { readonly groupId: string },
  { ips }: BackendGroup,
  wanted: Readonly<Record<"addresses" | "bedrock", AreaSettings[string] | undefined>>,
): Promise<void> {
  const addresses = texts(wanted.addresses);
  const bedrock = new Map(texts(wanted.bedrock).map(readBedrock));
  const addressOf = ({ ip, port }: { readonly ip: string; readonly port: number }) =>
    ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
  // First, because a group has room for so many only.
  for (const server of ips) {
    if (addresses.includes(addressOf(server))) continue;
    await removeBackend(deps, trx, { ...request, serverId: server.id });
  }
  const there = new Map(ips.map((server) => [addressOf(server), server]));
  for (const address of addresses) {
    const colon = address.lastIndexOf(":");
    const ip = address.slice(0, colon).replace(/^\[|\]$/g, "");
    const port = Number(address.slice(colon + 1));
    const server = there.get(address);
    const then = bedrock.get(address) ?? noBedrock;
    if (server === undefined) {
      const body = byTodaysRules(backendServerBody, { ip, port, ...then });
      await addBackend(deps, trx, request, body);
    } else if ((server.bedrock_port ?? null) !== then.bedrock_port || isOtherProxy(server, then)) {
      const body = byTodaysRules(backendServerBody, { ip, port, ...then });
      const change = { ...request, ifMatch: undefined, serverId: server.id };
      await changeBackend(deps, trx, change, body);
    }
  }
}

const noBedrock = { bedrock_port: null, bedrock_proxy: "off" };

/** Without a port for Bedrock, its choice of PROXY was not recorded. */
function isOtherProxy(
  server: BackendGroup["ips"][number],
  then: { readonly bedrock_port: number | null; readonly bedrock_proxy: string },
): boolean {
  return then.bedrock_port !== null && server.bedrock_proxy !== then.bedrock_proxy;
}

/** As the history holds it: the address, the port for Bedrock, and its PROXY. */
function readBedrock(text: string) {
  const [address = "", port, bedrock_proxy = "off"] = text.split(" ");
  return [address, { bedrock_port: Number(port), bedrock_proxy }] as const;
}

function texts(value: AreaSettings[string] | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
