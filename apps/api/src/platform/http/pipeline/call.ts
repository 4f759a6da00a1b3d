import type { RouteDefinition } from "@palisade/contract/http/route";
import type { TextKey } from "@palisade/contract/texts/en";
import { pickLocale, renderText } from "@palisade/contract/texts/render";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db, Trx } from "#src/platform/database/db.ts";
import { declareOwnLock } from "#src/platform/database/lock-order.ts";
import { newId } from "#src/platform/database/ids.ts";
import { declareAuthor } from "./change-author.ts";
import { addressChain, type AuditEntry, type AuditLog } from "./audit-log.ts";
import type { Actor, RequestContext, ShieldGrant, UserActor } from "./context.ts";
import { cookieName } from "./cookies.ts";
import { unfamiliar, type Familiarity } from "./known-callers.ts";
import { redactUrl } from "./redact-url.ts";

/** One request in mount's hands: what handlers see as RequestContext, and the state behind it. */
export interface Call extends RequestContext {
  actor: Actor;
  shield: ShieldGrant | undefined;
  familiarity: Familiarity;
  /** Counts of failed calls, to be given back if this one succeeds. */
  returnable: readonly string[];
  /** The body's `reason`, on routes of staff. */
  reason: string | null;
  /** The parameters of the path, once they are valid. */
  params: Readonly<Record<string, string>>;
  /** The answer that a committed audit row describes. */
  audited: { readonly id: string; readonly status: number } | undefined;
  /** Checks again, inside each transaction, a right that can be taken away during the call. */
  guard: ((trx: Trx) => Promise<void>) | undefined;
  /** Runs `work` with the audit row of a success in the same transaction. */
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>;
  auditEntry(status: number): AuditEntry;
}

export interface CallDeps {
  readonly db: Db;
  readonly audit: AuditLog;
  /** From `addressChain`. */
  readonly addressChainKey: Buffer;
  /** Cookies go over https only. */
  readonly secureCookies: boolean;
  /** Aborts when the api shuts down. */
  readonly closing: AbortSignal;
}

export function createCall(
  deps: CallDeps,
  definition: RouteDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): Call {
  const locale = pickLocale(header(request, "accept-language"));
  let chain: string | undefined;
  let joined: Trx | undefined;
  let signal: AbortSignal | undefined;

  const call: Call = {
    requestId: request.id,
    locale,
    ip: request.ip,
    device: (header(request, "user-agent") ?? "").slice(0, 200),
    now,
    actor: { kind: "anonymous" },
    shield: undefined,
    familiarity: unfamiliar,
    returnable: [],
    reason: null,
    params: {},
    audited: undefined,
    guard: undefined,
    ifMatch: header(request, "if-match"),
    idempotencyKey: header(request, "idempotency-key"),
    log: request.log,
    get signal() {
      signal ??= AbortSignal.any([deps.closing, closedSignal(reply)]);
      return signal;
    },
    text: (key: TextKey, values) => renderText(locale, key, values),
    cookie: (name) => request.cookies[cookieName(name, deps.secureCookies)],
    header: (name) => header(request, name),
    auditAccount(userId) {
      chain = `user:${userId}`;
    },
    auditAddress(emailKey) {
      chain = addressChain(deps.addressChainKey, emailKey);
    },
    scope: {
      run: (work) => (joined === undefined ? call.transaction(work) : work(joined)),
    },
    async transaction(work) {
      let entry: AuditEntry | undefined;
      const result = await deps.db.transaction().execute(async (trx) => {
        joined = trx;
        noteAuthor(trx, call.actor);
        if (isAudited(definition, call.actor) && call.audited === undefined) {
          declareOwnLock(trx, () => deps.audit.lock(trx, call.auditEntry(0).chain));
        }
        try {
          await call.guard?.(trx);
          const value = await work(trx);
          if (isAudited(definition, call.actor) && call.audited === undefined) {
            entry = call.auditEntry(definition.success);
            await deps.audit.append(trx, entry);
          }
          return value;
        } finally {
          joined = undefined;
        }
      });
      if (entry !== undefined) call.audited = { id: entry.id, status: entry.status };
      return result;
    },
    auditEntry: (status) => ({
      id: newId(),
      ...identify(call.actor, chain),
      method: request.method,
      endpoint: request.routeOptions.url ?? "",
      fullUrl: redactUrl(request.url, queryNames(definition)),
      status,
      ip: request.ip,
      requestId: request.id,
      at: now,
      ...((definition.access === "staff" || isView(call.actor)) && {
        staffAction: {
          route: definition.id,
          subjects: { ...viewedUser(call.actor), ...call.params },
          reason: call.reason,
        },
      }),
    }),
  };
  return call;
}

/**
 * Audited are changes, every call by API key, and every look of staff at personal data. Reports of an edge are not: they come by the
 * second, concern no account, and counters describe them better. A view as customer is on record
 * before its answer: see view-record.ts.
 */
export function isAudited(
  definition: Pick<RouteDefinition, "access" | "method" | "audited" | "showsPersonalData">,
  actor: Actor,
): boolean {
  if (definition.access === "edge") return false;
  if (isView(actor)) return definition.method !== "GET";
  const byApiKey = actor.kind === "user" && actor.credential.kind === "api-key";
  const isChange = definition.method !== "GET" && definition.audited !== false;
  return isChange || byApiKey || definition.showsPersonalData === true;
}

/** Whether a staff member sees what a customer sees. */
export function isView(
  actor: Actor,
): actor is UserActor & { readonly credential: { readonly kind: "view" } } {
  return actor.kind === "user" && actor.credential.kind === "view";
}

function viewedUser(actor: Actor): { readonly userId?: string } {
  return isView(actor) ? { userId: actor.userId } : {};
}

/** The chain that a call belongs to, and its caller. A view is the staff member's own call. */
function identify(
  actor: Actor,
  named: string | undefined,
): Pick<AuditEntry, "chain" | "actorKind" | "actorId" | "credential"> {
  const noCredential = { actorId: null, credential: null };
  if (actor.kind === "anonymous") {
    return { chain: named ?? "anonymous", actorKind: "anonymous", ...noCredential };
  }
  if (actor.kind === "edge") {
    const chain = `edge:${actor.edgeId}`;
    return { chain, actorKind: "edge", ...noCredential, actorId: actor.edgeId };
  }
  const callerId = actor.credential.kind === "view" ? actor.credential.staffId : actor.userId;
  return {
    chain: named ?? `user:${callerId}`,
    actorKind: "user",
    actorId: callerId,
    credential: `${actor.credential.kind}:${actor.credential.id}`,
  };
}

function noteAuthor(trx: Trx, actor: Actor): void {
  if (actor.kind !== "user") return;
  const { userId, role, credential } = actor;
  const apiKeyId = credential.kind === "api-key" ? credential.id : null;
  declareAuthor(trx, { userId, isStaff: role === "staff", apiKeyId });
}

function closedSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  else reply.raw.once("close", () => controller.abort());
  return controller.signal;
}

/** Parameters the contract names: their values may be shown in logs. */
export function queryNames(definition: Pick<RouteDefinition, "querystring">): string[] {
  const schema = definition.querystring;
  if (schema === undefined || !("shape" in schema)) return [];
  return Object.keys(schema.shape as Record<string, unknown>);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
