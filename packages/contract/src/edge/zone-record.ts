import { z } from "zod";

/** The record of a shield in zone DNS: its label and the location whose edges serve it. */
export const zoneRecord = z.strictObject({
  schema: z.literal(1),
  shield_id: z.uuid(),
  revision: z.int().min(1),
  label: z.string().min(1).max(253),
  location: z.string().min(1).max(64),
  /** Another name of the shield, at which every player is checked. Left out where there is none. */
  try_label: z.string().min(1).max(253).optional(),
});

/** Edges that may be named in answers. Unhealthy and drained ones are listed and skipped by the server. */
export const zoneEdges = z.strictObject({
  zone: z.string().min(1).max(253),
  ttl_seconds: z.int().min(1).max(86_400),
  edges: z
    .array(
      z.strictObject({
        id: z.uuid(),
        location: z.string().max(64),
        addresses: z.array(z.union([z.ipv4(), z.ipv6()])).max(16),
        healthy: z.boolean(),
        drained: z.boolean(),
      }),
    )
    .max(10_000),
});

export type ZoneRecord = z.infer<typeof zoneRecord>;
export type ZoneEdges = z.infer<typeof zoneEdges>;
