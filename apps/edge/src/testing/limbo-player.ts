import { until } from "@palisade/testing/until";
import type { LimboClient } from "./limbo-client.ts";
import type { TestEdge, TestPlayer } from "./test-edge.ts";

const tickMs = 50;
const ticksMax = 400;

/**
 * Plays on a connection that has sent its login, until the edge closes it or the client is told to come
 * back. The edge's clock goes on with each tick, so no time is waited for.
 */
export async function playLimbo(
  edge: Pick<TestEdge, "advance">,
  player: TestPlayer,
  client: LimboClient,
): Promise<void> {
  let read = 0;
  let ticks = 0;
  await until(
    () => {
      const bytes = player.received.subarray(read);
      read += bytes.length;
      const answer = client.hear(bytes);
      if (client.isTransferred || player.hasEnded || ticks > ticksMax) return true;
      if (answer.length > 0) player.send(answer);
      else if (client.isInWorld) {
        ticks++;
        edge.advance(tickMs);
        player.send(client.tick());
      }
      return false;
    },
    { everyMs: 1 },
  );
}
