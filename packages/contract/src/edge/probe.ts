import { z } from "zod";
import { bedrockPortsMax } from "./shield-config.ts";
import { favicon } from "./telemetry.ts";

const port = z.int().min(1).max(65_535);

/**
 * A bounded look at a backend that the control plane asks an edge for, on the configuration
 * stream: for the wizard and the doctor. The edge applies its own dial policy again, holds a
 * deadline of its own and reports parsed values only, so that it is no port scanner.
 */
export const probeRequest = z.strictObject({
  id: z.uuid(),
  host: z.string().min(1).max(253),
  port,
  /** Host named in the handshake. */
  hostname: z.string().min(1).max(253),
  /** Protocol version to ask as; the newest known one by default. */
  protocol: z.int().min(0).max(0x7fff_ffff),
  /** Both: once with a PROXY header and once without, to tell a mismatch. */
  proxy: z.enum(["with", "without", "both"]),
  deadline_ms: z.int().min(100).max(5_000),
  /** Looked for in the first bytes that the backend sends by itself, and in its MOTD. */
  proof_token: z.string().min(16).max(64).optional(),
  /**
   * Pings for Bedrock, by UDP and always both with and without a PROXY header. Edges of
   * earlier releases than the api serves do not know it.
   */
  bedrock: z
    .strictObject({
      /** On the same host; null: the backend takes no players of Bedrock. */
      port: port.nullable(),
      /** Ports of the edge itself, which it pings as a player does. */
      own_ports: z.array(port).max(bedrockPortsMax),
    })
    .optional(),
});

export type ProbeRequest = z.infer<typeof probeRequest>;

/** No control characters: it is shown as it is. */
const probeText = z
  .string()
  .max(512)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);

const attempt = z.object({
  proxy: z.boolean(),
  outcome: z.enum([
    "online",
    "not_minecraft",
    "refused",
    "timeout",
    "unresolved",
    "forbidden",
    /** Not looked: the edge is busy, or what descriptors are left are for players. */
    "skipped",
  ]),
  latency_ms: z.int().min(0).max(60_000).nullable(),
  status: z
    .object({
      /** § codes, at most two lines. */
      motd: z.array(probeText).max(2),
      version: probeText,
      protocol: z.int(),
      players_online: z.int(),
      players_max: z.int(),
      favicon: favicon.nullable(),
    })
    .nullable(),
});

export type ProbeAttempt = z.infer<typeof attempt>;

export const probeResult = z.object({
  id: z.uuid(),
  attempts: z.array(attempt).min(1).max(2),
  /** Asked without a PROXY header, the backend gives no status; asked with one, it does. */
  expects_proxy: z.boolean().default(false),
  /** The address that has shown the token. Null: none has, or no token was given. */
  proven: z
    .object({
      by: z.enum(["motd", "greeting"]),
      address: z.union([z.ipv4(), z.ipv6()]),
    })
    .nullable()
    .default(null),
  /** Null where the request has no `bedrock`, or the edge does not know it. */
  bedrock: z
    .object({
      attempts: z.array(attempt).max(2),
      own_ports: z
        .array(
          z.object({
            port,
            /** `closed`: the edge does not have the port open. */
            outcome: z.enum(["online", "timeout", "closed", "skipped"]),
          }),
        )
        .max(bedrockPortsMax),
    })
    .nullable()
    .default(null),
});

export type ProbeResult = z.infer<typeof probeResult>;

/** Probes one edge is given at a time; more wait at the api, and end there by their time-out. */
export const probesAtOnceMax = 8;
