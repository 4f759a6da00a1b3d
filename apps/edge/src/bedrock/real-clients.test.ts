import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  bedrockVersions,
  startBedrockHost,
  type BedrockHost,
} from "@palisade/testing/bedrock/bedrock-host";
import { ProxyProtocolReceiver } from "@palisade/testing/bedrock/proxy-protocol-receiver";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup } from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { startTestEdge } from "#src/testing/test-edge.ts";

/** Real Bedrock clients and servers of three versions, with the edge between them. */

let host: BedrockHost;
let edge: Awaited<ReturnType<typeof startTestEdge>>;

beforeAll(async () => {
  host = await startBedrockHost();
});
afterAll(() => host.end());
beforeEach(async () => {
  edge = await startTestEdge();
});
afterEach(() => edge.stop());

test.each(bedrockVersions)(
  "a real client of %s joins through the edge, and the server is told its address once",
  async (version) => {
    const raknet = { hasCookie: true };
    const server = await host.serve(`server of ${version}`, { version, raknet });
    const receiver = await ProxyProtocolReceiver.listen({ server: server.address, mode: "first" });
    try {
      const port = await freePort();
      const backend = { ...sampleBackend(1), bedrock_port: receiver.address.port };
      edge.apply({
        groups: [sampleGroup({ ...backend, bedrock_proxy: "first" })],
        bedrock: { ports: [port], only_in: [] },
      });
      const player = `Player ${version}`;
      const to = { host: "127.0.0.1", port };
      const joined = await host.join({ player, to, version, raknet: { from: "127.0.0.9" } });
      expect(joined).toMatchObject({ outcome: "joined" });
      await host.echo(player, "hello");
      await host.echo(player, randomBytes(6_000).toString("hex"));
      expect(receiver.violations).toEqual([]);
      expect(receiver.players).toEqual([expect.stringMatching(/^127\.0\.0\.9:/)]);
      await host.quit(player);
      await until(() => server.players().length === 0, { what: "the player's leaving" });
    } finally {
      await receiver.close();
    }
  },
);
