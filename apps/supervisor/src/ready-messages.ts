import { z } from "zod";

const kind = z.literal("ready");
const apiReady = z.object({ kind, url: z.url() });
const edgeReady = z.object({ kind, java: z.string(), metrics: z.string() });
const dnsReady = z.object({ kind, dns: z.string() });

const handOver = z.object({ kind: z.literal("hand-over") });

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

/** Whether an edge says that it leaves its players to the next. */
export const isHandOver = (message: unknown): boolean => handOver.safeParse(message).success;

/** The port of `host:port` or of a URL; a restarted program is given the one it had. */
export function portOf(address: string): number {
  const url = new URL(address.includes("://") ? address : `tcp://${address}`);
  return url.port === "" ? ({ "http:": 80, "https:": 443 }[url.protocol] ?? 0) : Number(url.port);
}

/** How one dials it from this machine: an address that means all of them is not one to dial. */
export function dialable(address: string): string {
  return address.replace(/^(0\.0\.0\.0|\[::\]|::|\*)(?=:\d+$)/, "127.0.0.1");
}
