import { z } from "zod";
import { serverParams } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

export const firewallPrograms = ["nftables", "iptables", "ufw"] as const;
export const proxySoftware = ["paper", "velocity", "bungeecord"] as const;

/** Instructions to let only the edges reach the game servers of a shield. */
export const origin = z
  .object({
    addresses: z
      .array(z.string())
      .describe(
        "Of all edges, so that they hold after a change of region: IPv4 first, in numerical order",
      ),
    is_complete: z
      .boolean()
      .describe("False where an edge has told no address: rules made of these would lock it out"),
    ports: z.array(z.int()).describe("Of the shield's servers, by TCP"),
    udp_ports: z.array(z.int()).describe("Of the shield's servers for players of Bedrock, by UDP"),
    addresses_url: z
      .string()
      .describe("Path of the addresses of all edges as plain text, one a line, without a login"),
    snippets: z
      .array(
        z.object({
          program: z.enum(firewallPrograms),
          file: z.string().describe("Name to save it under"),
          text: z.string(),
        }),
      )
      .describe("Rules as shell scripts or files; none while there is nothing to write rules of"),
    refresh: z
      .string()
      .nullable()
      .describe("Shell script for cron: brings the rules of nftables up to date"),
    settings: z.array(
      z.object({ software: z.enum(proxySoftware), file: z.string(), text: z.string() }),
    ),
    proxy_protocol: z.enum(["on", "off", "mixed"]).describe("Of the shield's groups"),
  })
  .meta({ id: "Origin" });

export type Origin = z.infer<typeof origin>;

export const getOrigin = route({
  id: "origin.get",
  method: "GET",
  path: "/servers/:id/origin",
  family: "api",
  access: "member",
  area: "backends",
  apiKey: "read",
  summary: "Edge addresses and ready firewall rules",
  params: serverParams,
  success: 200,
  response: origin,
  errors: ["unauthenticated", "forbidden", "not_found", "gone"],
  limits: defaultLimits.read,
});

export const listEdgeAddresses = route({
  id: "origin.addresses",
  method: "GET",
  path: "/edges/addresses.txt",
  family: "api",
  access: "anonymous",
  apiKey: "none",
  summary: "Addresses of all edges as plain text",
  success: 200,
  response: z.string(),
  errors: [],
  limits: [{ per: "ip", max: 60, windowSeconds: 60 }],
});

export const originRoutes = { getOrigin, listEdgeAddresses };
