import { z } from "zod";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { entryDetails, entryEnd, entryNote, listTypes } from "./firewall-entry.ts";
import { firewallImport, importBytesMax, importFirewallBody } from "./firewall-import.ts";
import { route } from "./route.ts";

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();
const cidrv4 = z.cidrv4();
const cidrv6 = z.cidrv6();

const addressSigns = /^[\da-f]*[.:][\da-f.:/]*$/i;

/** A cheap check that most words of a text do not pass: addresses have a dot or a colon, and few other signs. */
export function couldBeAddress(value: string): boolean {
  return addressSigns.test(value);
}

/** An IPv4 or IPv6 address, or a CIDR range of either. */
export function isAddressOrRange(value: string): boolean {
  if (!couldBeAddress(value)) return false;
  const isRange = value.includes("/");
  if (value.includes(":")) return (isRange ? cidrv6 : ipv6).safeParse(value).success;
  return (isRange ? cidrv4 : ipv4).safeParse(value).success;
}

const playerName = /^\w{1,16}$/;

/** The name of a player, as the edge admits it; old accounts have short ones. No address has this form. */
export function isPlayerName(value: string): boolean {
  return playerName.test(value);
}

export const entryKinds = ["address", "name"] as const;
export type EntryKind = (typeof entryKinds)[number];

/** The kind of an entry by its form; null if it can be none. */
export function entryKindOf(value: string): EntryKind | null {
  if (isPlayerName(value)) return "name";
  return isAddressOrRange(value) ? "address" : null;
}

const entryText = z
  .string()
  .describe("An address, a CIDR range or the name of a player, as `kind` says");

export const firewallEntry = z
  .object({
    id: uuid,
    ip: entryText,
    kind: z.enum(entryKinds).describe("`address` stands for ranges too"),
    created_at: timestamp,
    ...entryDetails,
  })
  .meta({ id: "FirewallEntry" });

export type FirewallEntry = z.infer<typeof firewallEntry>;

export const firewall = z
  .object({
    ip_blacklist_enabled: z.boolean(),
    ip_whitelist_enabled: z.boolean(),
    whitelist_only: z
      .boolean()
      .describe("Maintenance mode: everybody else is kicked with `whitelist_msg`"),
    blacklist_ips: z.array(firewallEntry),
    whitelist_ips: z.array(firewallEntry),
    caller: z
      .object({
        ip: z.string(),
        whitelisted: z.boolean().describe("Whether an entry of the whitelist holds it"),
      })
      .describe("Where this call came from: whether maintenance would keep the caller out"),
  })
  .meta({ id: "Firewall" });

export type Firewall = z.infer<typeof firewall>;

/** Without the lists: they are megabytes where they are full, and turning them on leaves them as they are. */
const firewallSwitches = firewall
  .omit({ blacklist_ips: true, whitelist_ips: true })
  .meta({ id: "FirewallSwitches" });

export type FirewallSwitches = z.infer<typeof firewallSwitches>;

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
      .string("entry.required")
      .trim()
      .min(1, "entry.required")
      .max(64, "entry.invalid")
      .refine((value) => entryKindOf(value) !== null, "entry.invalid")
      .describe("An address, a CIDR range or the name of a player"),
    note: entryNote.optional(),
    expires_at: entryEnd.optional(),
  })
  .meta({ id: "FirewallEntryCreate" });

export const updateFirewallEntryBody = z
  .object({ note: entryNote.optional(), expires_at: entryEnd.optional() })
  .meta({ id: "FirewallEntryUpdate" });

const listParams = serverParams.extend({ type: z.enum(listTypes, "list_type.invalid") });

const revisionAnswer = {
  message: z.string(),
  revision: z.int().describe("Revision to follow with `propagation`"),
};
const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const writeLimit = { per: "shield", max: 600, windowSeconds: 600 } as const;

export const getFirewall = route({
  id: "firewall.get",
  method: "GET",
  path: "/servers/:id/firewall",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "read",
  summary: "Lists and switches of a shield",
  params: serverParams,
  success: 200,
  response: firewall,
  errors: [...memberErrors],
  conditional: true,
  limits: [{ per: "user", max: 60, windowSeconds: 60 }],
});

export const updateFirewall = route({
  id: "firewall.update",
  method: "PUT",
  path: "/servers/:id/firewall",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Turn the lists on and off",
  params: serverParams,
  body: updateFirewallBody,
  success: 200,
  response: z.object({ ...revisionAnswer, firewall: firewallSwitches }),
  errors: [...writeErrors, "precondition_failed"],
  limits: [writeLimit],
});

export const addFirewallEntry = route({
  id: "firewall.addEntry",
  method: "POST",
  path: "/servers/:id/firewall/ips",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Add an address, a range or a name to a list",
  params: serverParams,
  body: addFirewallEntryBody,
  success: 201,
  response: z.object({ ...revisionAnswer, entry: firewallEntry }),
  errors: [...writeErrors, "entry_exists", "list_full"],
  limits: [writeLimit],
});

export const updateFirewallEntry = route({
  id: "firewall.updateEntry",
  method: "PUT",
  path: "/servers/:id/firewall/ips/:ipId",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Change the note and the end of an entry",
  params: serverParams.extend({ ipId: uuid }),
  body: updateFirewallEntryBody,
  success: 200,
  response: z.object({ ...revisionAnswer, entry: firewallEntry }),
  errors: [...writeErrors, "list_full"],
  limits: [writeLimit],
});

export const removeFirewallEntry = route({
  id: "firewall.removeEntry",
  method: "DELETE",
  path: "/servers/:id/firewall/ips/:ipId",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Remove an entry from its list",
  params: serverParams.extend({ ipId: uuid }),
  success: 200,
  response: acknowledgement.extend(revisionAnswer),
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const importFirewall = route({
  id: "firewall.import",
  method: "POST",
  path: "/servers/:id/firewall/import",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Import entries into a list",
  params: serverParams,
  body: importFirewallBody,
  bodyBytesMax: importBytesMax,
  success: 200,
  response: z.object({ ...revisionAnswer, report: firewallImport }),
  errors: [...writeErrors, "list_full"],
  limits: [{ per: "shield", max: 30, windowSeconds: 600 }],
});

export const exportFirewall = route({
  id: "firewall.export",
  method: "GET",
  path: "/servers/:id/firewall/export.csv",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "read",
  notInViews: true,
  summary: "Export a list",
  params: serverParams,
  querystring: z.object({ type: z.enum(listTypes, "list_type.invalid") }),
  success: 200,
  response: z.string(),
  errors: [...memberErrors],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const clearFirewallList = route({
  id: "firewall.clear",
  method: "DELETE",
  path: "/servers/:id/firewall/:type/clear",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Remove all entries of a list",
  params: listParams,
  success: 200,
  response: acknowledgement.extend(revisionAnswer),
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const firewallRoutes = {
  getFirewall,
  updateFirewall,
  addFirewallEntry,
  updateFirewallEntry,
  removeFirewallEntry,
  importFirewall,
  exportFirewall,
  clearFirewallList,
};
