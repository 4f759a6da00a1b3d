import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { Agent, fetch, type Response } from "undici";

/** Requests to addresses that customers choose. */
export interface Outbound {
  /**
   * @returns the status of the answer, whose body is not read; redirects are not followed
   * @throws OutboundError where the address is not public, or nothing answered in time
   */
  postJson(url: string, body: object): Promise<number>;
  /**
   * As `postJson`, with the beginning of the answer's body.
   *
   * @throws OutboundError also where the body does not end, or reach its limit, in time
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: "POST" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the request, as its time limit does. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  /** At most `answerBytesMax` of it. */
  readonly body: string;
  readonly retryAfter: string | null;
}

export type OutboundFailure = "timeout" | "refused_address" | "network";

/** Never names the address, which may hold a secret. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string) {
    super(message);
    this.name = "OutboundError";
    this.failure = failure;
  }
}

/** More of an answer is not read. */
export const answerBytesMax = 64 * 1024;

export interface OutboundOptions {
  /** From the first to the last byte of a request and its answer. */
  readonly timeoutMs: number;
  /** For development and tests, whose server is on this machine. */
  readonly allowLoopback?: boolean;
  /** Further addresses that are not called, such as those of our own edges. */
  readonly refusedAddresses?: () => Promise<readonly string[]>;
  /** Origins of this installation, whose hosts are not called; in development they are, on this machine. */
  readonly ownOrigins?: () => readonly string[];
  /** Instead of the system's resolver. */
  readonly resolve?: typeof lookup;
}

/**
 * Reaches public addresses only: what a name resolves to is checked where the
 * connection takes it from, so that it cannot change in between; literals never see that lookup
 * and are checked on their own.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const { timeoutMs, allowLoopback = false, refusedAddresses, ownOrigins } = options;
  let own: ReadonlySet<string> = new Set();
  const check = addressCheck(allowLoopback, () => own);
  const agent = new Agent({
    connect: { lookup: checkedLookup(check, options.resolve ?? lookup), timeout: timeoutMs },
    connections: 8,
    bodyTimeout: timeoutMs,
    headersTimeout: timeoutMs,
  });

  async function request(
    { url, method, headers, body, signal }: OutboundRequest,
    read: (response: Response) => Promise<string>,
  ): Promise<OutboundAnswer> {
    const target = new URL(url);
    if (!/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "") {
      throw new OutboundError("refused_address", "Only plain http and https addresses are called");
    }
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (!allowLoopback && (ownOrigins?.() ?? []).some((origin) => isSameHost(origin, host))) {
      throw new OutboundError("refused_address", "The address is one of our own");
    }
    // Read anew for each request: the lookup that follows cannot wait for it.
    const refused = [...machineAddresses(), ...((await refusedAddresses?.()) ?? [])];
    own = new Set(refused.flatMap(spellingOf));
    if (ipaddr.isValid(host)) check([host]);
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await fetch(target, {
      method,
      headers: { "content-type": "application/json", "user-agent": "Palisade", ...headers },
      body,
      redirect: "manual",
      dispatcher: agent,
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const answer = await read(response);
    return {
      status: response.status,
      body: answer,
      retryAfter: response.headers.get("retry-after"),
    };
  }

  return {
    async postJson(url, body) {
      const { status } = await request(
        { url, method: "POST", body: JSON.stringify(body) },
        async (response) => {
          await response.body?.cancel();
          return "";
        },
      ).catch(rethrow);
      return status;
    },
    send: (sent) => request(sent, beginningOf).catch(rethrow),
    close: () => agent.destroy(),
  };
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < answerBytesMax) {
    const { done, value } = await reader.read();
    if (done) break;
    // A response of fetch has bytes in its body, whatever the type says.
    const chunk = (value as Uint8Array).subarray(0, answerBytesMax - bytes);
    chunks.push(chunk);
    bytes += chunk.length;
  }
  await reader.cancel();
  return Buffer.concat(chunks).toString("utf8");
}

function rethrow(error: unknown): never {
  if (error instanceof OutboundError) throw error;
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const refused = causes.find((cause) => cause instanceof OutboundError);
  if (refused !== undefined) throw refused;
  const isLate = causes.some(
    (cause) => cause instanceof Error && /Timeout|Abort/.test(`${cause.name} ${codeOf(cause)}`),
  );
  if (isLate) throw new OutboundError("timeout", "The time for the request is over");
  const code = causes.map(codeOf).find((found) => found !== "") ?? "";
  throw new OutboundError("network", `The request failed ${code}`.trim());
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** @throws OutboundError */
type AddressCheck = (addresses: readonly string[]) => void;

function addressCheck(allowLoopback: boolean, own: () => ReadonlySet<string>): AddressCheck {
  return (addresses) => {
    // One private address among public ones is a trick, not an accident.
    if (addresses.length === 0 || !addresses.every((each) => isReachable(each, allowLoopback))) {
      throw new OutboundError("refused_address", "The address is not public");
    }
    const remote = addresses.flatMap(spellingOf).filter((each) => !isLoopback(each));
    if (remote.some((each) => own().has(each))) {
      throw new OutboundError("refused_address", "The address is one of our own");
    }
  };
}

/** Services of this machine may trust calls that come from one of its own addresses. */
function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).map(({ address }) => address),
  );
}

/** A name means the same with a dot at its end. */
function isSameHost(origin: string, host: string): boolean {
  const plain = (name: string) => name.replace(/^\[|\]$|\.$/g, "");
  return plain(new URL(origin).hostname) === plain(host);
}

function spellingOf(address: string): string[] {
  return ipaddr.isValid(address) ? [ipaddr.process(address).toString()] : [];
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === "loopback";
}

function isReachable(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === "unicast" || (allowLoopback && range === "loopback");
}

function checkedLookup(check: AddressCheck, resolve: typeof lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      try {
        check(found.map(({ address }) => address));
      } catch (refusal) {
        return callback(refusal instanceof Error ? refusal : new Error("refused"), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

/** False for the literal of an address that `createOutbound` would refuse. Names are judged when they resolve. */
export function isPublicHost(hostname: string, allowLoopback: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return !ipaddr.isValid(host) || isReachable(host, allowLoopback);
}
