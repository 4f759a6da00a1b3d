import { z } from "zod";
import { serverParams, uuid } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

export const bedrockPort = z
  .object({
    id: uuid,
    domain: z.string().describe("The name that players type"),
    port: z.int(),
  })
  .meta({ id: "BedrockPort" });

export type BedrockPort = z.infer<typeof bedrockPort>;

export const bedrock = z
  .object({
    ports: z.array(bedrockPort).describe("In the order in which they were added"),
    ports_max: z.int().describe("Ports a shield may have"),
    default_port: z.int().describe("The port that Bedrock suggests to players"),
    bedrock_enabled: z.boolean(),
    has_server: z
      .boolean()
      .describe("A server has a Bedrock port; without one, no player of Bedrock can join"),
    needs_upgrade: z.boolean().describe("The plan has no Bedrock: it is off and cannot be changed"),
    add_default_available: z.boolean(),
    add_random_available: z.boolean(),
    request_default_available: z
      .boolean()
      .describe("The shield has no right to the default port; support can grant it"),
    edge_addresses: z
      .array(z.string())
      .describe("Of all edges, for `proxy-protocol-whitelisted-ips` of Geyser"),
  })
  .meta({ id: "Bedrock" });

export type Bedrock = z.infer<typeof bedrock>;

const memberErrors = ["unauthenticated", "forbidden", "not_found", "gone"] as const;
const writeErrors = [...memberErrors, "server_not_active"] as const;
const answer = z.object({
  message: z.string(),
  revision: z.int().describe("Revision to follow with `propagation`"),
  bedrock,
});

const shared = {
  family: "api",
  access: "member",
  area: "bedrock",
  params: serverParams,
} as const;

export const getBedrock = route({
  ...shared,
  id: "bedrock.get",
  method: "GET",
  path: "/servers/:id/ports",
  apiKey: "read",
  summary: "Bedrock ports of a shield",
  versioned: true,
  success: 200,
  response: bedrock,
  errors: [...memberErrors],
  limits: defaultLimits.read,
});

export const updateBedrock = route({
  ...shared,
  id: "bedrock.update",
  method: "PUT",
  path: "/servers/:id/ports/bedrock",
  apiKey: "write",
  summary: "Turn Bedrock on or off",
  body: z.object({ bedrock_enabled: z.boolean("boolean.invalid") }),
  success: 200,
  response: answer,
  errors: [...writeErrors, "plan_required", "precondition_failed"],
  limits: [{ per: "shield", max: 600, windowSeconds: 600 }],
});

export const addRandomPort = route({
  ...shared,
  id: "bedrock.addRandom",
  method: "POST",
  path: "/servers/:id/ports/add-random",
  apiKey: "write",
  summary: "Add a random Bedrock port",
  success: 201,
  response: answer,
  errors: [...writeErrors, "plan_required", "ports_full", "pool_exhausted"],
  limits: [{ per: "shield", max: 30, windowSeconds: 3600 }],
});

export const addDefaultPort = route({
  ...shared,
  id: "bedrock.addDefault",
  method: "POST",
  path: "/servers/:id/ports/add-default",
  apiKey: "write",
  summary: "Add the default Bedrock port",
  success: 201,
  response: answer,
  errors: [...writeErrors, "plan_required", "ports_full", "port_taken", "conflict"],
  limits: [{ per: "shield", max: 30, windowSeconds: 3600 }],
});

export const removePort = route({
  ...shared,
  id: "bedrock.remove",
  method: "DELETE",
  path: "/servers/:id/ports/:portId",
  apiKey: "write",
  summary: "Delete a Bedrock port",
  params: serverParams.extend({ portId: uuid }),
  success: 200,
  response: answer,
  errors: [...writeErrors],
  limits: [{ per: "shield", max: 600, windowSeconds: 600 }],
});

export const bedrockRoutes = {
  getBedrock,
  updateBedrock,
  addRandomPort,
  addDefaultPort,
  removePort,
};
