import type { ErrorCode } from "@palisade/contract/errors/codes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import type { Texts } from "./rules.ts";

/**
 * A binding message in the sections of a shield. The page shows the API's own words (`answer`) as
 * they are. If an answer has none (`wordless`) the page shows this text; other messages come
 * from the page itself.
 */
export interface ShieldMessage extends Texts {
  readonly when: string;
  readonly section: Section;
  readonly answer?: ShieldAnswer;
  readonly wordless?: RouteDefinition;
}

export interface ShieldAnswer {
  readonly route: RouteDefinition;
  readonly status: number;
  readonly code?: ErrorCode;
}

/** As in the address; `page` is said around all of them. */
export type Section =
  | "page"
  | "analytics"
  | "logs"
  | "backends"
  | "domains"
  | "mitigation"
  | "caching"
  | "customization"
  | "bedrock-geyser"
  | "notifications"
  | "firewall"
  | "subusers";

export const done = (route: RouteDefinition): ShieldAnswer => ({ route, status: route.success });

export const refused = (route: RouteDefinition, status: number, code: ErrorCode): ShieldAnswer => ({
  route,
  status,
  code,
});
