import { hasForgeMarker } from "@palisade/minecraft-protocol/java/host";
import { traceCode } from "#src/rules/trace-code.ts";
import type { Conversation } from "./conversation.ts";
import { Dialling } from "./dialling.ts";
import { type Judged, judgeLogin, type LoginRequest } from "./judge-login.ts";
import { kick, noteLogin } from "./login-end.ts";
import { Verifying } from "./verifying.ts";

/** The login's data besides the handshake. */
export type LoginSays = Pick<LoginRequest, "name" | "nameValid" | "protocol" | "form"> &
  Partial<Pick<LoginRequest, "profileKey" | "frameBytes" | "passed">>;

/** Gets the verdict and acts on it. */
export function judge(at: Conversation, says: LoginSays): false {
  const request = requestOf(at, says);
  return goOn(at, request, judgeLogin(request, at.deps.mitigation));
}

/** Acts on a verdict. */
export function goOn(at: Conversation, request: LoginRequest, judged: Judged): false {
  if (judged.kind === "kick") return kick(at, judged, request.name);
  const { challenge } = judged;
  if (challenge === undefined) new Dialling(at, request, judged).begin();
  else new Verifying(at, request, judged).begin(challenge);
  return false;
}

/** For a login that was not read: never admits. */
export function judgeUnread(at: Conversation, says: LoginSays): false {
  const request = requestOf(at, says);
  const judged = judgeLogin(request, at.deps.mitigation);
  if (judged.kind === "kick") return kick(at, judged, "");
  if (judged.shadowed !== undefined) {
    const { reason: verdict, facts } = judged.shadowed;
    const trace = traceCode(request.bootSeed, request.connection);
    noteLogin(at, { verdict, player: "", trace, facts, shadow: true });
  }
  return at.drop("malformed");
}

export function requestOf(at: Conversation, says: LoginSays) {
  const { shield, client, connection, deps } = at;
  return {
    profileKey: undefined,
    frameBytes: 0,
    passed: undefined,
    ...says,
    shield,
    ip: at.ip,
    forge: hasForgeMarker(client?.suffix ?? ""),
    connection,
    bootSeed: deps.bootSeed,
  } satisfies LoginRequest;
}
