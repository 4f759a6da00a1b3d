import { Readable } from "node:stream";
import { allows, ownerRights, type Rights } from "@palisade/contract/http/member-rights";
import {
  mountedPath,
  recordedCallsLimit,
  refusedCallsLimit,
  type RouteDefinition,
  type UploadCaps,
} from "@palisade/contract/http/route";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "#src/platform/clock/clock.ts";
import { authenticate, authorizeActor, type CredentialLookups } from "./authentication.ts";
import { createCall, isAudited, isView, type Call, type CallDeps } from "./call.ts";
import { setCookies } from "./cookies.ts";
import type { Actor, ShieldAccess, UserActor } from "./context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { afterAnswer } from "#src/platform/http/after-answer.ts";
import type { StoredAnswer } from "./idempotency.ts";
import {
  asksFamiliarity,
  emailSubjects,
  limitAddress,
  recogniseCaller,
  type CallerLimitDeps,
} from "./caller-limits.ts";
import { enforceLimits, type LimitSubjects } from "./limits.ts";
import { isForm, readForm, refuseForeignForm, takeForms } from "./multipart.ts";
import type { Answer, Mount } from "./mount-types.ts";
import { createRunner, type ErasedHandler, type ErasedSteps, type RunnerDeps } from "./run-call.ts";
import { noteCaller } from "./request-callers.ts";
import { requireRecentAuthentication } from "./recent-authentication.ts";
import {
  createUploadFolders,
  formBytesMax,
  receiveForm,
  takeUploads,
  type Upload,
  type UploadFolders,
} from "./uploads.ts";
import { createViewRecord } from "./view-record.ts";

export interface MountDeps extends CallDeps, CallerLimitDeps, RunnerDeps {
  readonly clock: Clock;
  readonly credentials: CredentialLookups;
  readonly shieldAccess: ShieldAccess;
}

/** With what all routes of a process share. */
interface MountState extends MountDeps {
  readonly uploadFolders: UploadFolders;
}

/**
 * Counted before anything is refused, since refusals are audited too. Keys have a count of their
 * own, so that the thief of a key cannot keep its owner from deleting it.
 */
const auditedCalls = {
  session: { id: "recorded calls", limits: [recordedCallsLimit] },
  "api-key": { id: "recorded calls by key", limits: [recordedCallsLimit] },
  view: { id: "recorded calls in views", limits: [recordedCallsLimit] },
};

const viewRecord = createViewRecord();

const refusedCalls = { id: "refused calls", limits: [refusedCallsLimit] };

/** Largest body per family; a full telemetry report needs the larger one. */
const bodyBytesMax = { api: 256 * 1024, edge: 4 * 1024 * 1024 } as const;

/**
 * Makes `mount`. Around each handler it enforces, from the contract and in this order: limits
 * by address (see `recogniseCaller`), authentication, the limit of what goes on record, limits by caller, the body's size
 * and form, validation, recent authentication, shield authorisation, limits by e-mail, limits by
 * shield, idempotency. Errors of every step take the one path through the error translator, and every
 * mutation leaves an audit row.
 */
export function createMount(
  app: FastifyInstance,
  deps: MountDeps,
): { mount: Mount; mounted: Set<string> } {
  const mounted = new Set<string>();
  const state: MountState = { ...deps, uploadFolders: createUploadFolders() };
  const mount: Mount = (definition, handler) => {
    if (mounted.has(definition.id)) throw new Error(`Route ${definition.id} is mounted twice`);
    mounted.add(definition.id);
    // Validation has just produced exactly the types the handler was written for.
    const steps = (typeof handler === "object"
      ? handler
      : { answer: handler }) as unknown as ErasedSteps;
    const { multipart, uploads } = definition;
    if (definition.rawBody === true) mountRaw(app, state, definition, steps);
    else if (multipart === undefined && uploads === undefined) {
      mountRoute(app, state, definition, steps);
    } else {
      // In a scope of its own: every other route goes on refusing forms.
      app.register(async (scope) => {
        if (multipart !== undefined) await takeForms(scope, multipart);
        if (uploads !== undefined) await takeUploads(scope, uploads);
        mountRoute(scope, state, definition, steps);
      });
    }
  };
  return { mount, mounted };
}

/** In a scope of its own, where no parser comes between the bytes and the handler. */
function mountRaw(
  app: FastifyInstance,
  deps: MountState,
  definition: RouteDefinition,
  steps: ErasedSteps,
): void {
  const { answer } = steps;
  if (answer === undefined) throw new Error(`Route ${definition.id} takes bytes in one step only`);
  const ofBytes: ErasedHandler = (ctx, { body, ...input }) =>
    answer(ctx, { ...input, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    mountRoute(scope, deps, definition, { answer: ofBytes });
  });
}

function mountRoute(
  app: FastifyInstance,
  deps: MountState,
  definition: RouteDefinition,
  steps: ErasedSteps,
): void {
  const asks = asksFamiliarity(definition);
  const run = createRunner(deps, definition, steps);
  const received = new WeakMap<FastifyRequest, readonly Upload[]>();
  const calls = new WeakMap<FastifyRequest, Call>();
  const callOf = (request: FastifyRequest): Call => {
    const call = calls.get(request);
    if (call === undefined) throw new Error("The call was not begun");
    return call;
  };

  app.route({
    method: definition.method,
    url: mountedPath(definition),
    bodyLimit: definition.bodyBytesMax ?? bodyBytesMax[definition.family],
    exposeHeadRoute: false,
    config: { takesFiles: definition.uploads !== undefined },
    schema: routeSchema(definition),

    async onRequest(request, reply) {
      const now = deps.clock.now();
      const call = createCall(deps, definition, request, reply, now);
      calls.set(request, call);
      afterAnswer(request, (answer) => recordAnswer(deps, definition, call, answer));
      if (!asks || !deps.knownCallers.bearsDevice(call)) await limitAddress(deps, definition, call);
      call.actor = await authenticate(
        deps.db,
        deps.credentials,
        definition,
        request.headers.authorization,
        { now, ip: call.ip },
      ).catch(async (error: unknown) => {
        if (error instanceof DomainError) await limitAddress(deps, refusedCalls, call);
        throw error;
      });
      noteCaller(request, call.actor);
      if (isCounted(definition, call.actor)) {
        const { credential } = call.actor;
        const { user = "" } = callerSubjects(call);
        await enforceLimits(deps, auditedCalls[credential.kind], { user }, now);
      }
      authorizeActor(definition, call.actor, now);
      await enforceLimits(deps, definition, callerSubjects(call), now);
    },

    async preParsing(request) {
      const { multipart, uploads, family } = definition;
      if (multipart !== undefined) refuseForeignForm(request, bodyBytesMax[family]);
      if (uploads !== undefined) refuseForeignForm(request, formBytesMax(uploads));
    },

    async preValidation(request) {
      if (definition.multipart !== undefined && isForm(request)) {
        request.body = await readForm(request);
      }
      if (definition.uploads !== undefined && isForm(request)) {
        received.set(
          request,
          await receiveFiles(deps, definition.uploads, request, callOf(request)),
        );
      }
      // An absent body is an empty one: each missing field is then named by itself.
      if (definition.body !== undefined) request.body ??= {};
      if (asks) await recogniseCaller(deps, definition, callOf(request), request.body);
    },

    async preHandler(request) {
      const call = callOf(request);
      const { actor, now } = call;
      // Here and not in the handler, which a stored answer to a repeated call never reaches.
      if (definition.recent === true && actor.kind === "user") {
        requireRecentAuthentication({ actor, now });
      }
      if (definition.access === "staff" || isView(actor)) noteStaffAction(call, request);
      if (isView(actor)) await viewRecord.keep(deps, call, definition);
      const ofShield = definition.access === "member" || definition.access === "owner";
      // First, so that a call for an invented shield does not use up an address's mails.
      if (ofShield) call.shield = await authorizeShield(deps, definition, call, request.params);
      const byEmail = emailSubjects(call, request.body);
      call.returnable = await enforceLimits(deps, definition, byEmail, now);
      if (call.shield === undefined) return;
      await enforceLimits(deps, definition, { shield: call.shield.id }, now);
    },

    async handler(request, reply) {
      const call = callOf(request);
      const { params, query, body } = request;
      const uploads = definition.uploads && (received.get(request) ?? []);
      const answer = await run(call, { params, query, body, uploads });
      if (definition.conditional === true && isUnchanged(request, answer)) {
        return send(reply, 304, { ...answer, body: undefined }, deps);
      }
      return send(reply, "status" in answer ? answer.status : definition.success, answer, deps);
    },
  });
}

/** The body becomes the form's fields. The files stay until the call ends, however it ends. */
async function receiveFiles(
  deps: MountState,
  caps: UploadCaps,
  request: FastifyRequest,
  { actor }: Call,
): Promise<readonly Upload[]> {
  if (actor.kind !== "user") throw new Error("Only signed-in users send files");
  const folder = await deps.uploadFolders.open(actor.userId);
  try {
    const { body, uploads } = await receiveForm(request, caps, folder.path);
    request.body = body;
    afterAnswer(request, () => folder.remove());
    return uploads;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Schemas for Fastify's validation and serialisation, and for the OpenAPI document. */
function routeSchema(definition: RouteDefinition): Record<string, unknown> {
  return {
    operationId: definition.id,
    ...(definition.params ? { params: definition.params } : {}),
    ...(definition.querystring ? { querystring: definition.querystring } : {}),
    ...(definition.body ? { body: definition.body } : {}),
    response: { [definition.success]: definition.response },
  };
}

/** A limit by session bounds what the call adds to the record, too. */
function isCounted(definition: RouteDefinition, actor: Actor): actor is UserActor {
  if (actor.kind !== "user" || !isAudited(definition, actor)) return false;
  const isBySession = definition.limits.some(({ per }) => per === "session");
  return !(isBySession && actor.credential.kind === "session");
}

function noteStaffAction(call: Call, { params, body }: FastifyRequest): void {
  call.params = (params ?? {}) as Readonly<Record<string, string>>;
  const hasReason = typeof body === "object" && body !== null && "reason" in body;
  call.reason = hasReason && typeof body.reason === "string" ? body.reason : null;
}

function callerSubjects({ actor }: Call): LimitSubjects {
  // A view uses up nothing of what the customer has.
  if (isView(actor)) return { user: actor.credential.staffId, session: actor.credential.id };
  if (actor.kind === "user") return { user: actor.userId, session: actor.credential.id };
  return actor.kind === "edge" ? { edge: actor.edgeId } : {};
}

async function authorizeShield(
  deps: MountDeps,
  definition: RouteDefinition,
  call: Call,
  params: unknown,
): Promise<NonNullable<Call["shield"]>> {
  const id =
    typeof params === "object" && params !== null && "id" in params ? params.id : undefined;
  if (typeof id !== "string" || call.actor.kind !== "user") {
    throw new Error(`Route ${definition.id} names no shield or no user`);
  }
  const { userId } = call.actor;
  const grant = await deps.shieldAccess.of(deps.db, userId, id);
  if (grant === null) throw new DomainError("not_found");
  if (grant === "gone") {
    // Only the owner learns that it was deleted.
    if (definition.evenDeleted === true) {
      return { id, role: "owner", status: "deleted", rights: ownerRights };
    }
    throw new DomainError("gone");
  }
  if (definition.access === "owner" && grant.role !== "owner") throw new DomainError("forbidden");
  if (grant.role === "member") {
    requireRight(definition, grant.rights);
    call.guard = async (trx) => {
      const rights = await deps.shieldAccess.hold(trx, userId, id);
      if (rights === null) throw new DomainError("not_found");
      requireRight(definition, rights);
    };
  }
  return grant;
}

/** @throws DomainError `forbidden` where the member's role does not have the right of the route */
function requireRight(definition: RouteDefinition, rights: Rights): void {
  const { area, right = definition.method === "GET" ? "view" : "change" } = definition;
  if (area === undefined) throw new Error(`Route ${definition.id} names no area`);
  if (!allows(rights, area, right)) throw new DomainError("forbidden", { text: "member.no_right" });
}

/** Whether the caller has this very answer already, by its `ETag`. */
function isUnchanged(
  request: FastifyRequest,
  { headers }: Answer<RouteDefinition> | StoredAnswer,
): boolean {
  const known = request.headers["if-none-match"];
  const etag = headers?.["etag"];
  if (known === undefined || etag === undefined) return false;
  const tags = new Set(known.split(",").map((tag) => tag.trim().replace(/^W\//, "")));
  return tags.has("*") || tags.has(etag);
}

async function send(
  reply: FastifyReply,
  status: number,
  answer: Answer<RouteDefinition> | StoredAnswer,
  deps: MountDeps,
): Promise<FastifyReply> {
  void reply
    .code(status)
    .header("cache-control", "no-store")
    .headers(answer.headers ?? {});
  if ("cookies" in answer) setCookies(reply, answer.cookies ?? [], deps.secureCookies);
  if (answer.body instanceof Readable && answer.headers?.["content-type"] === undefined) {
    void reply.type("application/x-ndjson");
  }
  return reply.send(answer.body);
}

/**
 * After the answer: the duration of an audited change, or the row of a call that changed nothing
 * but belongs on record all the same.
 */
async function recordAnswer(
  deps: MountDeps,
  definition: RouteDefinition,
  call: Call,
  reply: FastifyReply,
): Promise<void> {
  if (!isAudited(definition, call.actor)) return;
  // A refused unknown caller, or one over a limit, changed nothing. A row for each would make them
  // queue for one chain's head and fill a table that is never emptied.
  const status = reply.statusCode;
  const isNoise =
    status === 429 || (status >= 400 && call.auditEntry(status).chain === "anonymous");
  if (isNoise && call.audited === undefined) return;
  try {
    let id = call.audited?.id;
    if (call.audited?.status !== reply.statusCode) {
      const entry = call.auditEntry(reply.statusCode);
      id = entry.id;
      await deps.db.transaction().execute((trx) => deps.audit.append(trx, entry));
    }
    if (id !== undefined) await deps.audit.recordDuration(id, Math.round(reply.elapsedTime));
  } catch (error) {
    call.log.error({ err: error }, "The audit row of an answer was not written");
  }
}
