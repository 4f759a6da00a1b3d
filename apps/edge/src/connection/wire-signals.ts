import { signalOf, type Signals } from "@palisade/login-rules/suspicion";
import { namesPlayerAddress } from "@palisade/minecraft-protocol/java/host";
import type { JavaConnection } from "./java-connection.ts";

const earlyBytes = signalOf("early_bytes");
const splitPacket = signalOf("split_packet");
const lateLogin = signalOf("late_login");
const oddHost = signalOf("odd_host");

/**
 * A later Login Start is late: more than a lost segment costs, and half of what the edge waits. Games
 * write it right behind the handshake; whether both come in one read says nothing.
 */
const lateMs = 1_000;

/** The signals in the first bytes of a login, once its Login Start is read. */
export function signalsOnWire(conn: JavaConnection): Signals {
  const { client, head, offset, isSplit, handshakeAtMs, deps } = conn;
  const isLate = deps.mitigation.monotonicMs() - handshakeAtMs >= lateMs;
  const isOddHost = client?.port === 0 || namesPlayerAddress(client?.suffix ?? "");
  return (
    (head.length > offset ? earlyBytes : 0) |
    (isSplit ? splitPacket : 0) |
    (isLate ? lateLogin : 0) |
    (isOddHost ? oddHost : 0)
  );
}
