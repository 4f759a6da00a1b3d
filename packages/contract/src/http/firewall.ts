import { z } from "zod";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { route } from "./route.ts";

/** Entries a list may hold. */
export const listEntriesMax = 10_000;

export const listTypes = ["blacklist", "whitelist"] as const;

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();
const cidrv4 = z.cidrv4();
const cidrv6 = z.cidrv6();

/** An IPv4 or IPv6 address, or a CIDR range of either. */
export function isAddressOrRange(value: string): boolean {
  return [ipv4, ipv6, cidrv4, cidrv6].some((schema) => schema.safeParse(value).success);
}

export const firewallEntry = z
  .object({ id: uuid, ip: z.string(), created_at: timestamp })
  .meta({ id: "FirewallEntry" });

export const firewall = z
  .object({
    ip_blacklist_enabled: z.boolean(),
    ip_whitelist_enabled: z.boolean(),
    whitelist_only: z
      .boolean()
      .describe("Maintenance mode: everybody else is kicked with `whitelist_msg`"),
    blacklist_ips: z.array(firewallEntry),
    whitelist_ips: z.array(firewallEntry),
  })
  .meta({ id: "Firewall" });

export type Firewall = z.infer<typeof firewall>;

export const updateFirewallBody = z
  .object({
    ip_blacklist_enabled: z.boolean("boolean.invalid").optional(),
    ip_whitelist_enabled: z.boolean("boolean.invalid").optional(),
    whitelist_only: z.boolean("boolean.invalid").optional(),
  })
  .meta({ id: "FirewallUpdate" });

export const addFirewallEntryBody = z
  .object({
    type: z.enum(listTypes, "list_type.invalid"),
    ip: z
      .string("ip.required")
      .trim()
      .min(1, "ip.required")
      .max(64, "ip.invalid")
      .refine(isAddressOrRange, "ip.invalid"),
  })
  .meta({ id: "FirewallEntryCreate" });

const revisionAnswer = {
  message: z.string(),
  revision: z.int().describe("Revision to follow with `propagation`"),
};
const memberErrors = ["unauthenticated", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const writeLimit = { per: "shield", max: 600, windowSeconds: 600 } as const;

export const getFirewall = route({
  id: "firewall.get",
  method: "GET",
  path: "/servers/:id/firewall",
  family: "api",
  access: "member",
  apiKey: "read",
  summary: "Lists and switches of a shield",
  params: serverParams,
  success: 200,
  response: firewall,
  errors: [...memberErrors],
  limits: [],
});

export const updateFirewall = route({
  id: "firewall.update",
  method: "PUT",
  path: "/servers/:id/firewall",
  family: "api",
  access: "member",
  apiKey: "write",
  summary: "Turn the lists on and off",
  params: serverParams,
  body: updateFirewallBody,
  success: 200,
  response: z.object({ ...revisionAnswer, firewall }),
  errors: [...writeErrors, "precondition_failed"],
  limits: [writeLimit],
});

export const addFirewallEntry = route({
  id: "firewall.addEntry",
  method: "POST",
  path: "/servers/:id/firewall/ips",
  family: "api",
  access: "member",
  apiKey: "write",
  summary: "Add an address or range to a list",
  params: serverParams,
  body: addFirewallEntryBody,
  success: 201,
  response: z.object({ ...revisionAnswer, entry: firewallEntry }),
  errors: [...writeErrors, "entry_exists", "list_full"],
  limits: [writeLimit],
});

export const removeFirewallEntry = route({
  id: "firewall.removeEntry",
  method: "DELETE",
  path: "/servers/:id/firewall/ips/:ipId",
  family: "api",
  access: "member",
  apiKey: "write",
  summary: "Remove an entry from its list",
  params: serverParams.extend({ ipId: uuid }),
  success: 200,
  response: acknowledgement.extend(revisionAnswer),
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const firewallRoutes = {
  getFirewall,
  updateFirewall,
  addFirewallEntry,
  removeFirewallEntry,
};
