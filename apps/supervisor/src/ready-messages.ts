import { z } from "zod";

const kind = z.literal("ready");
const apiReady = z.object({ kind, url: z.url(), metrics: z.url() });
const edgeReady = z.object({ kind, java: z.string(), metrics: z.string() });
const dnsReady = z.object({ kind, dns: z.string(), metrics: z.url() });

const hotRestart = z.object({ kind: z.literal("predecessor") });

export type ApiReady = z.infer<typeof apiReady>;
export type EdgeReady = z.infer<typeof edgeReady>;
export type DnsReady = z.infer<typeof dnsReady>;

/** Readers of the programs' ready messages: undefined for any other message. */
export const parseApiReady = (message: unknown): ApiReady | undefined =>
  apiReady.safeParse(message).data;
export const parseEdgeReady = (message: unknown): EdgeReady | undefined =>
  edgeReady.safeParse(message).data;
export const parseDnsReady = (message: unknown): DnsReady | undefined =>
  dnsReady.safeParse(message).data;

/** Whether an edge has become a predecessor, and asks for its successor. */
export const isHotRestart = (message: unknown): boolean => hotRestart.safeParse(message).success;

/** The port of `host:port` or of a URL. A restarted program gets the port it had. */
export function portOf(address: string): number {
  const url = new URL(address.includes("://") ? address : `tcp://${address}`);
  return url.port === "" ? ({ "http:": 80, "https:": 443 }[url.protocol] ?? 0) : Number(url.port);
}

/** The address to dial from this machine: an address that stands for all addresses cannot be dialled. */
export function dialable(address: string): string {
  return address.replace(/^(0\.0\.0\.0|\[::\]|::|\*)(?=:\d+$)/, "127.0.0.1");
}
