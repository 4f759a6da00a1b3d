import {
  type LegacyHello,
  type LegacyKind,
  readLegacyHello,
} from "@palisade/minecraft-protocol/java/legacy";
import { currentProtocol } from "@palisade/minecraft-protocol/java/versions";
import { nameless } from "#src/shields/edge-answers.ts";
import { legacyAnswer } from "#src/status/legacy-answer.ts";
import type { JavaConnection } from "./java-connection.ts";
import { takeLogin } from "./login.ts";
import { answering, statusAnswer } from "./status-exchange.ts";

/** @returns whether the hello was there as a whole */
export function tookLegacyHello(conn: JavaConnection, kind: LegacyKind): boolean {
  if (kind !== "ping-1.6" && kind !== "login") {
    answerNameless(conn, kind);
    return true;
  }
  const result = readLegacyHello(conn.head, kind);
  if (result.kind === "need-more") return false;
  if (result.kind === "malformed") {
    conn.drop("malformed");
    return true;
  }
  const { hello } = result;
  conn.deps.outcomes.countHandshake("legacy");
  conn.client = hello;
  if (!conn.comesTo(conn.deps.hosts.find(hello.host))) return true;
  if (kind === "login") takeLogin(conn, { ...hello, form: "legacy" });
  else tookPing(conn, hello);
  return true;
}

/** To a client that names no host, or has not in time. */
export function answerNameless(conn: JavaConnection, kind: LegacyKind): void {
  conn.finish("legacy");
  conn.closeAfter(nameless[kind]);
}

function tookPing(conn: JavaConnection, { protocol, host }: LegacyHello): void {
  const { shield } = conn;
  conn.step = answering;
  conn.forget();
  conn.deadline(conn.deps.limits.statusMs);
  // Backends that can be asked know no legacy client; each is asked as by the newest.
  const answer = statusAnswer(conn, currentProtocol, host);
  const send = (frame: Buffer): void => {
    if (conn.step !== answering) return;
    const mayJoin = frame !== shield?.motd.frame && shield?.rules.versions.has(protocol) === true;
    conn.finish(shield === undefined ? "unknown_host" : "status");
    conn.closeAfter(legacyAnswer(frame, mayJoin ? protocol : undefined));
  };
  if (Buffer.isBuffer(answer)) send(answer);
  else void answer.then(send);
}
