import {
  type LegacyHello,
  type LegacyKind,
  readLegacyHello,
} from "@palisade/minecraft-protocol/java/legacy";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { nameless } from "#src/answers/edge-answers.ts";
import { legacyAnswer } from "#src/answers/legacy-answer.ts";
import type { Conversation } from "./conversation.ts";
import { judge } from "./login.ts";
import { answering, statusAnswer } from "./status-answer.ts";

/** @returns whether the hello was there as a whole */
export function tookLegacyHello(at: Conversation, kind: LegacyKind): boolean {
  if (kind !== "ping-1.6" && kind !== "login") {
    answerNameless(at, kind);
    return true;
  }
  const result = readLegacyHello(at.head, kind);
  if (result.kind === "need-more") return false;
  if (result.kind === "malformed") {
    at.drop("malformed");
    return true;
  }
  const { hello } = result;
  at.deps.outcomes.countHandshake("legacy");
  at.client = hello;
  at.shield = at.deps.shields.route(hello.host);
  if (kind === "login") judge(at, { ...hello, form: "legacy" });
  else tookPing(at, hello);
  return true;
}

/** To a client that names no host, or has not in time. */
export function answerNameless(at: Conversation, kind: LegacyKind): void {
  at.life.finish("legacy");
  at.closeAfter(nameless[kind]);
}

function tookPing(at: Conversation, { protocol, host }: LegacyHello): void {
  const { shield } = at;
  at.phase = answering;
  at.forget();
  at.life.deadline(at.deps.limits.statusMs);
  // Backends that can be asked know no legacy client; each is asked as by the newest.
  const answer = statusAnswer(at, currentProtocol, host);
  const send = (frame: Buffer): void => {
    if (at.phase !== answering) return;
    const mayJoin = frame !== shield?.motd.frame && shield?.rules.versions.has(protocol) === true;
    at.life.finish(shield === undefined ? "unknown_host" : "status");
    at.closeAfter(legacyAnswer(frame, mayJoin ? protocol : undefined));
  };
  if (Buffer.isBuffer(answer)) send(answer);
  else void answer.then(send);
}
