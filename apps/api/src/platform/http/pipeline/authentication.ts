import type { RouteDefinition } from "@palisade/contract/http/route";
import { hasStaffRole } from "@palisade/contract/http/staff-roles";
import type { Db, Executor } from "#src/platform/database/db.ts";
import type { Actor, EdgeActor, UserActor } from "./context.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { requireRecentAuthentication } from "./recent-authentication.ts";
import { tokenPrefixes } from "#src/platform/security/tokens.ts";

/** When and from where a token was used. */
export interface TokenUse {
  readonly now: Date;
  readonly ip: string;
}

/** Finds the user behind a token; null when it is unknown, expired or revoked. */
export type UserAccess = (token: string, use: TokenUse) => Promise<UserActor | null>;

/**
 * Finds the edge behind a credential; null when it is unknown or revoked.
 *
 * @throws DomainError `credential_expired`
 */
export type EdgeAccess = (
  executor: Executor,
  credential: string,
  now: Date,
) => Promise<EdgeActor | null>;

export interface CredentialLookups {
  readonly session: UserAccess;
  readonly apiKey: UserAccess;
  readonly view: UserAccess;
  readonly edge: EdgeAccess;
}

/**
 * Finds the caller. Only a missing, unknown, expired or revoked token is `unauthenticated` (401).
 *
 * `authorizeActor` is the second half. `forbidden`: an API key on a route that takes none, a read
 * key on a writing route, or a customer or staff without the role on a staff route. `two_factor_required`: staff without a
 * second factor on a staff route. `view_only`: anything but reading by staff who view as the
 * customer. A change by staff also needs recent authentication, since a
 * stolen session of theirs harms every customer.
 */
export async function authenticate(
  db: Db,
  lookups: CredentialLookups,
  definition: Pick<RouteDefinition, "access" | "apiKey" | "method">,
  authorization: string | undefined,
  use: TokenUse,
): Promise<Actor> {
  const token = bearerToken(authorization);
  const isView = token?.startsWith(tokenPrefixes.view) === true;
  if (definition.access === "anonymous" || definition.access === "edge") {
    // Calls that ask for no user: their changes are refused to a view all the same.
    if (isView && definition.method !== "GET") throw new DomainError("view_only");
  }
  if (definition.access === "anonymous") return { kind: "anonymous" };
  if (token === undefined) throw unauthenticated();
  if (definition.access === "edge") {
    return (await lookups.edge(db, token, use.now)) ?? fail(unauthenticated());
  }
  const find = token.startsWith(tokenPrefixes.apiKey)
    ? lookups.apiKey
    : isView
      ? lookups.view
      : lookups.session;
  const actor = await find(token, use);
  return actor ?? fail(unauthenticated());
}

/** Second half of the check: the caller is known by now, so a refusal can be audited. */
export function authorizeActor(
  definition: Pick<
    RouteDefinition,
    "access" | "apiKey" | "method" | "staffRoles" | "notInViews" | "recent"
  >,
  actor: Actor,
  now: Date,
): void {
  if (actor.kind !== "user") return;
  if (actor.credential.kind === "api-key") {
    const { scope } = actor.credential;
    const allowed =
      definition.apiKey === "read" || (definition.apiKey === "write" && scope === "write");
    if (!allowed) throw new DomainError("forbidden");
  }
  if (actor.credential.kind === "view") {
    const mayRead = definition.method === "GET" && definition.notInViews !== true;
    if (!mayRead || definition.recent !== undefined) throw new DomainError("view_only");
  }
  if (definition.access !== "staff") return;
  const isAllowed = actor.role === "staff" && hasStaffRole(actor.staffRoles, definition.staffRoles);
  if (!isAllowed) throw new DomainError("forbidden");
  if (!actor.hasTwoFactor) throw new DomainError("two_factor_required");
  const isDangerous = definition.method !== "GET" && definition.recent !== false;
  if (isDangerous) requireRecentAuthentication({ actor, now });
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]{16,200})$/i.exec(authorization ?? "")?.[1];
}

function unauthenticated(): DomainError {
  return new DomainError("unauthenticated", { headers: { "www-authenticate": "Bearer" } });
}

function fail(error: DomainError): never {
  throw error;
}
