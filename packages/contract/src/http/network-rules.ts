import { z } from "zod";
import { networkActions } from "../edge/plain-values.ts";
import { isCountry } from "./country-rules.ts";
import { acknowledgement, serverParams, timestamp, uuid } from "./fields.ts";
import { route } from "./route.ts";
import { tidyLine } from "./tidy-line.ts";

/** Rules of a shield, countries and networks together. */
export const networkRulesMax = 500;
export const ruleNoteCharactersMax = 200;
const asnMax = 0xffff_ffff;

const country = z.string().describe("ISO 3166-1 alpha-2");
const asn = z.int().describe("Number of the autonomous system");

export const networkRule = z
  .object({
    id: uuid,
    country: country.nullable(),
    asn: asn.nullable().describe("Null for a rule of a country"),
    network: z
      .string()
      .nullable()
      .describe("Name of the network, where players of it are in the shield's log"),
    action: z.enum(networkActions),
    note: z.string(),
    created_at: timestamp,
    expires_at: timestamp
      .nullable()
      .describe("From then on the rule does nothing; a day later it is removed"),
  })
  .meta({ id: "NetworkRule" });

export type NetworkRule = z.infer<typeof networkRule>;

export const networkRuleList = z
  .object({
    rules: z.array(networkRule).describe("Newest first"),
    databases: z
      .object({ countries: z.boolean(), networks: z.boolean() })
      .describe("Whether the operator has databases; without them no address belongs to any rule"),
  })
  .meta({ id: "NetworkRules" });

export type NetworkRuleList = z.infer<typeof networkRuleList>;

export const addNetworkRuleBody = z
  .object({
    country: z
      .string("country.invalid")
      .trim()
      .toUpperCase()
      .max(2, "country.invalid")
      .refine(isCountry, "country.invalid")
      .optional(),
    asn: z
      .int("asn.invalid")
      .min(0, "asn.invalid")
      .max(asnMax, "asn.invalid")
      .optional()
      .describe("In place of `country`"),
    action: z.enum(networkActions, "network_action.invalid"),
    note: z
      .string("invalid")
      .overwrite(tidyLine)
      .max(ruleNoteCharactersMax, "text.max")
      .default(""),
    expires_at: timestamp.nullable().default(null),
  })
  .refine((body) => (body.country === undefined) !== (body.asn === undefined), {
    path: ["country"],
    message: "network_rule.subject",
  })
  .meta({ id: "NetworkRuleCreate" });

const revisionAnswer = {
  message: z.string(),
  revision: z.int().describe("Revision to follow with `propagation`"),
};
const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const writeLimit = { per: "shield", max: 600, windowSeconds: 600 } as const;

const listNetworkRules = route({
  id: "firewall.networks",
  method: "GET",
  path: "/servers/:id/firewall/networks",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "read",
  summary: "Rules of a shield by country and network",
  params: serverParams,
  success: 200,
  response: networkRuleList,
  errors: [...memberErrors],
  limits: [{ per: "user", max: 60, windowSeconds: 60 }],
});

const addNetworkRule = route({
  id: "firewall.addNetwork",
  method: "POST",
  path: "/servers/:id/firewall/networks",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Add a rule for a country or a network",
  params: serverParams,
  body: addNetworkRuleBody,
  success: 201,
  response: z.object({ ...revisionAnswer, rule: networkRule }),
  errors: [...writeErrors, "entry_exists", "list_full"],
  limits: [writeLimit],
});

const removeNetworkRule = route({
  id: "firewall.removeNetwork",
  method: "DELETE",
  path: "/servers/:id/firewall/networks/:ruleId",
  family: "api",
  access: "member",
  area: "firewall",
  apiKey: "write",
  summary: "Remove a rule for a country or a network",
  params: serverParams.extend({ ruleId: uuid }),
  success: 200,
  response: acknowledgement.extend(revisionAnswer),
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const networkRuleRoutes = { listNetworkRules, addNetworkRule, removeNetworkRule };
