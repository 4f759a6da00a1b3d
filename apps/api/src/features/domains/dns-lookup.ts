import { Resolver } from "node:dns/promises";
import { isPrivateName, isPublicBackend } from "#src/features/backends/backend-address.service.ts";
import {
  createDnsLookupLimiter,
  type DnsLookupCaller,
  type DnsLookupLimits,
} from "./dns-lookup-limiter.ts";

export type DnsRecordType = "CNAME" | "SRV" | "TXT" | "A" | "AAAA" | "PTR";

/** The answer of one resolver: records, none, or a failure that says nothing. */
export type DnsAnswer =
  | { readonly kind: "records"; readonly values: readonly string[] }
  | { readonly kind: "none" }
  | { readonly kind: "failed" };

/** Asks one resolver; never throws. Names come and go without a trailing dot, in lower case. */
export type DnsQuery = (name: string, type: DnsRecordType) => Promise<DnsAnswer>;

export interface DnsLookupOptions {
  /** `address` or `address:port` of each resolver; none: the machine's. */
  readonly resolvers: readonly string[];
  /** Names of the zone are asked of its own server, where it is known. */
  readonly zone: string;
  readonly zoneServer: () => string | undefined;
  /**
   * Development only: answers may contain names and addresses of a private network. Elsewhere the
   * api's resolvers may know parts of their network that customers must not learn.
   */
  readonly tellsPrivate: boolean;
  /** Time-out of one query; a second, longer try follows. */
  readonly timeoutMs: number;
  /** Deadline of a whole lookup, including the wait for a slot. */
  readonly deadlineMs: number;
  readonly limits: DnsLookupLimits;
}

export interface DnsLookup {
  /** Runs `work` against each resolver; [] when no slot was free in time. */
  each<T>(by: DnsLookupCaller, work: (ask: DnsQuery) => Promise<T>): Promise<readonly T[]>;
}

/** More resolvers would only ask other people's servers more often. */
const resolversMax = 3;
const failed: DnsAnswer = { kind: "failed" };
const none: DnsAnswer = { kind: "none" };

/** The only place where the api asks DNS about names that customers typed. */
export function createDnsLookup(options: DnsLookupOptions): DnsLookup {
  const slots = createDnsLookupLimiter(options.limits);
  return {
    async each(by, work) {
      const began = performance.now();
      const leave = await slots.enter(by, options.deadlineMs);
      if (leave === undefined) return [];
      const deadlineMs = options.deadlineMs - (performance.now() - began);
      try {
        const servers = options.resolvers.length > 0 ? options.resolvers : [undefined];
        return await Promise.all(
          servers
            .slice(0, resolversMax)
            .map((server) => withResolver({ ...options, deadlineMs }, server, work)),
        );
      } finally {
        leave();
      }
    },
  };
}

async function withResolver<T>(
  options: DnsLookupOptions,
  server: string | undefined,
  work: (ask: DnsQuery) => Promise<T>,
): Promise<T> {
  const outside = createResolver(options, server);
  const zoneServer = options.zoneServer();
  const inside = zoneServer === undefined ? outside : createResolver(options, zoneServer);
  let isOver = false;
  const deadline = setTimeout(() => {
    isOver = true;
    outside.cancel();
    inside.cancel();
  }, options.deadlineMs);
  try {
    return await work(async (name, type) => {
      if (isOver) return failed;
      if (isWithin(name, options.zone)) return ask(inside, name, type);
      if (options.tellsPrivate) return ask(outside, name, type);
      if (isPrivateName(name)) return none;
      return withoutPrivate(await ask(outside, name, type), type, options.zone);
    });
  } finally {
    clearTimeout(deadline);
  }
}

/** One server each: a resolver of several hides which of them failed. */
function createResolver(options: DnsLookupOptions, server: string | undefined): Resolver {
  const resolver = new Resolver({ timeout: options.timeoutMs, tries: 2 });
  if (server !== undefined) resolver.setServers([server]);
  return resolver;
}

async function ask(resolver: Resolver, name: string, type: DnsRecordType): Promise<DnsAnswer> {
  try {
    const values = await valuesOf(resolver, name, type);
    return values.length === 0 ? none : { kind: "records", values };
  } catch (error) {
    return isAbsence(error) ? none : failed;
  }
}

/** A public name may lead to private names and addresses: those are left out. */
function withoutPrivate(answer: DnsAnswer, type: DnsRecordType, zone: string): DnsAnswer {
  if (answer.kind !== "records") return answer;
  const values = answer.values.filter((value) => {
    if (type === "A" || type === "AAAA") return isPublicBackend(value, []);
    const target = type === "SRV" ? value.slice(value.lastIndexOf(" ") + 1) : value;
    return type === "TXT" || isWithin(target, zone) || !isPrivateName(target);
  });
  return values.length === 0 ? none : { kind: "records", values };
}

async function valuesOf(resolver: Resolver, name: string, type: DnsRecordType): Promise<string[]> {
  switch (type) {
    case "CNAME":
      return (await resolver.resolveCname(name)).map(plainName);
    case "SRV":
      return (await resolver.resolveSrv(name)).map((srv) =>
        [srv.priority, srv.weight, srv.port, plainName(srv.name)].join(" "),
      );
    case "TXT":
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(""));
    case "PTR":
      return (await resolver.resolvePtr(name)).map(plainName);
    case "A":
      return resolver.resolve4(name);
    case "AAAA":
      return resolver.resolve6(name);
  }
}

/** No such name, no such record, or (EBADNAME) a name too long for DNS to have. Anything else is a failure. */
function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOTFOUND" || code === "ENODATA" || code === "EBADNAME";
}

export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
