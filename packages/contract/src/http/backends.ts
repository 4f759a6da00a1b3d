import { z } from "zod";
import { balancingMethods, bedrockProxyModes, games } from "../edge/shield-config.ts";
import { serverParams, timestamp, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";
import { isBackendAddress } from "./servers.ts";
import { tidyLine } from "./tidy-line.ts";

/** Servers a group may hold. */
export const groupServersMax = 64;

/** Region of a group that the edges of every location use. */
export const everyRegion = "anycast_legacy";

/** The shown name of a group without a name of its own; it is not stored. */
export const everyRegionText = "Anycast (Legacy)";

/**
 * The value of a choice that is written as `Round Robin`, `round_robin` or `Anycast (Legacy)`: lower
 * case, without parentheses, with underscores for spaces.
 */
export function canonicalChoice(text: string): string {
  return text.trim().toLowerCase().replace(/[()]/g, "").replace(/\s+/g, "_");
}

const groupName = z
  .string("group_name.required")
  .overwrite(tidyLine)
  .min(1, "group_name.required")
  .max(255, "group_name.max");

const game = z
  .string("game.invalid")
  .max(64, "game.invalid")
  .overwrite(canonicalChoice)
  .pipe(z.enum(games, "game.invalid"));

const balancing = z
  .string("load_balancing.invalid")
  .max(64, "load_balancing.invalid")
  .overwrite(canonicalChoice)
  .pipe(z.enum(balancingMethods, "load_balancing.invalid"));

const region = z
  .string("region.required")
  .trim()
  .min(1, "region.required")
  .max(255, "error.location_unavailable")
  .describe("A value of `available_regions`, its name or its display text");

export const backendServerBody = z
  .object({
    ip: z
      .string("ip.required")
      .trim()
      .min(1, "ip.required")
      .max(253, "ip.invalid")
      .refine(isBackendAddress, "ip.invalid")
      .describe("IPv4, IPv6 or a host name; private ones are refused"),
    port: z
      .number({
        error: ({ input }) =>
          input === undefined || input === null ? "port.required" : "port.invalid",
      })
      .int("port.invalid")
      .min(1, "port.invalid")
      .max(65_535, "port.invalid"),
    bedrock_port: z
      .int("bedrock_port.invalid")
      .min(1, "bedrock_port.invalid")
      .max(65_535, "bedrock_port.invalid")
      .nullable()
      .optional()
      .describe("UDP port for players of Bedrock; null for none. Left out, it stays as it is"),
    bedrock_proxy: z
      .enum(bedrockProxyModes, "bedrock_proxy.invalid")
      .optional()
      .describe(
        "Datagrams of a player that begin with a PROXY protocol v2 header. Geyser expects `first`",
      ),
  })
  .meta({ id: "BackendServerWrite" });

export const createGroupBody = z
  .object({
    name: groupName,
    game: game.optional().describe("`minecraft` where it is left out"),
    region: region.optional(),
    load_balancing: balancing.optional().describe("`round_robin` where it is left out"),
    proxy_protocol: z.boolean("boolean.invalid").optional(),
    default: z
      .boolean("boolean.invalid")
      .optional()
      .describe("Takes being the default from the group that was"),
  })
  .meta({ id: "BackendGroupCreate" });

export const updateGroupBody = createGroupBody.partial().meta({ id: "BackendGroupUpdate" });

/**
 * How a server was proven. `upgrade`: it had players before proofs were asked for. `minecraft`: it
 * has answered a status request. The others are its owner's: the token in its MOTD, in the first
 * bytes of its connections, or in a TXT record.
 */
export const proofKinds = ["upgrade", "minecraft", "motd", "greeting", "record"] as const;
export type ProofKind = (typeof proofKinds)[number];

/** The name of a TXT record is this and the name that the server's address has in reverse DNS. */
export const proofRecordPrefix = "_palisade.";

/** As edges that are online see the server; `unknown` while none does. */
export const backendStates = ["up", "down", "unknown"] as const;

const backendHealth = z.object({
  state: z.enum(backendStates).describe("`up` while one edge reaches it"),
  edges_up: z.int().describe("Edges that reach it"),
  edges_down: z.int().describe("Edges that do not"),
  players: z.int().describe("Joined through the edges"),
  latency_ms: z.int().nullable().describe("Mean of the edges that reach it"),
  last_error: z.string().nullable().describe("Why the last attempt failed, in words"),
  changed_at: timestamp.nullable(),
});

export const backendServer = z
  .object({
    id: uuid,
    ip: z.string(),
    port: z.int(),
    bedrock_port: z.int().nullable(),
    bedrock_proxy: z.enum(bedrockProxyModes),
    created_at: timestamp,
    proof: z.object({
      proven: z
        .boolean()
        .describe("Players are sent there; for Minecraft, edges look by themselves"),
      by: z.enum(proofKinds).nullable(),
      proven_at: timestamp.nullable(),
    }),
    health: backendHealth.extend({
      expects_proxy: z
        .boolean()
        .describe("The server answers only with PROXY protocol, which the group does not send"),
    }),
    bedrock_health: backendHealth
      .nullable()
      .describe(
        "The same of the Bedrock port, whose players are among those of `health`; null without one. `unknown` while Bedrock is off",
      ),
  })
  .meta({ id: "BackendServer" });

export const backendGroup = z
  .object({
    id: uuid,
    name: z.string(),
    game: z.enum(games),
    region: z.string(),
    region_name: z.string().describe("As it is shown"),
    load_balancing: z.enum(balancingMethods),
    proxy_protocol: z.boolean(),
    default: z.boolean(),
    port: z.int().nullable().describe("Game `other` only: where players connect"),
    created_at: timestamp,
    etag: z.string().describe("For `If-Match`; changes with the group and its servers"),
    ips: z.array(backendServer),
  })
  .meta({ id: "BackendGroup" });

export const availableRegion = z
  .object({
    name: z.string(),
    display_name: z.string(),
    value: z.string().describe("To send as `region`"),
  })
  .meta({ id: "BackendRegion" });

export const backends = z
  .object({
    backends: z.array(backendGroup).describe("The default group first, then by age"),
    available_regions: z.array(availableRegion),
    groups_max: z.int().describe("Groups the plan allows"),
    bedrock_available: z.boolean().describe("The plan has Bedrock"),
    proof_token: z
      .string()
      .describe("For the MOTD, greeting or TXT record of a server that is to be proven"),
  })
  .meta({ id: "Backends" });

export type Backends = z.infer<typeof backends>;
export type BackendGroup = z.infer<typeof backendGroup>;
export type BackendServer = z.infer<typeof backendServer>;

const revisionAnswer = {
  message: z.string(),
  revision: z.int().describe("Revision to follow with `propagation`"),
};
const groupAnswer = z.object({ ...revisionAnswer, backend: backendGroup });
const groupParams = serverParams.extend({ backendId: uuid });
const serverOfGroupParams = groupParams.extend({ ipId: uuid });
const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const writeLimit = { per: "shield", max: 600, windowSeconds: 600 } as const;

export const getBackends = route({
  id: "backends.get",
  method: "GET",
  path: "/servers/:id/backends",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "read",
  summary: "Backend groups and the health of their servers",
  params: serverParams,
  success: 200,
  response: backends,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const createBackendGroup = route({
  id: "backends.create",
  method: "POST",
  path: "/servers/:id/backends",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Create a backend group",
  params: serverParams,
  body: createGroupBody,
  success: 201,
  response: groupAnswer,
  errors: [...writeErrors, "plan_limit", "location_unavailable", "pool_exhausted"],
  limits: [writeLimit],
});

export const updateBackendGroup = route({
  id: "backends.update",
  method: "PUT",
  path: "/servers/:id/backends/:backendId",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Change a backend group",
  params: groupParams,
  body: updateGroupBody,
  success: 200,
  response: groupAnswer,
  errors: [
    ...writeErrors,
    "precondition_failed",
    "default_group",
    "location_unavailable",
    "pool_exhausted",
  ],
  limits: [writeLimit],
});

export const deleteBackendGroup = route({
  id: "backends.delete",
  method: "DELETE",
  path: "/servers/:id/backends/:backendId",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Delete a backend group with its servers",
  params: groupParams,
  success: 200,
  response: z.object(revisionAnswer),
  errors: [...writeErrors, "precondition_failed", "default_group", "last_group"],
  limits: [writeLimit],
});

export const addBackendServer = route({
  id: "backends.addServer",
  method: "POST",
  path: "/servers/:id/backends/:backendId/ips",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Add a server to a group",
  params: groupParams,
  body: backendServerBody,
  success: 201,
  response: groupAnswer.extend({ entry: backendServer }),
  errors: [...writeErrors, "plan_required", "backend_exists", "group_full"],
  limits: [writeLimit],
});

export const updateBackendServer = route({
  id: "backends.updateServer",
  method: "PUT",
  path: "/servers/:id/backends/:backendId/ips/:ipId",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Change the address of a server",
  params: serverOfGroupParams,
  body: backendServerBody,
  success: 200,
  response: groupAnswer.extend({ entry: backendServer }),
  errors: [...writeErrors, "plan_required", "precondition_failed", "backend_exists"],
  limits: [writeLimit],
});

export const removeBackendServer = route({
  id: "backends.removeServer",
  method: "DELETE",
  path: "/servers/:id/backends/:backendId/ips/:ipId",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Remove a server from its group",
  params: serverOfGroupParams,
  success: 200,
  response: groupAnswer,
  errors: [...writeErrors],
  limits: [writeLimit],
});

export const checkBackendProof = route({
  id: "backends.checkProof",
  method: "POST",
  path: "/servers/:id/backends/:backendId/ips/:ipId/proof",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "write",
  summary: "Look for the proof that a server is its owner's",
  params: serverOfGroupParams,
  success: 200,
  response: groupAnswer.extend({
    revision: z.int().nullable().describe("Null where nothing has changed"),
    entry: backendServer,
    records: z
      .array(z.object({ type: z.literal("TXT"), name: z.string(), value: z.string() }))
      .describe("Each of them would prove an address of the server"),
  }),
  errors: [...writeErrors],
  limits: [
    { per: "user", max: 20, windowSeconds: 60 },
    { per: "shield", max: 120, windowSeconds: 600 },
  ],
});

export const backendRoutes = {
  getBackends,
  createBackendGroup,
  updateBackendGroup,
  deleteBackendGroup,
  addBackendServer,
  updateBackendServer,
  removeBackendServer,
  checkBackendProof,
};
