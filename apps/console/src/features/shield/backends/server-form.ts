import { backendServerBody, type BackendServer } from "@palisade/contract/http/backends";
import { z } from "zod";
import type { ServerAddress } from "./use-backends.ts";

/** Form values as typed: a port with other characters than digits is invalid, an empty one is missing. */
export const serverForm = z.object({
  ip: backendServerBody.shape.ip,
  port: z
    .string()
    .transform((typed) => (typed.trim() === "" ? undefined : readPort(typed)))
    .pipe(backendServerBody.shape.port),
  bedrock_port: z
    .string()
    .transform(readBedrockPort)
    .pipe(backendServerBody.shape.bedrock_port.unwrap()),
  bedrock_proxy: backendServerBody.shape.bedrock_proxy,
});

export interface ServerValues extends Record<string, unknown> {
  readonly ip: string;
  readonly port: string;
  readonly bedrock_port: string;
  readonly bedrock_proxy: BackendServer["bedrock_proxy"];
}

export function valuesOf(server: BackendServer | null): ServerValues {
  return {
    ip: server?.ip ?? "",
    port: String(server?.port ?? 25_565),
    bedrock_port: String(server?.bedrock_port ?? ""),
    // What Geyser expects, until a port was chosen with another.
    bedrock_proxy: server === null || server.bedrock_port === null ? "first" : server.bedrock_proxy,
  };
}

/** Without Bedrock its settings are left out, so they stay as they are. */
export function bodyOf(typed: ServerValues, hasBedrock: boolean): ServerAddress {
  const address = { ip: typed.ip.trim(), port: readPort(typed.port) };
  if (!hasBedrock) return address;
  const { bedrock_proxy } = typed;
  return { ...address, bedrock_port: readBedrockPort(typed.bedrock_port), bedrock_proxy };
}

function readPort(typed: string): number {
  return /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
}

function readBedrockPort(typed: string): number | null {
  return typed.trim() === "" ? null : readPort(typed);
}
